"""The texts of IDs as the specifications define them, written apart from the code that is proved.

An alphabet is its digits in order. A text is a list of bytes of 8 bits, an ID a number, most significant bit first.
"""

import claripy

from machine import choose


class Alphabet:
    def __init__(self, digits, aliases=None, ignores_case=False):
        self.digits = digits
        self.bits = (len(digits) - 1).bit_length()
        assert len(digits) == 1 << self.bits
        self.values = {character: value for value, character in enumerate(digits)}
        for alias, digit in (aliases or {}).items():
            self.values[alias] = self.values[digit]
        if ignores_case:
            for character, value in list(self.values.items()):
                self.values[character.lower()] = self.values[character.upper()] = value

    def character(self, digit):
        """The character of a digit."""
        return choose(digit, self.bits, [claripy.BVV(ord(it), 8) for it in self.digits])

    def is_digit(self, byte):
        return claripy.Or(*(byte == ord(it) for it in self.values))

    def value(self, byte):
        """The value of a character that is a digit."""
        value = claripy.BVV(0, self.bits)
        for character, it in self.values.items():
            value = claripy.If(byte == ord(character), claripy.BVV(it, self.bits), value)
        return value


# RFC 4648, sections 7 and 8.
HEX = Alphabet("0123456789abcdef", ignores_case=True)
BASE32HEX = Alphabet("0123456789ABCDEFGHIJKLMNOPQRSTUV", ignores_case=True)
# crockford.com/base32.html. The Ulid-Flake document does not list the aliases; EUID's does.
CROCKFORD = Alphabet("0123456789ABCDEFGHJKMNPQRSTVWXYZ", ignores_case=True)
CROCKFORD_ALIASED = Alphabet(
    "0123456789ABCDEFGHJKMNPQRSTVWXYZ", aliases={"I": "1", "L": "1", "O": "0"}, ignores_case=True
)
# RON: the digits in the order of ASCII.
BASE64X64 = Alphabet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~")


def text_of(number, alphabet):
    """The digits of a number, as one value of 8 bits for each."""
    count = number.size() // alphabet.bits
    assert count * alphabet.bits == number.size()
    digits = [alphabet.character(digit) for digit in pieces(number, alphabet.bits)]
    return claripy.Concat(*digits)


def number_of(text, alphabet):
    """The number of a text of digits."""
    return claripy.Concat(*(alphabet.value(byte) for byte in pieces(text, 8)))


def pieces(number, bits):
    size = number.size()
    return [claripy.Extract(top, top - bits + 1, number) for top in range(size - 1, -1, -bits)]


def first_wrong(text, alphabet):
    """Whether all characters are digits, and the position of the first that is not."""
    position = claripy.BVV(0, 64)
    all_digits = claripy.true()
    for at, byte in reversed(list(enumerate(pieces(text, 8)))):
        is_digit = alphabet.is_digit(byte)
        position = claripy.If(is_digit, position, claripy.BVV(at, 64))
        all_digits = claripy.And(is_digit, all_digits)
    return all_digits, position
