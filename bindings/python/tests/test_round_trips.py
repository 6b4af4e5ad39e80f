"""What other libraries write, return and keep comes back in: files, rows of databases, and all types of a column."""

from __future__ import annotations

import importlib
import io
import pickle
import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from databases import POSTGRES, needs_postgres
from hypothesis import given
from hypothesis import strategies as st
from rows import NAMESPACES, attribute, each, some_ids, stored

from sortid import Euid, EventId, ParseError, RonUid, Scru160, UlidFlake, columns

pd: Any = pytest.importorskip("pandas")
pl: Any = pytest.importorskip("polars")
pa: Any = pytest.importorskip("pyarrow")
importlib.import_module("sortid.pandas")
importlib.import_module("sortid.polars")
parquet: Any = importlib.import_module("pyarrow.parquet")
feather: Any = importlib.import_module("pyarrow.feather")

ROOT = Path(__file__).resolve().parents[3]
ID_TYPES = list(NAMESPACES.values())
WITH_UUID: list[Any] = [Euid, RonUid, EventId]

each_type = pytest.mark.parametrize("id_type", ID_TYPES, ids=lambda id_type: str(id_type.__name__))


def results(id_type: Any, texts: Any) -> dict[str, Any]:
    """The result of each function for a column of texts."""
    times = columns.time(id_type, texts)
    found: dict[str, Any] = {
        "time": times,
        "text": columns.text(id_type, texts),
        "parse": columns.parse(id_type, texts),
        "try_parse": columns.try_parse(id_type, texts),
        "is_valid": columns.is_valid(id_type, texts),
        "min_at": columns.min_at(id_type, times),
        "max_at": columns.max_at(id_type, times),
        "backfill": columns.backfill(id_type, times, **options(id_type)),
    }
    for name in id_type.MIN.fields():
        found[name] = columns.field(id_type, texts, name)
    return found


def options(id_type: Any) -> dict[str, Any]:
    made: dict[Any, dict[str, Any]] = {RonUid: {"origin": "alice"}, EventId: {"ledger_id": 7}}
    return made.get(id_type, {})


def listed(column: Any) -> list[Any]:
    """The values of a column of any library."""
    values = column.to_pylist() if hasattr(column, "to_pylist") else column.tolist() if hasattr(column, "tolist") else column.to_list()
    return [None if value is None or value is pd.NA or value is pd.NaT or value != value else value for value in values]


def used_again(id_type: Any, frame: Any) -> list[list[Any]]:
    """What the functions return for the columns of a file."""
    ids = ("parse", "try_parse", "min_at", "max_at", "backfill", "text")
    found = [columns.text(id_type, frame[name]) for name in ids]
    return [listed(column) for column in (*found, columns.min_at(id_type, frame["time"]))]


def in_pandas(file: str) -> tuple[Callable[[Any, Path], None], Callable[[Path], Any]]:
    return (lambda frame, path: getattr(frame, f"to_{file}")(path)), getattr(pd, f"read_{file}")


@each_type
@pytest.mark.parametrize("file", ["parquet", "feather", "pickle"])
def test_pandas_reads_what_it_has_written(id_type: Any, file: str, tmp_path: Path) -> None:
    write, read = in_pandas(file)
    texts = each(some_ids(id_type), str)
    chunks = pa.chunked_array([texts[:5], [], texts[5:]])
    for column in (
        pd.Series(texts, dtype=object),
        pd.Series(texts, dtype="str"),
        pd.Series(texts, dtype="category"),
        pd.Series(pd.arrays.ArrowExtensionArray(chunks)),
        pd.Series(pd.arrays.ArrowExtensionArray(chunks))[3:9].reset_index(drop=True),
        pd.Series(["0", *texts], dtype="str")[1:].reset_index(drop=True),
        pd.Series([None, None], dtype="str"),
        pd.Series([], dtype="str"),
    ):
        frame = pd.DataFrame(results(id_type, column))
        fields = columns.fields(id_type, column)
        assert len(frame) == len(fields) == len(column)
        write(frame, tmp_path / file)
        again = read(tmp_path / file)
        for name in frame:
            assert listed(again[name]) == listed(frame[name]), name
        assert used_again(id_type, again) == used_again(id_type, frame)
        # The fields are columns of their own.
        write(fields, tmp_path / file)
        again = read(tmp_path / file)
        assert list(again) == list(id_type.MIN.fields())
        for name in fields:
            assert listed(again[name]) == listed(fields[name]) == listed(frame[name])


