"""The engine's own log: a file that turns over, so that it never fills a disk."""

from __future__ import annotations

from pathlib import Path

from sqe.locations import write_private

_TEMPLATE = """\
status = error
rootLogger.level = {level}
rootLogger.appenderRef.file.ref = file
appender.file.type = RollingFile
appender.file.name = file
appender.file.fileName = {file}
appender.file.filePattern = {file}.%i
appender.file.filePermissions = rw-------
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{{yyyy-MM-dd'T'HH:mm:ss.SSSXXX}} %-5p %c{{1}}: %m%n%ex
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 10MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 5
# Each of these says at WARN what is normal for us.
logger.native.name = org.apache.hadoop.util.NativeCodeLoader
logger.native.level = error
logger.conf.name = org.apache.spark.SparkConf
logger.conf.level = error
# It logs every statement that fails, with its text; the gateway's log has that, by query id.
logger.statements.name = org.apache.spark.sql.connect.utils.ErrorUtils
logger.statements.level = off
logger.utils.name = org.apache.spark.util.Utils
logger.utils.level = error
"""


def write_log_config(path: Path, log_file: Path, level: str) -> Path:
    write_private(path, _TEMPLATE.format(level=level.lower(), file=log_file))
    return path
