"""The values of formulas for many inputs at once.

A bit-vector is a list of arrays of 64-bit limbs, least significant first. A condition is an array of truth values. Each
array has one element for each input, or one for all.
"""

from functools import reduce

import claripy
import numpy as np

# An `If` over the bits of a number becomes a table of at most this many bits.
TABLE_BITS = 16


class Unknown(Exception):
    """The evaluation does not know an operation."""


class Formulas:
    """Formulas, ready to be computed. `quotients` are those of the paths that the formulas describe."""

    def __init__(self, formulas, quotients=()):
        self.unknowns = {}
        self._quotients = {it.high.args[0]: it for it in quotients}
        self._tables = {}
        self._steps = []
        self._places = {}
        for formula in formulas:
            self._add(formula)
        self._wanted = [self._places[formula.hash()] for formula in formulas]
        last = {place: index for index, (_, places) in enumerate(self._steps) for place in places}
        self._done = [[] for _ in self._steps]
        for place, index in last.items():
            if place not in self._wanted:
                self._done[index].append(place)

    def values(self, known):
        """The values of the formulas. `known` has the values of `unknowns`, by their names."""
        values = []
        for (step, places), done in zip(self._steps, self._done):
            values.append(step(known, *(values[place] for place in places)))
            for place in done:
                values[place] = None
        return [values[place] for place in self._wanted]

    def _add(self, formula):
        """Adds the steps for a formula after the steps for its parts."""
        stack = [formula]
        while stack:
            it = stack[-1]
            if it.hash() in self._places:
                stack.pop()
                continue
            step, parts = self._step(it)
            missing = [part for part in parts if part.hash() not in self._places]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self._places[it.hash()] = len(self._steps)
            self._steps.append((step, [self._places[part.hash()] for part in parts]))

    def _step(self, it):
        """The function that computes a formula, and the parts of whose values it is a function."""
        if it.op == "BVS":
            name = it.args[0]
            if name in self._quotients:
                quotient = self._quotients[name]
                return lambda _, value: [upper_half(value[0], quotient.factor)], [quotient.dividend]
            self.unknowns[name] = it
            return lambda known: known[name], []
        if it.op == "BVV":
            value = limbs_of(it.concrete_value, it.size())
            return lambda _: value, []
        if it.op == "BoolV":
            value = np.array([it.args[0]])
            return lambda _: value, []
        if it.op == "If" and isinstance(it, claripy.ast.BV):
            table = self._table(it)
            if table is not None:
                index, entries = table
                mask = len(entries) - 1
                bits = mask.bit_length()
                return lambda _, value: [entries[extract(value, 0, bits)[0].astype(np.intp)]], [index]
        function = _function(it)
        return lambda _, *values: function(*values), [part for part in it.args if isinstance(part, claripy.ast.Base)]

    def _table(self, formula):
        """A choice by the bits of one number among constants: the number, and all entries. Else nothing."""
        stack = [formula]
        while stack:
            it = stack[-1]
            if it.hash() in self._tables:
                stack.pop()
                continue
            bit = _tested_bit(it)
            missing = [] if bit is None else [part for part in it.args[1:] if part.hash() not in self._tables]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self._tables[it.hash()] = self._table_of(it, bit)
        return self._tables[formula.hash()]

    def _table_of(self, it, tested):
        if it.op == "BVV" and it.size() <= 64:
            return None, limbs_of(it.concrete_value, it.size())[0]
        if tested is None:
            return None
        number, bit = tested
        parts = [self._tables[part.hash()] for part in it.args[1:]]
        if any(part is None or part[0] is not None and part[0].hash() != number.hash() for part in parts):
            return None
        size = max(2 << bit, *(len(entries) for _, entries in parts))
        yes, no = (np.resize(entries, size) for _, entries in parts)
        return number, np.where(np.arange(size) >> bit & 1 == 1, yes, no)


def _tested_bit(it):
    """The number and the bit of it on which an `If` depends."""
    if it.op != "If" or it.args[0].op != "__eq__" or it.size() > 64:
        return None
    bit, one = it.args[0].args
    if bit.op != "Extract" or one.op != "BVV" or one.size() != 1 or one.concrete_value != 1:
        return None
    top, _, number = bit.args
    return (number, top) if top < TABLE_BITS else None


def count(size):
    """The number of limbs of a bit-vector."""
    return (size + 63) // 64


def limbs_of(value, size):
    """A number as limbs of one element."""
    return [np.array([value >> 64 * at & (1 << 64) - 1], np.uint64) for at in range(count(size))]


def from_bytes(rows):
    """The numbers whose bytes, most significant first, are the rows of an array."""
    size = rows.shape[1]
    padded = np.zeros((len(rows), 8 * count(8 * size)), np.uint8)
    padded[:, padded.shape[1] - size :] = rows
    words = padded.view(">u8").astype(np.uint64)
    return [np.ascontiguousarray(words[:, at]) for at in reversed(range(words.shape[1]))]


def cut(limbs, size):
    """The lowest `size` bits of a number of as many limbs."""
    if size % 64:
        limbs[-1] = limbs[-1] & ((1 << size % 64) - 1)
    return limbs


def extract(limbs, bottom, size):
    """`size` bits from the bit `bottom` on."""
    word, shift = divmod(bottom, 64)
    found = []
    for at in range(word, word + count(size)):
        limb = limbs[at]
        if shift:
            limb = limb >> shift
            if at + 1 < len(limbs):
                limb = limb | limbs[at + 1] << 64 - shift
        found.append(limb)
    return cut(found, size)


