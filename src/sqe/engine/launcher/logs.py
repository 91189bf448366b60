"""Configure the engine's own log: files that are rotated, so that they never fill a disk.

Spark's messages quote values (what cannot be cast, keys of a map, rows of a failed task), plans and generated code.
The log of a guarded engine has none of them: of what others than our own classes log, only the time, the level, the
logger and the class of the error are written.
"""

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
appender.file.layout.alwaysWriteExceptions = false
appender.file.layout.pattern = %d{{yyyy-MM-dd'T'HH:mm:ss.SSSXXX}} %-5p {event}
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
# Each session says at WARN which functions the list of what is allowed stands in for.
logger.functions.name = org.apache.spark.sql.catalyst.analysis.SimpleFunctionRegistry
logger.functions.level = error
logger.tables.name = org.apache.spark.sql.catalyst.analysis.SimpleTableFunctionRegistry
logger.tables.level = error
"""

_WHOLE = "%c{1}: %m%n%ex"

# The name of the logger comes first in what each expression looks at, and no SQL statement chooses one.
_OWN = r"sqe\.spark\."
_CLASS = r"(?:java|javax|scala|org|com|io|sqe)\.[\w.$]+"
_MESSAGE = rf"%replace{{%c: %m}}{{^(?!{_OWN})(\S+): [\s\S]*$}}{{$1}}"
_ERROR = rf"%replace{{%c %ex}}{{^(?:{_OWN}\S+ ([\s\S]*)|\S+ ({_CLASS})?[\s\S]*)$}}{{ $1$2}}"
_WITHOUT_VALUES = f"{_MESSAGE}{_ERROR}%n".replace("\\", "\\\\")  # one is an escape in such a file


def write_log_config(path: Path, log_file: Path, level: str, *, guarded: bool) -> Path:
    """Write the configuration of the engine's log, which has no messages of Spark's if it is guarded."""
    event = _WITHOUT_VALUES if guarded else _WHOLE
    write_private(path, _TEMPLATE.format(level=level.lower(), file=log_file, event=event))
    return path
