"""The theorems about the texts of RON UIDs.

A UID is a value of ten digits, a scheme and an origin of ten digits. Its text has only the digits up to the last that
is not 0. So `encode` is executed once for each number of such digits.

`parse` is proved for each text of digits with at most one sign, and at most eleven digits in a part: `canonical`. For
all other texts, with errors, it is proved up to a length: `parse`.
"""

import claripy

from decide import Claim
from grammar import BASE64X64, pieces
from machine import Call, Out
from texts import CHARACTER, LENGTH, ROOM, SIGN, error

# In the order of their bits in a UID: names, hashes, events, derived UIDs.
SIGNS = "$%-+"
NAME, HASH, EVENT, DERIVED = range(4)
# The longest text of any bytes for which `parse` is proved. The time grows with the square of it.
LONGEST = 3

DIGITS = 10
MOST = 2 * DIGITS + 1
# Zero, never and error: events that are written without a sign.
CONSTANTS = (0, 63 << 54, (1 << 60) - 1)


class Uid:
    """All UIDs whose value and origin have these numbers of digits up to the last that is not 0."""

    def __init__(self, value_digits, origin_digits):
        self.value_digits, self.origin_digits = VALUE[:value_digits], ORIGIN[:origin_digits]
        self.value, self.origin = number_of(self.value_digits), number_of(self.origin_digits)
        self.scheme = SCHEME
        self.number = claripy.Concat(claripy.BVV(0, 4), self.value, claripy.BVV(0, 2), self.scheme, self.origin)
        last = [digits[-1] for digits in (self.value_digits, self.origin_digits) if digits]
        self.assumption = claripy.And(claripy.true(), *(digit != 0 for digit in last))

    def texts(self):
        """Two texts, each with the condition under which it is the right one."""
        value = [BASE64X64.character(digit) for digit in self.value_digits]
        origin = [BASE64X64.character(digit) for digit in self.origin_digits]
        if not value and not origin:
            value = [claripy.BVV(ord("0"), 8)]
        if origin:
            return [(claripy.true(), [*value, sign_of(self.scheme), *origin])]
        is_bare = self.scheme == bare_scheme(self.value)
        return [(is_bare, value), (claripy.Not(is_bare), [*value, sign_of(self.scheme)])]


def variables(name):
    return [claripy.BVS(f"{name}_{at}", 6, explicit_name=True) for at in range(DIGITS)]


VALUE, ORIGIN, SCHEME = variables("value"), variables("origin"), claripy.BVS("scheme", 2, explicit_name=True)
DIGIT = claripy.BVS("digit", 6, explicit_name=True)


def number_of(digits):
    """The number of 60 bits with these digits, and zeros behind them."""
    zeros = [claripy.BVV(0, 6)] * (DIGITS - len(digits))
    return claripy.Concat(*digits, *zeros)


def sign_of(scheme):
    sign = claripy.BVV(ord(SIGNS[0]), 8)
    for value, character in enumerate(SIGNS):
        sign = claripy.If(scheme == value, claripy.BVV(ord(character), 8), sign)
    return sign


def bare_scheme(value):
    """The scheme of digits without a sign."""
    is_constant = claripy.Or(*(value == constant for constant in CONSTANTS))
    return claripy.If(is_constant, claripy.BVV(EVENT, 2), claripy.BVV(NAME, 2))


def counts():
    return [(value, origin) for value in range(DIGITS + 1) for origin in range(DIGITS + 1)]


def texts_of_uids(machine):
    """`encode` prints the text that the specification asks for, for all valid UIDs."""
    for value, origin in counts():
        uid = Uid(value, origin)
        call = Call(machine, "ron_uid_encode", uid.number, Out(MOST), assumption=uid.assumption, eager=True)

        def is_right(path):
            printed = claripy.true()
            for condition, text in uid.texts():
                room = claripy.Concat(*text)
                characters = claripy.Extract(8 * MOST - 1, 8 * (MOST - len(text)), path.outputs[0])
                same = claripy.And(path.result == len(text), characters == room)
                printed = claripy.And(printed, claripy.Or(claripy.Not(condition), same))
            return printed

        conclusion = claripy.And(call.is_whole(), call.always(is_right))
        yield Claim(f"{value} digits of the value, {origin} of the origin", uid.assumption, conclusion, [call])


