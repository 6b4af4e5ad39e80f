"""The servers that a test may use. Their addresses are in environment variables, and may have other rows."""

import os
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

#: ``postgresql://user@%2Ffolder%2Fof%2Fsocket/database``
POSTGRES = os.environ.get("SORTID_POSTGRES")
#: ``mysql://user@localhost/database?socket=…``
MYSQL = os.environ.get("SORTID_MYSQL")

needs_postgres = pytest.mark.skipif(POSTGRES is None, reason="SORTID_POSTGRES is not set")
needs_mysql = pytest.mark.skipif(MYSQL is None, reason="SORTID_MYSQL is not set")


def parts(url: str) -> dict[str, str]:
    """The parts of an address, without percent signs."""
    split = urlsplit(url)
    found = {
        "user": unquote(split.username or ""),
        "password": unquote(split.password or ""),
        "host": unquote(split.netloc.rpartition("@")[2].partition(":")[0]),
        "port": str(split.port or ""),
        "database": split.path.removeprefix("/"),
        **dict(parse_qsl(split.query)),
    }
    return {name: value for name, value in found.items() if value}
