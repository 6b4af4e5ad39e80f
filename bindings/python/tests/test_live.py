"""The published packages of two specifications, beside this one: texts, integers, fields and errors."""

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from sortid import ParseError, Scru160, UlidFlake

COUNT = 20_000


def test_this_package_reads_the_scru160s_of_the_other() -> None:
    scru160: Any = pytest.importorskip("scru160")
    start = datetime.now(UTC)
    made = [scru160.scru160() for _ in range(COUNT)]
    ids = [Scru160(text) for text in made]
    assert [str(id) for id in ids] == made
    # The other package continues in the last millisecond, and counts.
    assert ids == sorted(ids)
    assert (start - ids[0].time).total_seconds() < 0.002
    for _ in range(COUNT):
        text = scru160.scru160f()
        id = Scru160(text)
        assert id.encode_hex() == id.hex == text


def test_the_other_package_prints_the_scru160s_of_this_one() -> None:
    scru160: Any = pytest.importorskip("scru160")
    ids = [Scru160.new() for _ in range(COUNT)] + [Scru160.MIN, Scru160.MAX]
    ids += [Scru160(random.randbytes(20)) for _ in range(COUNT)]
    for id in ids:
        assert scru160._base32hex160(bytes(id)) == str(id)


def others() -> tuple[Any, Any]:
    api = pytest.importorskip("ulid_flake.api")
    scalable = pytest.importorskip("ulid_flake.scalable")
    return api.UlidFlake, scalable.UlidFlakeScalable


def test_both_packages_read_each_others_ulid_flakes() -> None:
    theirs, scalable = others()
    ids = [UlidFlake(random.getrandbits(63)) for _ in range(COUNT)] + [UlidFlake.MIN, UlidFlake.MAX]
    ids += UlidFlake.generator().generate_many(COUNT)
    for id in ids:
        other = theirs.parse(str(id))
        assert other.int == id.int
        assert (other.timestamp, other.randomness) == (id.timestamp_ms, id.randomness)
        other = scalable.from_int(id.int)
        assert str(other) == str(id)
        assert (other.timestamp, other.randomness) == (id.timestamp_ms, id.scalable_randomness)


def test_this_package_reads_the_new_ulid_flakes_of_the_other() -> None:
    theirs, scalable = others()
    scalable.set_config(sid=21)
    made = 0
    while made < COUNT:
        try:
            other = theirs.new() if made % 2 else scalable.new()
        except OverflowError:
            # The millisecond is used up.
            continue
        made += 1
        id = UlidFlake(str(other))
        assert UlidFlake(other.int) == id
        assert id.int == other.int
        assert id.timestamp_ms == other.timestamp
        if made % 2:
            assert id.scalability == 21
        else:
            assert id.randomness == other.randomness
    scalable.reset_config()


def test_both_packages_refuse_the_same_texts() -> None:
    theirs, _ = others()
    digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyzILOUilou-_ é"
    accepted = 0
    for _ in range(COUNT):
        # A third of the texts is valid.
        text = "".join(random.choices(digits[:54], k=random.choice([12, 13, 13, 13, 13, 13, 13])))
        if random.random() < 0.2:
            at = random.randrange(len(text))
            text = text[:at] + random.choice(digits) + text[at + 1 :]
        try:
            other = theirs.parse(text).int
        except (ValueError, OverflowError):
            other = None
        try:
            own = UlidFlake(text).int
        except ParseError:
            own = None
        assert own == other, text
        accepted += own is not None
    assert accepted > COUNT // 10
