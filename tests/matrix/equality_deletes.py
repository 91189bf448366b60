"""Write what SQE never writes itself: a file of equality deletes, as Flink does. PyIceberg has the parts for it."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.manifest import (
    DataFile,
    DataFileContent,
    FileFormat,
    ManifestContent,
    ManifestEntry,
    ManifestEntryStatus,
    ManifestWriterV2,
    write_manifest_list,
)
from pyiceberg.schema import Schema
from pyiceberg.table import Table
from pyiceberg.table.snapshots import Snapshot
from pyiceberg.table.update import AddSnapshotUpdate, SetSnapshotRefUpdate
from pyiceberg.typedef import Record, TableVersion
from pyiceberg.types import IntegerType, ListType, NestedField, StructType

_CODEC: Literal["deflate"] = "deflate"


class _DeleteManifest(ManifestWriterV2):
    def content(self) -> ManifestContent:
        return ManifestContent.DELETES

    @property
    def _meta(self) -> dict[str, str]:
        return {**super()._meta, "content": "deletes"}

    def _with_partition(self, format_version: TableVersion) -> Schema:
        """Return the schema of the manifest with ids of columns that are integers: PyIceberg's are long."""
        fields = []
        for field in super()._with_partition(format_version).fields:
            if isinstance(field.field_type, StructType):
                inner = [_with_integers(one) for one in field.field_type.fields]
                fields.append(
                    NestedField(field.field_id, field.name, StructType(*inner), required=field.required)
                )
            else:
                fields.append(field)
        return Schema(*fields)


def _with_integers(field: NestedField) -> NestedField:
    if field.name != "equality_ids":
        return field
    assert isinstance(field.field_type, ListType)
    ids = ListType(
        field.field_type.element_id, IntegerType(), element_required=field.field_type.element_required
    )
    return NestedField(field.field_id, field.name, ids, required=field.required)


def delete_equal(table: Table, column: str, value: int) -> None:
    """Commit a delete of the rows in which a column of type bigint has a value. The table is of format version 2."""
    field = table.schema().find_field(column)
    current = table.current_snapshot()
    assert current is not None
    number = (current.sequence_number or 0) + 1
    snapshot_id = table.metadata.new_snapshot_id()
    place = Path(table.location().removeprefix("file:"))
    file = place / "data" / f"{uuid.uuid4()}.parquet"
    marked = pa.field(column, pa.int64(), metadata={"PARQUET:field_id": str(field.field_id)})
    pq.write_table(pa.table([pa.array([value])], pa.schema([marked])), file)
    deleted = DataFile.from_args(
        content=DataFileContent.EQUALITY_DELETES,
        file_path=str(file),
        file_format=FileFormat.PARQUET,
        partition=Record(),
        record_count=1,
        file_size_in_bytes=file.stat().st_size,
        equality_ids=[field.field_id],
    )
    deleted.spec_id = table.spec().spec_id
    output = table.io.new_output(str(place / "metadata" / f"{uuid.uuid4()}-m0.avro"))
    with _DeleteManifest(table.spec(), table.schema(), output, snapshot_id, _CODEC) as manifest:
        manifest.add_entry(
            ManifestEntry.from_args(
                status=ManifestEntryStatus.ADDED,
                snapshot_id=snapshot_id,
                sequence_number=None,
                data_file=deleted,
            )
        )
    manifests = table.io.new_output(str(place / "metadata" / f"snap-{snapshot_id}-0-{uuid.uuid4()}.avro"))
    with write_manifest_list(2, manifests, snapshot_id, current.snapshot_id, number, _CODEC) as listed:
        listed.add_manifests([manifest.to_manifest_file(), *current.manifests(table.io)])
    snapshot = {
        "snapshot-id": snapshot_id,
        "parent-snapshot-id": current.snapshot_id,
        "sequence-number": number,
        "manifest-list": manifests.location,
        "summary": {"operation": "delete"},
        "schema-id": table.schema().schema_id,
    }
    ref = {"ref-name": "main", "type": "branch", "snapshot-id": snapshot_id}
    updates = (
        AddSnapshotUpdate(snapshot=Snapshot.model_validate(snapshot)),
        SetSnapshotRefUpdate.model_validate(ref),
    )
    with table.transaction() as transaction:
        transaction._apply(updates)  # there is no other way to add a snapshot of one's own