def test_uuids_of_pandas_are_objects_and_come_back(tmp_path: Path) -> None:
    ids = [*columns.generate(Euid, 3), None]
    series = columns.parse(Euid, pd.Series(each(ids, str)), uuid=True)
    assert list(series) == each(ids, attribute("uuid"))
    of_uuids = pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([pa.array(each(ids, stored), pa.uuid())])))
    assert columns.parse(Euid, of_uuids).dtype == columns.parse(Euid, pd.Series(each(ids, str))).dtype
    for file in ("parquet", "feather", "pickle"):
        write, read = in_pandas(file)
        write(pd.DataFrame({"id": series}), tmp_path / file)
        again = read(tmp_path / file)["id"]
        assert list(again) == list(series)
        assert listed(again.euid.text()) == each(ids, str)


@each_type
def test_polars_reads_what_it_has_written(id_type: Any) -> None:
    ids = some_ids(id_type)
    texts = pl.Series(each(ids, str))
    forms: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any], Any]]] = {
        "parquet": (lambda frame, file: frame.write_parquet(file), pl.read_parquet),
        "ipc": (lambda frame, file: frame.write_ipc(file), pl.read_ipc),
        "pickle": (pickle.dump, pickle.load),
    }
    for column in (texts, texts[3:9], pl.concat([texts[:5], texts[5:]], rechunk=False), texts.cast(pl.Categorical)):
        for series in (column, column.clear()):
            frame = pl.DataFrame(results(id_type, series)).with_columns(fields=columns.fields(id_type, series))
            for write, read in forms.values():
                file = io.BytesIO()
                write(frame, file)
                file.seek(0)
                again = read(file)
                assert again.equals(frame)
                assert used_again(id_type, again) == used_again(id_type, frame)
    # A text stays a text in CSV.
    csv = pl.DataFrame({"id": columns.text(id_type, texts)}).write_csv()
    assert columns.parse(id_type, pl.read_csv(csv.encode())["id"]).to_list() == each(ids, stored)


@each_type
def test_pyarrow_reads_what_it_has_written(id_type: Any, tmp_path: Path) -> None:
    texts = pa.array(each(some_ids(id_type), str))
    for column in (
        texts,
        texts[3:9],
        texts[:0],
        pa.chunked_array([texts[:5], texts[5:]]),
        texts.dictionary_encode(),
        texts.cast(pa.large_string()),
        texts.cast(pa.string_view()),
    ):
        table = pa.table({**results(id_type, column), "fields": columns.fields(id_type, column)})
        for module in (parquet, feather):
            (module.write_table if module is parquet else module.write_feather)(table, tmp_path / "file")
            again = module.read_table(tmp_path / "file")
            assert again.equals(table)
            # Other libraries write the same bytes with other types.
            for name in ("parse", "min_at"):
                ids = again[name]
                types = () if id_type is UlidFlake else (pa.binary(), pa.large_binary(), pa.binary_view())
                for other in types:
                    cast = ids.cast(pa.binary()).cast(other)
                    assert columns.text(id_type, cast).equals(columns.text(id_type, ids))
                assert columns.text(id_type, ids.dictionary_encode()).equals(columns.text(id_type, ids))


@each_type
def test_the_libraries_read_the_files_of_each_other(id_type: Any, tmp_path: Path) -> None:
    texts = each(some_ids(id_type), str)
    path = tmp_path / "ids.parquet"
    written: list[Callable[[], Any]] = [
        lambda: parquet.write_table(pa.table({"id": columns.parse(id_type, pa.array(texts))}), path),
        lambda: pl.DataFrame({"id": columns.parse(id_type, pl.Series(texts))}).write_parquet(path),
        lambda: pd.DataFrame({"id": columns.parse(id_type, pd.Series(texts, dtype=object))}).to_parquet(path),
    ]
    for write in written:
        write()
        for frame in (
            parquet.read_table(path),
            pl.read_parquet(path),
            pd.read_parquet(path),
            pd.read_parquet(path, dtype_backend="pyarrow"),
            pd.read_parquet(path, dtype_backend="numpy_nullable"),
        ):
            if id_type is UlidFlake and str(getattr(frame["id"], "dtype", "")) == "float64":
                continue  # pandas reads integers with missing values as floats, which are too short
            found = columns.text(id_type, frame["id"])
            assert listed(found) == texts


