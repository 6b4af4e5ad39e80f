"""The theorems about the texts of IDs."""

import claripy

import grammar
from decide import Claim
from divisions import check_of_euids
from machine import Call, Out, Quotient

ROOM = 48
WHOLE = "no input panics, or reads or writes outside of an array"
NO_POSITION = (1 << 56) - 1
LENGTH, CHARACTER, OVERFLOW, CHECK, SIGN = 1, 2, 3, 4, 5


def error(kind, position=None):
    if position is None:
        return claripy.BVV(NO_POSITION << 8 | kind, 64)
    return position << 8 | kind


class Form:
    """A text of a fixed length whose characters are the digits of the ID."""

    def __init__(self, name, size, length, alphabet, suffix=""):
        self.name, self.size, self.length, self.alphabet = name, size, length, alphabet
        self.quotients = []
        self.encode, self.parse, self.compare = f"{name}_encode{suffix}", f"{name}_parse", f"{name}_compare"

    def is_id(self, number):
        return claripy.true()

    def text(self, number):
        """The text of an ID."""
        return grammar.text_of(number, self.alphabet)

    def parsed(self, text):
        """What the parser has to return: the ID, and the errors, of which the first that applies counts."""
        are_digits, wrong = grammar.first_wrong(text, self.alphabet)
        return grammar.number_of(text, self.alphabet), [(claripy.Not(are_digits), error(CHARACTER, wrong))]

    def divides(self, call, number, when):
        return [], claripy.true()

    def assumed(self):
        return claripy.true()

    def proved(self, printed, number, parsed, text):
        """What the round trip takes from the theorems of `encode` and `parse`, so that the solvers are quick enough."""
        return claripy.true()

    def prints(self, call, number):
        """`encode` prints the digits that the specification asks for."""
        text = self.text(number)
        return call.always(lambda path: claripy.And(path.result == self.length, path.outputs[0] == text))

    def reads(self, call, text):
        """`parse` returns the ID of the text, or the first error."""
        number, errors = self.parsed(text)

        def is_right(path):
            returns = claripy.And(path.result == 0, path.outputs[0] == number)
            for condition, code in reversed(errors):
                returns = claripy.If(condition, path.result == code, returns)
            return returns

        return call.always(is_right)


class UlidFlake(Form):
    def is_id(self, number):
        return number[63:63] == 0

    def text(self, number):
        return grammar.text_of(claripy.Concat(claripy.BVV(0, 1), number), self.alphabet)

    def parsed(self, text):
        number, errors = super().parsed(text)
        return number[63:0], [*errors, (number[64:63] != 0, error(OVERFLOW))]


class Euid(Form):
    def check(self, number):
        """The remainder of the number by 127. `check_of_euids` proves that the sum of its 56-bit digits has it."""
        return self.quotient(number).rest[6:0]

    def quotient(self, number):
        for known, quotient in self.quotients:
            if known is number:
                return quotient
        digits = [number[55:0], number[111:56], number[127:112]]
        total = sum((claripy.ZeroExt(64 - it.size(), it) for it in digits[1:]), claripy.ZeroExt(8, digits[0]))
        quotient = Quotient(127, total, claripy.BVS("by_127", 64))
        self.quotients.append((number, quotient))
        return quotient

    def text(self, number):
        return grammar.text_of(claripy.Concat(number, self.check(number)), self.alphabet)

    def parsed(self, text):
        number, errors = super().parsed(text)
        number, check = number[134:7], number[6:0]
        is_wrong = claripy.And(check != 127, check != self.check(number))
        return number, [*errors, (is_wrong, error(CHECK))]

    def divides(self, call, number, when):
        """The code divides the sum of the digits of `number`: to be proved, and what follows."""
        ours = self.quotient(number)
        theirs = list({it.quotient.hash(): it for it in call.quotients}.values())
        same = claripy.And(claripy.true(), *(it.dividend == ours.dividend for it in theirs))
        follows = claripy.And(claripy.true(), *(it.quotient == ours.quotient for it in theirs))
        premise = claripy.And(when, Quotient.are_functions(theirs))
        claims = [Claim("the remainder is that of the sum of its digits", premise, same, [call])] if theirs else []
        claims += check_of_euids()
        return claims, claripy.Or(claripy.Not(when), follows)

    def proved(self, printed, number, parsed, text):
        return claripy.And(self.prints(printed, number), self.reads(parsed, text))

    def assumed(self):
        """Each quotient is one, and equal numbers have equal quotients."""
        return claripy.And(
            claripy.true(),
            *(it.definition for _, it in self.quotients),
            *(
                claripy.Or(number != other, it.quotient == quotient.quotient)
                for at, (number, it) in enumerate(self.quotients)
                for other, quotient in self.quotients[:at]
            ),
        )


class EuidWithoutCheck(Euid):
    def text(self, number):
        return grammar.text_of(claripy.Concat(number, claripy.BVV(127, 7)), self.alphabet)


