# Runs the statements that come as lines of JSON, and answers each with a line of JSON.

import datetime
import json
import sys

name, path = sys.argv[1:3]
if name == "duckdb":
    import duckdb

    connection = duckdb.connect(path)
    # A query of more than two seconds would print a bar between the answers.
    connection.execute("SET enable_progress_bar = false")
    version = "DuckDB " + duckdb.__version__

    def run(sql):
        result = connection.execute(sql)
        return result.fetchall() if result.description else []

    # As DuckDB writes the values.
    def printed(sql):
        try:
            return run(f"SELECT COLUMNS(*)::VARCHAR FROM ({sql})")
        except duckdb.ParserException:
            return [[None if value is None else str(value) for value in row] for row in run(sql)]

    def load(table, columns, file):
        types = "{" + ", ".join(f"'{column}': 'VARCHAR'" for column in columns) + "}"
        options = r"delim = '\t', header = false, quote = '', escape = '', nullstr = '\N', auto_detect = false"
        options += f", max_line_size = 16777216, columns = {types}"
        run(f"CREATE TABLE {table} AS SELECT * FROM read_csv('{file}', {options})")

elif name == "clickhouse":
    from chdb import session

    connection = session.Session()
    version = "ClickHouse (chdb) " + connection.query("SELECT version()", "TabSeparated").data().strip()

    def run(sql):
        lines = str(connection.query(sql, "JSONCompactEachRow")).splitlines()
        return [json.loads(line) for line in lines]

    def printed(sql):
        lines = str(connection.query(sql, "TabSeparatedRaw")).splitlines()
        return [[None if value == "\\N" else value for value in line.split("\t")] for line in lines]

    def load(table, columns, file):
        types = ", ".join(f"{column} Nullable(String)" for column in columns)
        source = f"file('{file}', 'TabSeparated', '{types}')"
        run(f"CREATE TABLE {table} ENGINE = Memory AS SELECT * FROM {source}")

else:
    import sqlite3

    connection = sqlite3.connect(path)
    # Only to load the samples: SQLite has it since 3.41.
    connection.create_function("unhex", 1, lambda digits: None if digits is None else bytes.fromhex(digits))
    version = "SQLite " + sqlite3.sqlite_version + " of the system"

    def run(sql):
        return connection.execute(sql).fetchall()

    def printed(sql):
        return [[None if value is None else str(value) for value in row] for row in run(sql)]

    def load(table, columns, file):
        run(f"CREATE TABLE {table} ({' TEXT, '.join(columns)} TEXT)")
        with open(file, newline="\n") as lines:
            rows = ([None if v == "\\N" else v for v in line.rstrip("\n").split("\t")] for line in lines)
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)


# What a program in Python does with the IDs of a column, to measure beside the functions.

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BASE32HEX = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
BASE64 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~"
EPOCH = datetime.datetime(1970, 1, 1)


def integer(id):
    if isinstance(id, (bytes, bytearray)):
        return int.from_bytes(id, "big")
    if isinstance(id, str):
        return int(id, 16) if len(id) >= 32 else int(id)
    return getattr(id, "int", id)


def digits(number, alphabet, bits, count):
    return "".join(alphabet[number >> bits * i & (1 << bits) - 1] for i in reversed(range(count)))


def ron_time(id):
    value = id >> 64
    month, day, hour, minute = value >> 48, value >> 42 & 63, value >> 36 & 63, value >> 30 & 63
    second, milli = value >> 24 & 63, value >> 12 & 4095
    return datetime.datetime(2010 + month // 12, month % 12 + 1, day + 1, hour, minute, second, milli * 1000)


def ron_text(id):
    value, origin = digits(id >> 64, BASE64, 6, 10), digits(id & (1 << 60) - 1, BASE64, 6, 10)
    return value.rstrip("0") + "$%-+"[id >> 60 & 3] + origin.rstrip("0")


def after(**elapsed):
    return EPOCH + datetime.timedelta(**elapsed)


PYTHON = {
    "scru160_time": lambda id: after(milliseconds=id >> 112),
    "scru160_text": lambda id: digits(id, BASE32HEX, 5, 32),
    "euid_time": lambda id: after(milliseconds=id >> 83),
    "euid_text": lambda id: digits(id << 7 | id % 127, CROCKFORD, 5, 27),
    "ulid_flake_time": lambda id: after(days=19723, milliseconds=id >> 20),
    "ulid_flake_text": lambda id: digits(id, CROCKFORD, 5, 13),
    "ron_uid_time": ron_time,
    "ron_uid_text": ron_text,
    "event_id_time": lambda id: after(microseconds=id >> 64),
    "event_id_text": lambda id: f"{id:032x}",
}


def answer(question):
    if "fetch" in question:
        function = PYTHON[question["spec"] + "_" + question["function"]]
        for row in run(question["fetch"]):
            function(integer(row[0]))
        return {}
    if "version" in question:
        return {"version": version}
    if "load" in question:
        load(question["load"], question["columns"], question["file"])
        return {}
    if "print" in question:
        return {"rows": printed(question["print"])}
    return {"rows": run(question["sql"])}


for line in sys.stdin:
    try:
        reply = json.dumps(answer(json.loads(line)))
    except UnicodeDecodeError as error:
        # A message that is cut in the middle of a character.
        reply = json.dumps({"error": error.object.decode(errors="replace")})
    except Exception as error:
        reply = json.dumps({"error": str(error) or repr(error)})
    print(reply, flush=True)
