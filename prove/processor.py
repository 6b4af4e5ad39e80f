"""The reading of the machine code is checked against this processor.

The proofs trust that `machine` reads each instruction as the processor executes it. `check` computes the formulas of a
function for many inputs, calls the function with the same inputs, and compares what it returns and writes.
"""

import ctypes

import claripy
import numpy as np

from evaluate import Formulas, from_bytes
from machine import Call, Out
from texts import FORMS, ROOM

CHUNK = 16384
# The part of the inputs of a parser whose length no text has.
OTHER_LENGTHS = 0.1


class Differs(Exception):
    """The processor does not do what the formulas say."""


class Function:
    """A function of the library, called through its address."""

    def __init__(self, library, name):
        self.name = name
        self._function = getattr(library, name)
        self._function.restype = ctypes.c_uint64

    def __call__(self, *arguments):
        """What the function returns for each input. An argument is a number, or an array of a row of bytes for each."""
        rows = next(len(it) for it in arguments if not isinstance(it, int))
        self._function.argtypes = [ctypes.c_uint64] * len(arguments)
        columns = []
        for it in arguments:
            if isinstance(it, int):
                columns.append([it] * rows)
            else:
                assert it.flags.c_contiguous and it.dtype == np.uint8 and len(it) == rows
                size, start = it.shape[1], it.ctypes.data
                columns.append(range(start, start + rows * size, size) if size else [start] * rows)
        return np.fromiter(map(self._function, *columns), np.uint64, rows)


