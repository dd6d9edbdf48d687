"""Reads the files of a folder with pyarrow, and prints where Arrow, its stream and Parquet do not say the same, to the last bit."""
import pathlib
import sys

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet


def plain(column, like):
    """A column without what only Arrow has: dictionaries, and times with a zone."""
    is_text = pa.types.is_dictionary(column.type)
    return column.cast(pa.string() if is_text else like).combine_chunks()


for file in sorted(pathlib.Path(sys.argv[1]).glob("*.arrow")):
    table = pyarrow.feather.read_table(file)
    stream = pa.ipc.open_stream(file.with_suffix(".arrows").read_bytes()).read_all()
    parquet = pyarrow.parquet.read_table(file.with_suffix(".parquet"))
    if not table.equals(stream):
        print(f"{file.stem}: the stream is another")
    if table.column_names != parquet.column_names:
        print(f"{file.stem}: Parquet has other columns")
    for name in table.column_names:
        if not plain(table[name], parquet[name].type).equals(parquet[name].combine_chunks()):
            print(f"{file.stem}: {name} is another in Parquet")
