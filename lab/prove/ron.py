"""The theorems about the texts of RON UIDs.

A UID is a value of ten digits, a scheme and an origin of ten digits. Its text has only the digits up to the last that
is not 0. So `encode` is executed once for each number of such digits, and `parse` for each number of digits before and
behind a sign, up to one more than a part may have.
"""

import claripy

from decide import Claim
from grammar import BASE64X64
from machine import Call, Out
from texts import LENGTH, ROOM, SIGN, compared, error

# In the order of their bits in a UID: names, hashes, events, derived UIDs.
SIGNS = "$%-+"
NAME, HASH, EVENT, DERIVED = range(4)
DIGITS = 10
MOST = 2 * DIGITS + 1
# Zero, never and error: events that are written without a sign.
CONSTANTS = (0, 63 << 54, (1 << 60) - 1)


def variables(name):
    return [claripy.BVS(f"{name}_{at}", 6, explicit_name=True) for at in range(DIGITS + 1)]


VALUE, ORIGIN, SCHEME = variables("value"), variables("origin"), claripy.BVS("scheme", 2, explicit_name=True)


def number_of(digits):
    """The number of 60 bits with these digits, and zeros behind them."""
    return claripy.Concat(*digits, *[claripy.BVV(0, 6)] * (DIGITS - len(digits)))


def uid_of(value, scheme, origin):
    return claripy.Concat(claripy.BVV(0, 4), value, claripy.BVV(0, 2), scheme, origin)


def bare_scheme(value):
    """The scheme of digits without a sign."""
    is_constant = claripy.Or(*(value == constant for constant in CONSTANTS))
    return claripy.If(is_constant, claripy.BVV(EVENT, 2), claripy.BVV(NAME, 2))


def characters(value, origin):
    """The characters of digits, or of digits, a sign and digits, if `origin` is not None."""
    sign = claripy.BVV(ord(SIGNS[0]), 8)
    for scheme, character in enumerate(SIGNS):
        sign = claripy.If(SCHEME == scheme, claripy.BVV(ord(character), 8), sign)
    behind = [] if origin is None else [sign, *map(BASE64X64.character, origin)]
    return claripy.Concat(*map(BASE64X64.character, value), *behind)


def meaning(value, origin):
    """What these characters mean: the error, which is 0 if there is none, and the UID."""
    none = claripy.BVV(0, 64)
    if max(len(value), len(origin or [])) > DIGITS:
        return error(LENGTH), uid_of(number_of([]), SCHEME, number_of([]))
    first, second = number_of(value), number_of(origin or [])
    if origin is None:
        return none, uid_of(first, bare_scheme(first), second)
    # `encode` leaves out a value of 0 if the origin is not 0, and an origin of 0 if the sign has to be there.
    is_short = claripy.false()
    if not value:
        is_short = second == 0
    elif not origin:
        is_short = SCHEME == bare_scheme(first)
    return claripy.If(is_short, error(SIGN, claripy.BVV(len(value), 64)), none), uid_of(first, SCHEME, second)


def encode(machine, count):
    """`encode` prints the text of a RON UID that the specification asks for, which means this UID."""
    for other in range(DIGITS + 1):
        value, origin = VALUE[:count], ORIGIN[:other]
        number = uid_of(number_of(value), SCHEME, number_of(origin))
        premise = claripy.And(claripy.true(), *(part[-1] != 0 for part in (value, origin) if part))
        # Two texts, each with the condition under which it is the right one.
        texts = [(claripy.true(), value, origin)]
        if not origin:
            value = value or [claripy.BVV(0, 6)]
            is_bare = SCHEME == bare_scheme(number_of(value))
            texts = [(is_bare, value, None), (claripy.Not(is_bare), value, [])]
        name = f"{count} digits of the value, {other} of the origin"
        call = Call(machine, "ron_uid_encode", number, Out(MOST), assumption=premise, eager=True)

        def is_right(path):
            right = claripy.true()
            for condition, *parts in texts:
                text = characters(*parts)
                printed = claripy.Extract(8 * MOST - 1, 8 * MOST - text.size(), path.outputs[0])
                same = claripy.And(path.result == text.size() // 8, printed == text)
                right = claripy.And(right, claripy.Or(claripy.Not(condition), same))
            return right

        yield Claim(name, premise, claripy.And(call.is_whole(), call.always(is_right)), [call])
        for condition, *parts in texts:
            code, uid = meaning(*parts)
            yield Claim(
                f"{name}: what it means", claripy.And(premise, condition), claripy.And(code == 0, uid == number)
            )


def parse(machine, count):
    """If a text has only digits and at most one sign, `parse` returns its UID, so `parse(encode(x)) = x`, or an error if the value or the origin has 11 digits, or is left out where `encode` has it."""
    for other in (None, *range(DIGITS + 2)):
        value, origin = VALUE[:count], None if other is None else ORIGIN[:other]
        if not value and origin is None:
            continue
        text, (code, uid) = characters(value, origin), meaning(value, origin)
        room = claripy.Concat(text, claripy.BVV(0, 8 * ROOM - text.size()))
        call = Call(machine, "ron_uid_parse", room, text.size() // 8, Out(16), eager=True)

        def is_right(path):
            return claripy.And(path.result == code, claripy.Or(code != 0, path.outputs[0] == uid))

        name = f"{count} digits" if origin is None else f"{count} digits, a sign, {other} digits"
        yield Claim(name, claripy.true(), claripy.And(call.is_whole(), call.always(is_right)), [call])


def order(machine, _):
    """Two UIDs compare by value, then by origin, then by scheme: event, derived, name, hash."""
    a, b = (claripy.BVS(name, 128) for name in ("a", "b"))
    valid = claripy.And(*(claripy.And(it[127:124] == 0, it[63:62] == 0) for it in (a, b)))
    call = Call(machine, "ron_uid_compare", a, b, assumption=valid)

    def key(uid):
        scheme = claripy.BVV(0, 2)
        for place, bits in enumerate((EVENT, DERIVED, NAME, HASH)):
            scheme = claripy.If(uid[61:60] == bits, claripy.BVV(place, 2), scheme)
        return claripy.Concat(uid[123:64], uid[59:0], scheme)

    sign = compared(key(a), key(b))
    is_right = call.always(lambda path: path.result == sign)
    yield Claim("as the fields", valid, claripy.And(call.is_whole(), is_right), [call])
    same_scheme = claripy.And(valid, a[61:60] == b[61:60])
    yield Claim("as the bytes, in one scheme", same_scheme, compared(key(a), key(b)) == compared(a, b))