def refuses(machine):
    """`encode` of the proofs refuses bytes whose six upper bits of value and origin are not 0."""
    number = claripy.BVS("uid", 128)
    wrong = claripy.Or(number[127:124] != 0, number[63:62] != 0)
    call = Call(machine, "ron_uid_encode", number, Out(MOST), assumption=wrong)
    refuses = call.always(lambda path: path.result == claripy.BVV(-1, 64))
    yield Claim("the upper bits", wrong, claripy.And(call.is_whole(), refuses), [call])


class Byte:
    """A byte of a text: what the grammar asks about it."""

    def __init__(self, byte):
        self.is_digit, self.digit = BASE64X64.is_digit(byte), BASE64X64.value(byte)
        self.is_sign = claripy.Or(*(byte == ord(sign) for sign in SIGNS))
        self.scheme = claripy.BVV(0, 2)
        for number, sign in enumerate(SIGNS):
            self.scheme = claripy.If(byte == ord(sign), claripy.BVV(number, 2), self.scheme)


class Digit(Byte):
    """The character of a digit. The theorem `digits` says the same of its byte."""

    def __init__(self, digit):
        self.is_digit, self.digit = claripy.true(), digit
        self.is_sign = claripy.false()
        self.scheme = claripy.BVV(0, 2)


class Text:
    """What a text of a known length means, by the grammar: the parts are read from the left."""

    def __init__(self, text):
        self.bytes, self.length = text, len(text)
        end, number = claripy.BVV(self.length, 64), claripy.BVV(0, 60)
        # Where the digits from a position on end, and their number, with the first digit on the left.
        self.runs = [(end, number)]
        for at, byte in reversed(list(enumerate(text))):
            end = claripy.If(byte.is_digit, end, claripy.BVV(at, 64))
            number = claripy.If(byte.is_digit, claripy.Concat(byte.digit, number[59:6]), claripy.BVV(0, 60))
            self.runs.insert(0, (end, number))
        self.parts = [self._part(at) for at in range(self.length + 1)]

    def _part(self, at):
        """The part that begins at a position: whether it is too long, where it ends, and its number."""
        end, number = self.runs[at]
        return claripy.UGT(end, at + DIGITS), end, number

    def meaning(self):
        """The error, which is 0 if there is none, and the UID."""
        too_long, end, value = self.parts[0]
        code, uid = self._behind(self.length, value)
        for at in range(self.length):
            here, other = self._behind(at, value)
            code, uid = claripy.If(end == at, here, code), claripy.If(end == at, other, uid)
        return claripy.If(too_long, error(LENGTH), code), uid

    def _behind(self, at, value):
        """What the text means if its value ends at a position."""
        if at == self.length:
            return claripy.BVV(0, 64), uid_of(value, bare_scheme(value), claripy.BVV(0, 60))
        byte = self.bytes[at]
        here, uid = self._origin(at + 1, value, byte.scheme)
        return claripy.If(byte.is_sign, here, error(CHARACTER, claripy.BVV(at, 64))), uid

    def _origin(self, at, value, scheme):
        """What the text means if its sign is before a position."""
        too_long, end, origin = self.parts[at]
        # `encode` leaves out a value of 0 if the origin is not 0, and an origin of 0 if the sign has to be there.
        is_short = claripy.false()
        if at == 1:
            is_short = origin == 0
        elif at == self.length:
            is_short = scheme == bare_scheme(value)
        code = claripy.If(is_short, error(SIGN, claripy.BVV(at - 1, 64)), claripy.BVV(0, 64))
        for wrong in range(at, self.length):
            position = claripy.BVV(wrong, 64)
            refused = claripy.If(self.bytes[wrong].is_sign, error(SIGN, position), error(CHARACTER, position))
            code = claripy.If(end == wrong, refused, code)
        return claripy.If(too_long, error(LENGTH), code), uid_of(value, scheme, origin)


def bytes_of(text, length):
    return [Byte(byte) for byte in pieces(text, 8)[:length]]


def uid_of(value, scheme, origin):
    return claripy.Concat(claripy.BVV(0, 4), value, claripy.BVV(0, 2), scheme, origin)


