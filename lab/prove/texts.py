"""The theorems about the texts of IDs."""

import claripy

import grammar
from decide import Claim, sum_of_digits
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


class UlidFlake(Form):
    def is_id(self, number):
        return number[63:63] == 0

    def text(self, number):
        return grammar.text_of(claripy.Concat(claripy.BVV(0, 1), number), self.alphabet)

    def parsed(self, text):
        number, errors = super().parsed(text)
        return number[63:0], [*errors, (number[64:63] != 0, error(OVERFLOW))]


class Euid(Form):
    def quotient(self, number):
        """The remainder is the check. `sum_of_digits` proves that the sum of the number's 56-bit digits has it."""
        for known, quotient in self.quotients:
            if known is number:
                return quotient
        digits = [number[55:0], number[111:56], number[127:112]]
        total = sum((claripy.ZeroExt(64 - it.size(), it) for it in digits[1:]), claripy.ZeroExt(8, digits[0]))
        quotient = Quotient(127, total, claripy.BVS("by_127", 64))
        self.quotients.append((number, quotient))
        return quotient

    def text(self, number):
        return grammar.text_of(claripy.Concat(number, self.quotient(number).rest[6:0]), self.alphabet)

    def parsed(self, text):
        number, errors = super().parsed(text)
        number, check = number[134:7], number[6:0]
        is_wrong = claripy.And(check != 127, check != self.quotient(number).rest[6:0])
        return number, [*errors, (is_wrong, error(CHECK))]

    def divides(self, call, number, when):
        """The code divides the sum of the digits of `number`: to be proved, and what follows."""
        ours = self.quotient(number)
        theirs = list({it.quotient.hash(): it for it in call.quotients}.values())
        same = claripy.And(claripy.true(), *(it.dividend == ours.dividend for it in theirs))
        follows = claripy.And(claripy.true(), *(it.quotient == ours.quotient for it in theirs))
        premise = claripy.And(when, Quotient.are_functions(theirs))
        claims = [Claim("the remainder is that of the sum of its digits", premise, same, [call])] if theirs else []
        claims += sum_of_digits()
        return claims, claripy.Or(claripy.Not(when), follows)

    def assumed(self):
        """Each quotient is one, and equal numbers have equal quotients."""
        return Quotient.are_functions([quotient for _, quotient in self.quotients])


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


def encode(machine, subject):
    """`encode` prints the digits that the specification asks for."""
    form = FORMS[subject]
    number = unknown(form)
    call = Call(machine, form.encode, number, Out(form.length), assumption=form.is_id(number))
    yield Claim(WHOLE, form.is_id(number), call.is_whole(), [call])
    claims, divides = form.divides(call, number, claripy.true())
    yield from claims
    text = form.text(number)
    is_right = call.always(lambda path: claripy.And(path.result == form.length, path.outputs[0] == text))
    yield Claim("the text is right", claripy.And(form.assumed(), divides), is_right, [call])


def parse(machine, subject):
    """`parse` accepts the grammar and nothing else; the ID and the first error are right, and `parse(encode(x)) = x`."""
    form = FORMS[subject]
    text = claripy.BVS("text", 8 * form.length)
    room = claripy.Concat(text, claripy.BVV(0, 8 * ROOM - text.size()))
    call = Call(machine, form.parse, room, form.length, Out(form.size))
    number, errors = form.parsed(text)
    yield Claim(WHOLE, claripy.true(), call.is_whole(), [call])
    claims, divides = form.divides(call, number, claripy.Not(errors[0][0]))
    yield from claims

    def is_right(path):
        returns = claripy.And(path.result == 0, path.outputs[0] == number)
        for condition, code in reversed(errors):
            returns = claripy.If(condition, path.result == code, returns)
        return returns

    yield Claim("the ID or the error is right", claripy.And(form.assumed(), divides), call.always(is_right), [call])
    # The theorem `encode` says that this is the text of the ID.
    it = unknown(form)
    read, errors = form.parsed(form.text(it))
    same = claripy.And(read == it, *(claripy.Not(condition) for condition, _ in errors))
    yield Claim("parse(encode(x)) = x", claripy.And(form.is_id(it), form.assumed()), same)


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


def order(machine, subject):
    """Two IDs compare as their bytes and as their texts do."""
    form = FORMS[subject]
    a, b = unknown(form), unknown(form)
    call = Call(machine, form.compare, a, b)
    both = claripy.And(form.is_id(a), form.is_id(b))
    yield Claim(WHOLE, both, call.is_whole(), [call])
    yield Claim("as the bytes", both, call.always(lambda path: path.result == compared(a, b)), [call])
    same = claripy.ULT(form.text(a), form.text(b)) == claripy.ULT(a, b)
    yield Claim("as the texts", claripy.And(both, form.assumed()), same)


def compared(a, b):
    """What the order of two numbers is: -1, 0 or 1."""
    less, same, greater = (claripy.BVV(sign, 64) for sign in (-1, 0, 1))
    return claripy.If(claripy.ULT(a, b), less, claripy.If(a == b, same, greater))
