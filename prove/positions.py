"""The theorems about the positions of IDs, and about generators.

A position is a tick of the clock, and a count that orders the IDs of a tick. A generator takes one position after the other.
"""

import claripy

from decide import Claim
from machine import Call, Out, Quotient, Value
from texts import WHOLE

DONE, BAD_ID, NONE, NO_RANDOM_BYTES = 0, 2, 3, 4
ROLLBACK, EXHAUSTED, OUT_OF_RANGE, ENTROPY = 16, 17, 18, 19
UNLIMITED = (1 << 32) - 1


def byte(value):
    return claripy.BVV(value, 8)


def number(formula, bits=64):
    """The formula with zeros in front."""
    return claripy.ZeroExt(bits - formula.size(), formula)


def within(low, value, high):
    return claripy.And(claripy.ULE(low, value), claripy.ULE(value, high))


def less(a, b):
    """Whether the position `a` is before `b`."""
    return claripy.Or(claripy.ULT(a[0], b[0]), claripy.And(a[0] == b[0], claripy.ULT(a[1], b[1])))


class Order:
    """The order of the IDs of a specification, with options that have any values of their range."""

    # The bytes of an ID, the random bytes that it takes, and those that are given to a generator.
    size = id_random = drawn = 0
    last_tick = 0
    first_tick = 0
    micros_in_a_tick = 1000
    epoch = claripy.BVV(0, 64)
    are_options = claripy.true()

    def options(self, *parts):
        taken = sum(part.size() for part in parts)
        middle = [claripy.BVV(0, 128 - taken)] if taken < 128 else []
        return claripy.Concat(*parts[:-1], *middle, parts[-1])

    def is_tick(self, tick):
        return within(self.first_tick, tick, self.last_tick)

    def is_id(self, it):
        return claripy.true()

    def is_position(self, tick, count):
        return claripy.And(self.is_tick(tick), self.is_count(count))

    def is_start(self, tick, micros):
        """Whether the tick contains the time, in microseconds since 1970."""
        start = (number(tick, 80) + number(self.epoch, 80)) * self.micros_in_a_tick
        micros = number(micros, 80)
        return within(start, micros, start + (self.micros_in_a_tick - 1))


class Scru160(Order):
    function, size, id_random, drawn = "scru160", 20, 12, 14

    def __init__(self, has_micros):
        self.name = f"scru160 with a {'microsecond' if has_micros else 'millisecond'} counter"
        self.has_micros = has_micros
        self.start, self.extension, self.node_bits = (claripy.BVS(it, 8) for it in ("start", "extension", "node_bits"))
        self.node = claripy.BVS("node", 16)
        ours = (byte(int(has_micros)), self.start, self.extension, self.node_bits, self.node)
        self.passed = self.options(*ours, byte(0))
        self.are_options = claripy.And(
            claripy.ULE(self.start, 5 if has_micros else 15),
            claripy.ULE(self.extension, 16),
            claripy.ULE(self.node_bits, 16 - self.extension),
            claripy.ULT(number(self.node), 1 << number(self.node_bits)),
        )
        self.first_tick, self.last_tick = (1000, ((1 << 48) - 1) * 1000 - 1) if has_micros else (1, (1 << 48) - 2)
        self.micros_in_a_tick = 1 if has_micros else 1000

    def is_count(self, count):
        return claripy.ULT(count, 1 << number(self.extension) + (6 if self.has_micros else 16))

    def is_right(self, it, tick, count, random):
        timestamp, counter, random16 = it[159:112], it[111:96], it[95:80]
        extension, node_bits = number(self.extension), number(self.node_bits)
        counted = claripy.LShR(count, extension)
        if self.has_micros:
            time = claripy.And(
                number(timestamp) * 1000 + number(counter[15:6]) == tick,
                claripy.ULT(counter[15:6], 1000),
                number(counter[5:0]) == counted,
            )
        else:
            time = claripy.And(number(timestamp) == tick, number(counter) == counted)
        left = 16 - extension - node_bits
        parts = (
            (count & (1 << extension) - 1) << 16 - extension
            | number(self.node) << left
            | number(random[95:80]) & (1 << left) - 1
        )
        return claripy.And(time, number(random16) == parts, it[79:0] == random[79:0])

    def tick_of(self, it):
        timestamp, counter = number(it[159:112]), it[111:96]
        return timestamp * 1000 + number(counter[15:6]) if self.has_micros else timestamp

    def next(self, tick, count, random):
        is_last = claripy.Not(self.is_count(count + 1))
        return tick, count + 1, [(is_last, NONE)]

    fields = [(159, 112), (111, 96), (95, 80), (79, 64), (63, 0)]
    widths = [48, 16, 16, 80]