@pytest.mark.parametrize("id_type", WITH_UUID, ids=lambda id_type: str(id_type.__name__))
def test_ids_of_128_bits_are_read_as_uuids(id_type: Any) -> None:
    ids = some_ids(id_type)
    uuids = each(ids, attribute("uuid"))
    texts = each(uuids, str)
    forms: list[Any] = [
        texts,
        each(texts, str.upper),
        uuids,
        pa.array(texts),
        pa.array(texts, pa.string_view()),
        pa.array(texts).dictionary_encode(),
        pa.array(each(ids, stored), pa.uuid()),
        pl.Series(texts),
        pl.Series(texts, dtype=pl.Categorical),
        pl.Series(uuids, dtype=pl.Object),
        pd.Series(texts, dtype=object),
        pd.Series(texts, dtype="str"),
        pd.Series(texts, dtype="category"),
        pd.Series(uuids, dtype=object),
        pd.Series(uuids, dtype="category"),
        pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([pa.array(each(ids, stored), pa.uuid())]))),
        [uuid if row % 2 else id for row, (uuid, id) in enumerate(zip(uuids, ids, strict=True))],
        [text if row % 2 else id and str(id) for row, (text, id) in enumerate(zip(texts, ids, strict=True))],
    ]
    for column in forms:
        for function, value in (
            (columns.time, attribute("time")),
            (columns.text, str),
            (columns.is_valid, lambda _: True),
        ):
            assert listed(function(id_type, column)) == each(ids, value), type(column)
        parsed = columns.text(id_type, columns.try_parse(id_type, columns.parse(id_type, column)))
        assert listed(parsed) == each(ids, str)


def test_mistakes_in_texts_are_still_found() -> None:
    good = "0c7f613c-7a56-1510-eddd-e216d959d3b1"
    cases = [
        (good[:-1] + "g", "'g' at position 35 is not a hex digit", "character", 35),
        ("é" + good[2:], "'é' at position 0 is not a hex digit", "character", 0),
        (good.replace("-", ""), "expected 27 characters, found 32", "length", None),
        (good[:-1], "expected 27 characters, found 35", "length", None),
        (f"{{{good}}}", "expected 27 characters, found 38", "length", None),
        (good.replace("-", "_"), "expected 27 characters, found 36", "length", None),
        ("1HZP2F3TARAH1VEXW8BDJPEKP45", "the check is 5, expected 4", "check", None),
    ]
    for text, message, kind, position in cases:
        with pytest.raises(ParseError) as caught:
            columns.parse(Euid, [good, text])
        error = caught.value
        assert (str(error), error.row) == (f'row 1: "{text}" is not the text of an EUID: {message}', 1)
        assert (error.kind, error.position) == (kind, position)
        assert columns.is_valid(Euid, [good, text]).to_pylist() == [True, False]
        assert columns.try_parse(Euid, [good, text]).null_count == 1
        assert not Euid.is_valid(text)
    # A UUID can have bits that a RON UID cannot have, and no other ID has 128 bits.
    with pytest.raises(ParseError, match="above the greatest RON UID variety"):
        columns.parse(RonUid, ["f" + good[1:]])
    for id_type in (Scru160, UlidFlake):
        assert columns.is_valid(id_type, [good]).to_pylist() == [False]
    # The class reads the text of an ID only.
    assert not Euid.is_valid(good)


def test_rows_of_duckdb_come_back() -> None:
    duckdb: Any = pytest.importorskip("duckdb")
    db = duckdb.connect()
    db.execute((ROOT / "crates/sortid-sql/sql/duckdb.sql").read_text())
    db.execute("SET TimeZone = 'UTC'")
    for id_type, prefix in ((Euid, "euid"), (EventId, "event_id")):
        ids = some_ids(id_type)
        db.register("texts", pa.table({"id": each(ids, str), "row": range(len(ids))}))
        query = f"SELECT {prefix}_parse(id) AS id, {prefix}_time({prefix}_parse(id)) AS time FROM texts ORDER BY row"
        rows = db.sql(query)
        for frame in (rows.pl(), rows.df(), rows.to_arrow_table(), dict(rows.fetchnumpy())):
            found = columns.time(id_type, frame["id"])
            if not hasattr(found, "to_pylist"):
                found = pa.array(found)
            assert found.cast(pa.timestamp("us", "UTC")).to_pylist() == each(ids, attribute("time")), type(frame)
            bounds = columns.text(id_type, columns.min_at(id_type, frame["time"]))
            least = each(ids, lambda id: str(id_type.min_at(id.time)))  # noqa: B023
            assert listed(bounds) == least