def concatenate(sizes, parts):
    """The bits of the parts, most significant first."""
    whole = [0] * count(sum(sizes))
    bottom = 0
    for size, limbs in zip(reversed(sizes), reversed(parts)):
        for at, limb in enumerate(limbs, bottom // 64):
            whole[at] = whole[at] | limb << bottom % 64
            if bottom % 64 and at + 1 < len(whole):
                whole[at + 1] = whole[at + 1] | limb >> 64 - bottom % 64
        bottom += size
    return whole


def reverse(limbs, size):
    """The bytes in the other order."""
    if size % 8:
        raise Unknown(f"Reverse of {size} bits")
    return extract([limb.byteswap() for limb in reversed(limbs)], 64 * len(limbs) - size, size)


def upper_half(value, factor):
    """The upper 64 bits of a product of 128 bits."""
    low, high = value & 0xFFFF_FFFF, value >> 32
    factor_low, factor_high = factor & 0xFFFF_FFFF, factor >> 32
    middle = high * factor_low + (low * factor_low >> 32)
    other = low * factor_high + (middle & 0xFFFF_FFFF)
    return high * factor_high + (middle >> 32) + (other >> 32)


def less(a, b):
    found = False
    for x, y in zip(a, b, strict=True):
        found = (x < y) | (x == y) & found
    return found


def shift_left(value, by, size):
    return np.where(by < size, value << np.minimum(by, 63), 0)


def shift_right(value, by, size):
    return np.where(by < size, value >> np.minimum(by, 63), 0)


def shift_right_signed(value, by, size):
    wide = (value << 64 - size).view(np.int64)
    return (wide >> (np.minimum(by, size - 1) + (64 - size)).view(np.int64)).view(np.uint64)


# Operations on bit-vectors of any size, limb by limb.
BITWISE = {"__and__": np.bitwise_and, "__or__": np.bitwise_or, "__xor__": np.bitwise_xor}
# Operations on bit-vectors of at most 64 bits. The result is cut to their size.
ARITHMETIC = {"__add__": np.add, "__sub__": np.subtract, "__mul__": np.multiply}
SHIFTS = {"__lshift__": shift_left, "LShR": shift_right}
COMPARISONS = {
    "LT": lambda a, b: less(a, b),
    "LE": lambda a, b: ~less(b, a),
    "GT": lambda a, b: less(b, a),
    "GE": lambda a, b: ~less(a, b),
}
CONNECTIVES = {"And": np.logical_and, "Or": np.logical_or}


def _function(it):
    """The function from the values of the parts of a formula to the value of the formula."""
    op = it.op
    parts = [part for part in it.args if isinstance(part, claripy.ast.Base)]
    sizes = [part.size() if isinstance(part, claripy.ast.BV) else None for part in parts]
    if op == "If":
        if isinstance(it, claripy.ast.BV):
            return lambda when, yes, no: [np.where(when, a, b) for a, b in zip(yes, no, strict=True)]
        return np.where
    if op == "Not":
        return np.logical_not
    if op in CONNECTIVES:
        return lambda *conditions: reduce(CONNECTIVES[op], conditions)
    if sizes == [None, None] and op in ("__eq__", "__ne__"):
        return np.equal if op == "__eq__" else np.not_equal
    if None in sizes:
        raise Unknown(f"{op} of conditions")
    if op == "Extract":
        return lambda value: extract(value, it.args[1], it.size())
    if op == "Concat":
        return lambda *values: concatenate(sizes, values)
    if op == "ZeroExt":
        return lambda value: concatenate([it.args[0], *sizes], [limbs_of(0, it.args[0]), value])
    if op == "Reverse":
        return lambda value: reverse(value, it.size())
    if op in BITWISE:
        return lambda *values: [reduce(BITWISE[op], limbs) for limbs in zip(*values, strict=True)]
    if op == "__invert__":
        return lambda value: cut([~limb for limb in value], it.size())
    if op == "__eq__":
        return lambda a, b: reduce(np.logical_and, [x == y for x, y in zip(a, b, strict=True)])
    if op == "__ne__":
        return lambda a, b: reduce(np.logical_or, [x != y for x, y in zip(a, b, strict=True)])
    if op[0] == "U" and op[1:] in COMPARISONS:
        return COMPARISONS[op[1:]]
    return _narrow(it, op, sizes)


def _narrow(it, op, sizes):
    """`_function` for the operations on at most 64 bits."""
    size = sizes[0]
    if max(sizes) > 64:
        raise Unknown(f"{op} of {max(sizes)} bits")
    if op in ARITHMETIC:
        return lambda *values: cut([reduce(ARITHMETIC[op], (value[0] for value in values))], size)
    if op == "__neg__":
        return lambda value: cut([0 - value[0]], size)
    if op in SHIFTS:
        return lambda value, by: cut([SHIFTS[op](value[0], by[0], size)], size)
    if op == "__rshift__":
        return lambda value, by: cut([shift_right_signed(value[0], by[0], size)], size)
    sign = 1 << size - 1
    if op == "SignExt" and it.size() <= 64:
        return lambda value: cut([(value[0] ^ sign) - sign], it.size())
    if op[0] == "S" and op[1:] in COMPARISONS:
        return lambda a, b: COMPARISONS[op[1:]]([a[0] ^ sign], [b[0] ^ sign])
    raise Unknown(f"{op} of {sizes} bits")