class Comparison:
    """The formulas of a function for one form of its arguments, next to the function."""

    def __init__(self, machine, function, arguments):
        self.function = function
        self.call = Call(machine, function.name, *arguments)
        self.arguments = arguments
        self.taken = [0] * len(self.call.paths)
        self.state([[path.condition, path.result, *path.outputs] for path in self.call.paths])

    def state(self, formulas):
        """Sets the formulas of each path: its condition, its result and its outputs."""
        self.stated = formulas
        self.formulas = Formulas([it for path in formulas for it in path], self.call.quotients)

    def compare(self, random, inputs):
        """Compares all inputs. `inputs` has an array with a row of bytes for each formula of the arguments."""
        for start in range(0, len(inputs[0]), CHUNK):
            self._compare(random, [np.ascontiguousarray(rows[start : start + CHUNK]) for rows in inputs])

    def _compare(self, random, inputs):
        rows = len(inputs[0])
        rest = iter(inputs)
        passed, known, before = [], {}, []
        for index, argument in enumerate(self.arguments, 1):
            if isinstance(argument, int):
                passed.append(argument)
            elif isinstance(argument, Out):
                content = random.integers(0, 256, (rows, argument.size), np.uint8)
                before.append((self.call.address(index - 1), content.copy()))
                passed.append(content)
            else:
                passed.append(next(rest))
                known[argument.args[0]] = from_bytes(passed[-1])
        for name, unknown in self.formulas.unknowns.items():
            if name not in known:
                known[name] = _memory(random, name, unknown.size() // 8, before, rows)
        values = iter(self.formulas.values(known))
        outs = [it for it, argument in zip(passed, self.arguments) if isinstance(argument, Out)]
        paths = [(path, next(values), next(values), [next(values) for _ in outs]) for path in self.call.paths]
        for path, taken, _, _ in paths:
            if path.panics and taken.any():
                raise self._differs("the formulas say that it panics", np.broadcast_to(taken, rows), inputs)
        results = self.function(*passed)
        written = [from_bytes(it) for it in outs]
        ways = np.zeros(rows, int)
        for index, (_, taken, result, outputs) in enumerate(paths):
            ways += taken
            self.taken[index] += int(np.broadcast_to(taken, rows).sum())
            is_same = result[0] == results
            for ours, theirs in zip(outputs, written, strict=True):
                for a, b in zip(ours, theirs, strict=True):
                    is_same = is_same & (a == b)
            if (taken & ~is_same).any():
                raise self._differs("it returns or writes something else", taken & ~is_same, inputs)
        if (ways != 1).any():
            raise self._differs("it takes no path, or more than one", ways != 1, inputs)

    def _differs(self, what, where, inputs):
        at = int(np.argmax(where))
        numbers = [it for it in self.arguments if isinstance(it, int)]
        return Differs(f"{self.function.name}: {what}, for {[it[at].tobytes() for it in inputs]} {numbers or ''}")


def _memory(random, name, size, before, rows):
    """The bytes in memory before the call. What is not in a buffer can be anything."""
    kind, address, *_ = name.split("_")
    if kind != "mem":
        raise Differs(f"the formulas have an unknown {name}")
    offset = int(address, 16)
    for start, content in before:
        if start <= offset and offset + size <= start + content.shape[1]:
            return from_bytes(content[:, offset - start : offset - start + size])
    return from_bytes(random.integers(0, 256, (rows, size), np.uint8))


def ids(random, count, size):
    """IDs: a half of random bytes, a half with many bytes 00 and ff."""
    rows = random.integers(0, 256, (count, size), np.uint8)
    extreme = random.choice(np.array([0, 255], np.uint8), (count, size))
    is_extreme = random.random((count, size)) < random.random((count, 1))
    is_extreme[: count // 2] = False
    return np.where(is_extreme, extreme, rows)


def pairs(random, count, size):
    """Pairs of IDs: a half apart, the others equal or with a difference in one byte or one bit."""
    a = ids(random, count, size)
    b = random.permutation(a)
    near = np.arange(count) % 2 == 0
    b[near] = a[near]
    at = random.integers(0, size, count)
    bit = np.uint8(1) << random.integers(0, 8, count, np.uint8)
    byte = random.integers(0, 256, count, np.uint8)
    change = random.choice([0, 1, 2], count)
    changes = np.where(change == 0, 0, np.where(change == 1, bit, byte)).astype(np.uint8)
    b[np.arange(count), at] ^= np.where(near, changes, 0).astype(np.uint8)
    return a, b


def parsed(random, count, length, forms, encoders):
    """Texts for a parser, with room after them. The library prints a half, of which many are then changed.

    The others are random digits and bytes.
    """
    rooms = random.integers(0, 256, (count, ROOM), np.uint8)
    if length == 0:
        return rooms
    digits = np.frombuffer("".join(forms[0].alphabet.values).encode(), np.uint8)
    rows = rooms[:, :length]
    parts = np.array_split(np.arange(count), 2 * len(encoders)) if encoders else []
    for part, encoder in zip(parts, encoders):
        printed = np.zeros((len(part), length), np.uint8)
        encoder(ids(random, len(part), forms[0].size), printed)
        rows[part] = printed
    others = np.arange(sum(map(len, parts[: len(encoders)])), count)
    is_digit = random.random((len(others), length)) < random.choice([0, 0.5, 0.95, 1], (len(others), 1))
    rows[others] = np.where(is_digit, random.choice(digits, (len(others), length)), rows[others])
    for _ in range(2):
        at = random.integers(0, length, count)
        kind = random.integers(0, 6, count)
        old = rows[np.arange(count), at]
        new = np.select(
            [kind == 0, kind == 1, kind == 2],
            [random.integers(0, 256, count, np.uint8), random.choice(digits, count), old ^ 0x20],
            old,
        )
        rows[np.arange(count), at] = new
    return rooms


def functions():
    """The names of the functions that `check` knows."""
    names = [name for form in FORMS.values() for name in (form.encode, form.parse, form.compare)]
    return [*dict.fromkeys(names), "euid_check"]


def comparisons(machine, library, name, count, random):
    """What `check` compares: each form of the arguments of a function, with inputs."""
    function = Function(library, name)
    if name == "euid_check":
        yield Comparison(machine, function, [claripy.BVS("id", 128)]), [ids(random, count, 16)]
    forms = [form for form in FORMS.values() if name in (form.encode, form.parse, form.compare)]
    if not forms:
        return
    size = forms[0].size
    if name == forms[0].encode:
        arguments = [claripy.BVS("id", 8 * size), Out(forms[0].length)]
        yield Comparison(machine, function, arguments), [ids(random, count, size)]
    elif name == forms[0].compare:
        arguments = [claripy.BVS("a", 8 * size), claripy.BVS("b", 8 * size)]
        yield Comparison(machine, function, arguments), pairs(random, count, size)
    else:
        lengths = sorted({form.length for form in forms})
        others = sorted({0, 1, ROOM, *(it + 1 for it in lengths), *(it - 1 for it in lengths)} - set(lengths))
        few = int(OTHER_LENGTHS * count) // len(others)
        shares = dict.fromkeys(others, few)
        for at, length in enumerate(lengths):
            shares[length] = (count - few * len(others) + at) // len(lengths)
        for length, share in shares.items():
            encoders = [Function(library, form.encode) for form in forms if form.length == length]
            arguments = [claripy.BVS("text", 8 * ROOM), length, Out(size)]
            yield Comparison(machine, function, arguments), [parsed(random, share, length, forms, encoders)]


def check(machine, library, name, count, seed):
    """Compares a function of a library with its formulas for `count` random inputs, or raises `Differs`."""
    random = np.random.default_rng(seed)
    compared = 0
    for comparison, inputs in comparisons(machine, library, name, count, random):
        comparison.compare(random, inputs)
        compared += len(inputs[0])
    return compared
