"""Parquet files with bytes that depend on the table alone, and with a check for damage."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["DamagedTable", "TableWriter", "facts_of", "read_table", "with_facts"]

_FACTS = b"libvmaf"


class DamagedTable(Exception):
    """The file is not a complete Parquet file, or was changed."""


def with_facts(schema: pa.Schema, facts: Mapping[str, Any]) -> pa.Schema:
    """Add facts about the whole table. The order of features is the order of columns."""
    return schema.with_metadata({_FACTS: json.dumps(facts, ensure_ascii=False).encode()})


def facts_of(schema: pa.Schema) -> dict[str, Any]:
    try:
        facts: dict[str, Any] = json.loads(schema.metadata[_FACTS])
        return facts
    except (TypeError, KeyError, ValueError):
        raise DamagedTable("it was not written by a catalogue's job") from None


class TableWriter:
    """One row group for each table that is written."""

    def __init__(self, file: IO[bytes], schema: pa.Schema) -> None:
        self._schema = schema
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
        self._writer = pq.ParquetWriter(
            file, schema, compression="zstd", use_dictionary=texts, write_page_checksum=True, store_schema=True
        )

    def write(self, table: pa.Table) -> None:
        self._writer.write_table(table.cast(self._schema), row_group_size=max(1, table.num_rows))

    def close(self) -> None:
        self._writer.close()


def read_table(content: bytes | IO[bytes]) -> pa.Table:
    """DamagedTable if it is not whole."""
    try:
        with pq.ParquetFile(pa.BufferReader(content) if isinstance(content, bytes) else content, page_checksum_verification=True) as file:
            return file.read(use_threads=False)  # tables are small, and workers many
    except (pa.ArrowException, OSError) as error:
        raise DamagedTable(str(error)) from error