def texts(machine, lengths=range(LONGEST + 1)):
    """`parse` accepts the grammar and nothing else; the UID, or the error with its position, is right."""
    for length in lengths:
        yield from parse_of(machine, length)


def parse_of(machine, length):
    room = claripy.BVS("text", 8 * ROOM)
    text = Text(bytes_of(room, length))
    code, uid = text.meaning() if length else (error(LENGTH), claripy.BVV(0, 128))
    call = Call(machine, "ron_uid_parse", room, length, Out(16))

    def is_right(path):
        return claripy.And(path.result == code, claripy.Or(code != 0, path.outputs[0] == uid))

    yield Claim(f"{length} characters", claripy.true(), claripy.And(call.is_whole(), call.always(is_right)), [call])


def parse_digits(machine, shapes=None):
    """`parse` reads digits, and digits, a sign and digits: the UID, or an error for more than ten digits in a part.

    A shape is the number of digits before the sign, and behind it, or None without a sign.
    """
    for value, origin in shapes or [(value, origin) for value in range(12) for origin in (None, *range(12))][1:]:
        characters = [DIGIT, *VALUE][:value] if value > DIGITS else VALUE[:value]
        text = [(BASE64X64.character(digit), Digit(digit)) for digit in characters]
        if origin is not None:
            text.append((sign_of(SCHEME), Byte(sign_of(SCHEME))))
            characters = [DIGIT, *ORIGIN][:origin] if origin > DIGITS else ORIGIN[:origin]
            text += [(BASE64X64.character(digit), Digit(digit)) for digit in characters]
        room = claripy.Concat(*(byte for byte, _ in text), claripy.BVV(0, 8 * (ROOM - len(text))))
        code, uid = Text([byte for _, byte in text]).meaning()
        call = Call(machine, "ron_uid_parse", room, len(text), Out(16), eager=True)

        def is_right(path):
            return claripy.And(path.result == code, claripy.Or(code != 0, path.outputs[0] == uid))

        name = f"{value} digits" if origin is None else f"{value} digits, a sign, {origin} digits"
        yield Claim(name, claripy.true(), claripy.And(call.is_whole(), call.always(is_right)), [call])


def digits(machine):
    """The character of a digit reads as this digit, and is not a sign."""
    digit = claripy.BVS("digit", 6)
    byte = Byte(BASE64X64.character(digit))
    yield Claim("a digit", claripy.true(), claripy.And(byte.is_digit, byte.digit == digit, claripy.Not(byte.is_sign)))


def round_trip(machine):
    """`parse(encode(x)) == x`, and no other UID has this text: by the theorems about `encode` and `parse`."""
    for value, origin in counts():
        uid = Uid(value, origin)
        for condition, text in uid.texts():
            known = {BASE64X64.character(digit).hash(): Digit(digit) for digit in (*VALUE, *ORIGIN)}
            code, read = Text([known.get(byte.hash()) or Byte(byte) for byte in text]).meaning()
            premise = claripy.And(uid.assumption, condition)
            yield Claim(
                f"{len(text)} characters, {value} of the value", premise, claripy.And(code == 0, read == uid.number)
            )


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


def compared(a, b):
    less, same, greater = (claripy.BVV(sign, 64) for sign in (-1, 0, 1))
    return claripy.If(claripy.ULT(a, b), less, claripy.If(a == b, same, greater))


def encode(machine, _):
    """`encode` prints the text of a RON UID that the specification asks for."""
    yield from texts_of_uids(machine)
    yield from refuses(machine)


def parse(machine, _):
    """`parse` of short texts accepts the grammar of RON UIDs and nothing else; the UID or the first error is right."""
    yield from digits(machine)
    yield from texts(machine)


def canonical(machine, digits):
    """`parse(encode(x)) = x` for RON UIDs. If a text has only digits and at most one sign, `parse` returns its UID, or an error if the value or the origin has 11 digits, or is left out where `encode` has it."""
    if digits == "as one":
        yield from round_trip(machine)
        return
    value = int(digits.split()[0])
    yield from parse_digits(machine, [(value, origin) for origin in (None, *range(12)) if (value, origin) != (0, None)])