class Euid(Order):
    function, size, id_random, drawn, last_tick = "euid", 16, 4, 10, (1 << 45) - 1
    name = "euid"

    def __init__(self):
        self.bits, self.value = claripy.BVS("extension_bits", 8), claripy.BVS("extension", 16)
        self.passed = self.options(self.bits, self.value, byte(0))
        self.are_options = claripy.And(
            claripy.ULE(self.bits, 15), claripy.ULT(number(self.value), 1 << number(self.bits))
        )

    def is_count(self, count):
        mask = (1 << number(self.bits)) - 1
        return claripy.And(claripy.ULT(count, 1 << 47), claripy.LShR(count, 32) & mask == number(self.value))

    def is_right(self, it, tick, count, random):
        return it == claripy.Concat(tick[44:0], count[46:32], self.bits[3:0], count[31:0], random)

    def tick_of(self, it):
        return number(it[127:83])

    def next(self, tick, count, random):
        return tick, count + 1, [(count[31:0] == (1 << 32) - 1, NONE)]

    widths = [45, 15, 0, 4, 0, 32, 32]


class UlidFlake(Order):
    function, size, last_tick, count_bits = "ulid_flake", 8, (1 << 43) - 1, 20
    draws = 64

    def __init__(self, step_bytes):
        self.name = f"{self.function} with steps of {step_bytes} bytes"
        self.step_bytes, self.drawn = step_bytes, 192
        self.epoch = claripy.BVS("epoch", 64)
        self.are_options = claripy.And(
            claripy.ULE(self.epoch, ((1 << 64) - 1) // 1000 - (1 << 43)), *self.node_is_option()
        )
        self.passed = self.options(byte(step_bytes), *self.node_option(), self.epoch)

    def node_option(self):
        return []

    def node_is_option(self):
        return []

    def low(self):
        return []

    def is_id(self, it):
        return it[63:63] == 0

    def is_count(self, count):
        return claripy.ULT(count, 1 << self.count_bits)

    def is_right(self, it, tick, count, random):
        return it == claripy.Concat(claripy.BVV(0, 1), tick[42:0], count[self.count_bits - 1 : 0], *self.low())

    def tick_of(self, it):
        return number(it[62:20])

    def next(self, tick, count, random):
        """The step is the first that is not 0."""
        bits, size = 8 * self.step_bytes, random.size()
        steps = [random[size - 1 - at * bits : size - (at + 1) * bits] for at in range(self.draws)]
        step = claripy.BVV(0, bits)
        for it in reversed(steps):
            step = claripy.If(it == 0, step, it)
        after = count + number(step)
        return tick, after, [(step == 0, NO_RANDOM_BYTES), (claripy.Not(self.is_count(after)), NONE)]

    widths = [0, 1, 43, 20]


class Scalable(UlidFlake):
    function, count_bits = "scalable", 15

    def node_option(self):
        self.node = claripy.BVS("node", 8)
        return [self.node]

    def node_is_option(self):
        return []

    def low(self):
        return [self.node[4:0]]


class EventId(Order):
    function, size, drawn, last_tick, micros_in_a_tick = "evently_id", 16, 1, (1 << 64) - 1, 1
    name = "evently-id"

    def __init__(self):
        self.ledger = claripy.BVS("ledger", 32)
        self.passed = self.options(self.ledger, byte(0))

    def is_count(self, count):
        return count == 0

    def is_right(self, it, tick, count, random):
        return it == claripy.Concat(tick, claripy.BVV(0, 32), self.ledger)

    def tick_of(self, it):
        return it[127:64]

    def next(self, tick, count, random):
        return tick + 1, count, [(tick == (1 << 64) - 1, NONE)]

    widths = [64, 32, 32, 0]


ORDERS = {
    it.name: it
    for it in (
        Scru160(False), Scru160(True), Euid(), *(UlidFlake(n) for n in (1, 2, 3)), *(Scalable(n) for n in (1, 2)), EventId()
    )
}


def unknown(order, suffix=""):
    return Value(claripy.BVS("tick" + suffix, 64)), Value(claripy.BVS("count" + suffix, 64))


def random_bytes(count):
    return claripy.BVS("random", 8 * max(count, 1))


def pair(output):
    """The tick and the count that a function writes."""
    return output[127:64].reversed, output[63:0].reversed


def call_id(machine, order, tick, count, random, assumption):
    rollbacks = Value(claripy.BVS("rollbacks", 16))
    arguments = (order.passed, tick, count, rollbacks, random, Out(order.size))
    return Call(machine, f"{order.function}_id", *arguments, assumption=assumption)


def next_position(machine, order):
    """The next position is the one that the specification asks for: greater than the last, or none.

    The ticks are all numbers of 64 bits, because an ID of any time can be the last one.
    """
    tick, count = unknown(order)
    random = random_bytes(order.drawn)
    premise = claripy.And(order.are_options, order.is_count(count.formula))
    function = f"{order.function}_next_position"
    call = Call(machine, function, order.passed, tick, count, random, Out(16), assumption=premise)
    yield Claim(WHOLE, premise, call.is_whole(), [call])
    last = tick.formula, count.formula

    def ascends(path):
        after = pair(path.outputs[0])
        is_next = claripy.And(less(last, after), order.is_count(after[1]))
        return claripy.Or(claripy.And(path.result == DONE, is_next), path.result == NONE, path.result == NO_RANDOM_BYTES)

    def is_right(path):
        next_tick, next_count, errors = order.next(*last, random)
        after = pair(path.outputs[0])
        returns = claripy.And(path.result == DONE, after[0] == next_tick, after[1] == next_count)
        for condition, code in reversed(errors):
            returns = claripy.If(condition, path.result == code, returns)
        return returns

    yield Claim("the next position is greater, and in its range", premise, call.always(ascends), [call])
    yield Claim("the next position is right", premise, call.always(is_right), [call])


def ids(machine, order):
    """The ID at a position has the fields that the specification asks for, and no other position has it."""
    tick, count = unknown(order)
    random = random_bytes(order.id_random)
    premise = claripy.And(order.are_options, order.is_position(tick.formula, count.formula))
    call = call_id(machine, order, tick, count, random, premise)
    yield Claim(WHOLE, premise, call.is_whole(), [call])

    def is_right(path):
        right = order.is_right(path.outputs[0], tick.formula, count.formula, random)
        return claripy.And(path.result == DONE, right)

    yield Claim("the fields are right", premise, call.always(is_right), [call])
    made = claripy.BVS("id", 8 * order.size)
    read = Call(machine, f"{order.function}_position", order.passed, made, Out(16), assumption=order.are_options)
    yield Claim(
        "reading " + WHOLE, claripy.And(order.are_options, order.is_id(made)), read.is_whole(), [read]
    )
    returns = claripy.And(*(
        claripy.Or(
            claripy.Not(claripy.And(a.condition, b.condition, made == a.outputs[0])),
            claripy.And(b.result == DONE, pair(b.outputs[0])[0] == tick.formula, pair(b.outputs[0])[1] == count.formula),
        )
        for a in call.paths for b in read.paths
    ))
    yield Claim("position(id(p)) = p", premise, returns, [call, read])


def order(machine, order):
    """IDs of two positions are in the order of the positions, whatever their random bytes are."""
    a, b = unknown(order), unknown(order)
    calls = []
    premise = order.are_options
    for tick, count in (a, b):
        is_position = order.is_position(tick.formula, count.formula)
        premise = claripy.And(premise, is_position)
        assumption = claripy.And(order.are_options, is_position)
        calls.append(call_id(machine, order, tick, count, random_bytes(order.id_random), assumption))
    before = less((a[0].formula, a[1].formula), (b[0].formula, b[1].formula))
    ascends = claripy.And(*(
        claripy.Or(claripy.Not(claripy.And(p.condition, q.condition)), claripy.ULT(p.outputs[0], q.outputs[0]))
        for p in calls[0].paths for q in calls[1].paths
    ))
    yield Claim("id(p) < id(q) if p < q", claripy.And(premise, before), ascends, calls)


def generators(machine, order):
    """The ID that a generator makes after any ID, at any time, is greater; its tick is that of the clock, or that of the ID."""
    last, micros = claripy.BVS("last", 8 * order.size), Value(claripy.BVS("micros", 64))
    allowance = Value(claripy.BVS("allowance", 32))
    random = random_bytes(order.drawn)
    premise = claripy.And(order.are_options, order.is_id(last))
    arguments = (order.passed, last, micros, random, allowance, Out(order.size))
    call = Call(machine, f"{order.function}_next", *arguments, assumption=premise)
    yield Claim(WHOLE, premise, call.is_whole(), [call])

    def ascends(path):
        return claripy.Or(path.result != DONE, claripy.ULT(last, path.outputs[0]))

    def is_timely(path):
        tick, last_tick = order.tick_of(path.outputs[0]), order.tick_of(last)
        waits = tick == last_tick if order.function != "evently_id" else tick == last_tick + 1
        is_right = claripy.Or(
            claripy.And(claripy.UGT(tick, last_tick), order.is_start(tick, micros.formula)),
            claripy.And(waits, claripy.ULT(
                number(micros.formula, 80), (number(tick, 80) + 1 + number(order.epoch, 80)) * order.micros_in_a_tick
            )),
        )
        return claripy.Or(path.result != DONE, claripy.And(order.is_tick(tick), is_right))

    yield Claim("the ID is greater", premise, call.always(ascends), [call])
    yield Claim("its tick is in its range, and that of the clock or the last one", premise, call.always(is_timely), [call])


THEOREMS = [next_position, ids, order, generators]
