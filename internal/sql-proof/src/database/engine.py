# Runs the statements that come as lines of JSON, and answers each with a line of JSON.

import json
import sys

name = sys.argv[1]
if name == "duckdb":
    import duckdb

    connection = duckdb.connect()
    version = "DuckDB " + duckdb.__version__

    def run(sql):
        result = connection.execute(sql)
        return result.fetchall() if result.description else []

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

    def load(table, columns, file):
        types = ", ".join(f"{column} Nullable(String)" for column in columns)
        source = f"file('{file}', 'TabSeparated', '{types}')"
        run(f"CREATE TABLE {table} ENGINE = Memory AS SELECT * FROM {source}")

else:
    import sqlite3

    connection = sqlite3.connect(":memory:")
    # Only to load the samples: SQLite has it since 3.41.
    connection.create_function("unhex", 1, lambda digits: None if digits is None else bytes.fromhex(digits))
    version = "SQLite " + sqlite3.sqlite_version + " of the system"

    def run(sql):
        return connection.execute(sql).fetchall()

    def load(table, columns, file):
        run(f"CREATE TABLE {table} ({' TEXT, '.join(columns)} TEXT)")
        with open(file, newline="\n") as lines:
            rows = ([None if v == "\\N" else v for v in line.rstrip("\n").split("\t")] for line in lines)
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(columns))})", rows)


def answer(question):
    if "version" in question:
        return {"version": version}
    if "load" in question:
        load(question["load"], question["columns"], question["file"])
        return {}
    return {"rows": run(question["sql"])}


for line in sys.stdin:
    try:
        reply = json.dumps(answer(json.loads(line)))
    except Exception as error:
        reply = json.dumps({"error": str(error) or repr(error)})
    print(reply, flush=True)