FORMS = {
    "ulid-flake": UlidFlake("ulid_flake", 8, 13, grammar.CROCKFORD),
    "scru160": Form("scru160", 20, 32, grammar.BASE32HEX),
    "scru160 in hex": Form("scru160", 20, 40, grammar.HEX, "_hex"),
    "euid": Euid("euid", 16, 27, grammar.CROCKFORD_ALIASED),
    "euid without a check": EuidWithoutCheck("euid", 16, 27, grammar.CROCKFORD_ALIASED, "_without_check"),
    "evently-id": Form("evently_id", 16, 32, grammar.HEX),
}


def unknown(form):
    return claripy.BVS("id", 8 * form.size)


def call_encode(machine, form, number):
    return Call(machine, form.encode, number, Out(form.length), assumption=form.is_id(number))


def call_parse(machine, form, text):
    room = claripy.Concat(text, claripy.BVV(0, 8 * ROOM - text.size()))
    return Call(machine, form.parse, room, text.size() // 8, Out(form.size))


def encode(machine, subject):
    """`encode` prints the digits that the specification asks for."""
    form = FORMS[subject]
    number = unknown(form)
    call = call_encode(machine, form, number)
    yield Claim(WHOLE, form.is_id(number), call.is_whole(), [call])
    claims, divides = form.divides(call, number, claripy.true())
    yield from claims
    yield Claim("the text is right", claripy.And(form.assumed(), divides), form.prints(call, number), [call])


def parse(machine, subject):
    """`parse` accepts the grammar and nothing else; the ID and the first error are right."""
    form = FORMS[subject]
    text = claripy.BVS("text", 8 * form.length)
    call = call_parse(machine, form, text)
    number, errors = form.parsed(text)
    yield Claim(WHOLE, claripy.true(), call.is_whole(), [call])
    claims, divides = form.divides(call, number, claripy.Not(errors[0][0]))
    yield from claims

    yield Claim("the ID or the error is right", claripy.And(form.assumed(), divides), form.reads(call, text), [call])


def lengths(machine, subject):
    """A text of another length is the error `Length`."""
    form = FORMS[subject]
    others = {other.length for other in FORMS.values() if other.name == form.name}
    for length in range(ROOM + 1):
        if length not in others:
            room = claripy.BVS("text", 8 * ROOM)
            call = Call(machine, form.parse, room, length, Out(form.size))
            refuses = call.always(lambda path: path.result == error(LENGTH))
            yield Claim(f"{length} bytes", claripy.true(), claripy.And(call.is_whole(), refuses), [call])


def round_trip(machine, subject):
    """`parse(encode(x)) == x`, and `encode(parse(t))` is the canonical form of `t`: on the machine code of both."""
    form = FORMS[subject]
    number = unknown(form)
    printed = call_encode(machine, form, number)
    text = claripy.BVS("text", 8 * form.length)
    parsed = call_parse(machine, form, text)
    read, errors = form.parsed(text)
    # The claims about divisions are part of the theorems of `encode` and `parse`.
    divides = claripy.And(
        form.divides(printed, number, claripy.true())[1], form.divides(parsed, read, claripy.Not(errors[0][0]))[1]
    )
    returns = claripy.And(*(
        claripy.Or(
            claripy.Not(claripy.And(a.condition, b.condition, text == a.outputs[0])),
            claripy.And(b.result == 0, b.outputs[0] == number),
        )
        for a in printed.paths for b in parsed.paths
    ))
    proved = form.proved(printed, number, parsed, text)
    premise = claripy.And(form.assumed(), divides, proved)
    yield Claim("parse(encode(x)) = x", premise, returns, [printed, parsed])
    canonical = form.text(read)
    again = claripy.And(*(
        claripy.Or(
            claripy.Not(claripy.And(b.condition, a.condition, b.result == 0, number == b.outputs[0])),
            a.outputs[0] == canonical,
        )
        for a in printed.paths for b in parsed.paths
    ))
    yield Claim("encode(parse(t)) is canonical", premise, again, [printed, parsed])


def order(machine, subject):
    """Two IDs compare as their bytes and as their texts do."""
    form = FORMS[subject]
    a, b = unknown(form), unknown(form)
    call = Call(machine, form.compare, a, b)
    both = claripy.And(form.is_id(a), form.is_id(b))
    sign = claripy.If(claripy.ULT(a, b), claripy.BVV(-1, 64), claripy.If(a == b, claripy.BVV(0, 64), claripy.BVV(1, 64)))
    yield Claim(WHOLE, both, call.is_whole(), [call])
    yield Claim("as the bytes", both, call.always(lambda path: path.result == sign), [call])
    same = claripy.ULT(form.text(a), form.text(b)) == claripy.ULT(a, b)
    yield Claim("as the texts", claripy.And(both, form.assumed()), same)