@needs_postgres
def test_rows_of_postgresql_come_back() -> None:
    psycopg: Any = pytest.importorskip("psycopg")
    with psycopg.connect(POSTGRES, autocommit=True) as connection:
        connection.execute("SET TIME ZONE 'Asia/Tokyo'")
        ids = some_ids(Euid)
        rows = [(id and id.uuid, id and id.bytes, id and id.time, id and id.time.replace(tzinfo=None)) for id in ids]
        connection.execute("CREATE TEMP TABLE ids (u uuid, b bytea, t timestamptz, n timestamp, row int)")
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO ids VALUES (%s, %s, %s, %s, %s)", [(*row, i) for i, row in enumerate(rows)]
            )
        query = "SELECT u, b, u::text AS s, t, n FROM ids ORDER BY row"
        of_polars = pl.read_database(query, connection)
        of_rows = connection.execute(query).fetchall()
        of_pandas_ = pd.DataFrame(of_rows, columns=["u", "b", "s", "t", "n"])
        for frame in (of_polars, of_pandas_, {name: [row[i] for row in of_rows] for i, name in enumerate("ubstn")}):
            for name in ("u", "b", "s"):
                found = columns.text(Euid, frame[name])
                assert listed(found) == each(ids, str), name
            for name in ("t", "n"):
                found = columns.text(Euid, columns.min_at(Euid, frame[name]))
                least = each(ids, lambda id: str(Euid.min_at(id.time)))
                assert listed(found) == least, name


#: Times in nanoseconds that each unit and library can hold. They start in 2024, for Ulid-Flakes.
NANOS = st.integers(1_704_153_600 * 10**9, 9 * 10**18)
STEPS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


@given(nanos=st.lists(NANOS, min_size=1, max_size=5), unit=st.sampled_from(sorted(STEPS)))
@each_type
def test_times_are_truncated_and_never_rounded(id_type: Any, nanos: list[int], unit: str) -> None:
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    stored_times = [nano // STEPS[unit] for nano in nanos]
    # The microsecond in which each stored time is.
    moments = [epoch + timedelta(microseconds=time * STEPS[unit] // 1000) for time in stored_times]
    for bound, of_columns in ((id_type.min_at, columns.min_at), (id_type.max_at, columns.max_at)):
        expected = [str(bound(moment)) for moment in moments]
        naive = pa.array(stored_times, pa.int64()).cast(pa.timestamp(unit))
        zoned = pa.array(stored_times, pa.int64()).cast(pa.timestamp(unit, "Asia/Kathmandu"))
        numpy_times = naive.to_numpy(zero_copy_only=False)
        forms = [
            naive,
            zoned,
            numpy_times,
            pd.Series(numpy_times),
            pd.Series(numpy_times).dt.tz_localize("UTC").dt.tz_convert("Asia/Kathmandu"),
            pd.Series(numpy_times).dt.tz_localize("UTC").astype(object),
            pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([naive]))),
            pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([zoned]))),
        ]
        if unit != "s":
            series = pl.Series(stored_times, dtype=pl.Int64).cast(pl.Datetime(unit))
            forms += [series, series.dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Kathmandu")]
        for form in forms:
            assert [str(text) for text in columns.text(id_type, of_columns(id_type, form))] == expected, type(form)
        made = columns.backfill(id_type, naive, **options(id_type))
        assert [str(bound(time)) for time in columns.time(id_type, made).to_pylist()] == expected or id_type is EventId


@given(days=st.lists(st.integers(19_724, 80_000), min_size=1, max_size=5))
@each_type
def test_a_date_is_its_first_moment(id_type: Any, days: list[int]) -> None:
    midnights = [datetime(1970, 1, 1, tzinfo=UTC) + timedelta(days=day) for day in days]
    expected = [str(id_type.min_at(midnight)) for midnight in midnights]
    dates = pa.array(days, pa.int32()).cast(pa.date32())
    for form in (
        dates,
        dates.cast(pa.date64()),
        pl.Series(dates),
        pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([dates]))),
        pd.Series(dates.cast(pa.timestamp("s")).to_numpy(zero_copy_only=False)),
        dates.cast(pa.timestamp("s")).to_numpy(zero_copy_only=False).astype("M8[D]"),
    ):
        assert [str(text) for text in columns.text(id_type, columns.min_at(id_type, form))] == expected


def test_uuid_objects_of_a_database_are_the_ids() -> None:
    assert columns.parse(Euid, [uuid.UUID("0c7f613c-7a56-1510-eddd-e216d959d3b1")])[0] == Euid(
        "1HZP2F3TARAH1VEXW8BDJPEKP44"
    )
