"""The theorems about the positions of IDs.

A position is a tick of the clock, and a count that orders the IDs of a tick. A generator takes one position after the other.
"""

import claripy

from decide import Claim
from machine import Call, Out, Quotient, Value
from texts import WHOLE

DONE, NONE, NO_RANDOM_BYTES = 0, 3, 4


def byte(value):
    return claripy.BVV(value, 8)


def number(formula, bits=64):
    """The formula with zeros in front."""
    return claripy.ZeroExt(bits - formula.size(), formula)


def less(a, b):
    """Whether the position `a` is before `b`."""
    return claripy.Or(claripy.ULT(a[0], b[0]), claripy.And(a[0] == b[0], claripy.ULT(a[1], b[1])))


def milliseconds(call, micros):
    """The milliseconds of a time in microseconds: the quotient, what defines it, and claims that this needs."""
    ours = Quotient(125, claripy.LShR(micros, 3), claripy.BVS("millis", 64))
    theirs = list({it.quotient.hash(): it for it in call.quotients}.values())
    assert all(it.divisor == 125 for it in theirs)
    same = claripy.And(claripy.true(), *(it.dividend == ours.dividend for it in theirs))
    start = ours.quotient * 1000
    is_rounded = claripy.And(claripy.ULE(start, micros), claripy.ULT(micros - start, 1000))
    claims = [
        Claim("a 125th of an eighth is a millisecond", ours.definition, is_rounded),
        Claim("only the time is divided", claripy.true(), same, [call]),
    ]
    return ours.quotient, claripy.And(Quotient.are_functions([ours, *theirs]), is_rounded), claims


class Order:
    """The order of the IDs of a specification, with options that have any values of their range."""

    # The bytes of an ID, the random bytes that it takes, and those that are given to a generator.
    size = id_random = drawn = first_tick = last_tick = 0
    are_options = claripy.true()

    def options(self, *parts):
        taken = sum(part.size() for part in parts)
        return claripy.Concat(*parts[:-1], claripy.BVV(0, 128 - taken), parts[-1])

    def is_id(self, it):
        return claripy.true()

    def is_position(self, tick, count):
        return claripy.And(claripy.ULE(self.first_tick, tick), claripy.ULE(tick, self.last_tick), self.is_count(count))

    def time_of(self, call, tick):
        """The fields of the time, what defines them, and claims that they need."""
        return [tick], claripy.true(), []

    def unknown_time(self, start=None):
        """A tick and its fields, and what defines them. `start` is where the first field starts, in ticks."""
        tick = claripy.BVS("tick", 64)
        return tick, [tick], claripy.true()

    def facts(self, ids, starts):
        """What the solvers need to know about two IDs, and the claims that prove it."""
        return claripy.true(), []

    def is_last(self, count):
        """Whether the count is the last one of a tick."""
        return claripy.false()

    def is_used_up(self, last):
        """Whether the tick of an ID is used up, whatever its count is."""
        return claripy.false()


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

    def is_count(self, count):
        return claripy.ULT(count, 1 << number(self.extension) + (6 if self.has_micros else 16))

    def time_of(self, call, tick):
        if not self.has_micros:
            return [tick], claripy.true(), []
        millis, defined, claims = milliseconds(call, tick)
        return [millis, tick - millis * 1000], defined, claims

    def unknown_time(self, start=None):
        if not self.has_micros:
            return super().unknown_time()
        millis, micros = number(claripy.BVS("millis", 48)), number(claripy.BVS("micros", 10))
        start = millis * 1000 if start is None else start
        return start + micros, [millis, micros], claripy.ULT(micros, 1000)

    def facts(self, ids, starts):
        """The microseconds at which milliseconds start. A product with 1000 is hard to compare, so `starts` replaces it."""
        if not self.has_micros:
            return super().facts(ids, starts)
        first, more = (number(claripy.BVS(it, 48)) for it in ("millis", "more"))
        start, rest = claripy.BVS("start", 64), claripy.BVS("rest", 64)
        is_sum = (first + 1 + more) * 1000 == first * 1000 + 1000 + more * 1000
        are_bounded = claripy.And(claripy.ULT(start, 1 << 58), claripy.ULT(rest, 1 << 58))
        claims = [
            Claim("the start of a later millisecond is a sum", claripy.true(), is_sum),
            Claim("a start has 58 bits", claripy.true(), claripy.ULT(first * 1000, 1 << 58)),
            Claim("the sum is 1000 microseconds later", are_bounded, claripy.UGE(start + 1000 + rest, start + 1000)),
        ]
        (p, p_start), (q, q_start) = ((it[159:112], start) for it, start in zip(ids, starts))
        fact = claripy.And(
            *(claripy.ULT(it, 1 << 58) for it in starts),
            claripy.Or(p != q, p_start == q_start),
            claripy.Or(claripy.ULE(p, q), claripy.UGE(p_start, q_start + 1000)),
            claripy.Or(claripy.ULE(q, p), claripy.UGE(q_start, p_start + 1000)),
        )
        return fact, claims

    def is_right(self, it, time, count, random):
        timestamp, counter, random16 = it[159:112], it[111:96], it[95:80]
        extension, node_bits = number(self.extension), number(self.node_bits)
        counted = claripy.LShR(count, extension)
        if self.has_micros:
            counted = time[1] << 6 | counted
        time = claripy.And(number(timestamp) == time[0], number(counter) == counted)
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

    def count_of(self, it):
        extension = number(self.extension)
        counted = it[101:96] if self.has_micros else it[111:96]
        return number(counted) << extension | claripy.LShR(number(it[95:80]), 16 - extension)

    def next(self, tick, count, random):
        is_last = claripy.Not(self.is_count(count + 1))
        return tick, count + 1, [(is_last, NONE)]


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

    def is_right(self, it, time, count, random):
        return it == claripy.Concat(time[0][44:0], count[46:32], self.bits[3:0], count[31:0], random)

    def tick_of(self, it):
        return number(it[127:83])

    def count_of(self, it):
        return number(claripy.Concat(it[82:68], it[63:32]))

    def is_last(self, count):
        return count[31:0] == (1 << 32) - 1

    def is_used_up(self, last):
        """IDs with another extension have an order of their own."""
        length, ours = number(last[67:64], 16), number(self.bits, 16)
        return claripy.Or(length != ours, number(last[82:68], 16) & (1 << ours) - 1 != self.value)

    def next(self, tick, count, random):
        return tick, count + 1, [(self.is_last(count), NONE)]


class UlidFlake(Order):
    function, size, last_tick, count_bits = "ulid_flake", 8, (1 << 43) - 1, 20
    draws = 64
    # The bits after the count, the options for them, and whether these are right.
    low, node, is_node = [], [], claripy.true()

    def __init__(self, step_bytes):
        self.name, self.drawn = f"{self.function} with steps of {step_bytes} bytes", 192
        self.step_bytes, epoch = step_bytes, claripy.BVS("epoch", 64)
        self.are_options = claripy.And(claripy.ULE(epoch, ((1 << 64) - 1) // 1000 - (1 << 43)), self.is_node)
        self.passed = self.options(byte(step_bytes), *self.node, epoch)

    def is_id(self, it):
        return it[63:63] == 0

    def is_count(self, count):
        return claripy.ULT(count, 1 << self.count_bits)

    def is_right(self, it, time, count, random):
        return it == claripy.Concat(claripy.BVV(0, 1), time[0][42:0], count[self.count_bits - 1 : 0], *self.low)

    def tick_of(self, it):
        return number(it[62:20])

    def count_of(self, it):
        return number(it[19 : 20 - self.count_bits])

    def next(self, tick, count, random):
        """The step is the first that is not 0."""
        bits, size = 8 * self.step_bytes, random.size()
        steps = [random[size - 1 - at * bits : size - (at + 1) * bits] for at in range(self.draws)]
        step = claripy.BVV(0, bits)
        for it in reversed(steps):
            step = claripy.If(it == 0, step, it)
        after = count + number(step)
        return tick, after, [(step == 0, NO_RANDOM_BYTES), (claripy.Not(self.is_count(after)), NONE)]


class Scalable(UlidFlake):
    function, count_bits = "scalable", 15
    node = [claripy.BVS("node", 8)]
    low, is_node = [node[0][4:0]], claripy.ULE(node[0], 31)


class EventId(Order):
    function, size, drawn, last_tick = "evently_id", 16, 1, (1 << 64) - 1
    name = "evently-id"

    def __init__(self):
        self.ledger = claripy.BVS("ledger", 32)
        self.passed = self.options(self.ledger, byte(0))

    def is_count(self, count):
        return count == 0

    def is_right(self, it, time, count, random):
        return it == claripy.Concat(time[0], claripy.BVV(0, 32), self.ledger)

    def tick_of(self, it):
        return it[127:64]

    def count_of(self, it):
        return claripy.BVV(0, 64)

    def next(self, tick, count, random):
        return tick + 1, count, [(tick == (1 << 64) - 1, NONE)]


ORDERS = {
    it.name: it
    for it in (
        Scru160(False),
        Scru160(True),
        Euid(),
        *(UlidFlake(n) for n in (1, 2, 3)),
        *(Scalable(n) for n in (1, 2)),
        EventId(),
    )
}


def unknown_position():
    return Value(claripy.BVS("tick", 64)), Value(claripy.BVS("count", 64))


def random_bytes(count):
    return claripy.BVS("random", 8 * max(count, 1))


def pair(output):
    """The tick and the count that a function writes."""
    return output[127:64].reversed, output[63:0].reversed


def next_position(machine, subject):
    """The next position is the one that the specification asks for: greater than the last, or none.

    The ticks are all numbers of 64 bits, because an ID of any time can be the last one.
    """
    order = ORDERS[subject]
    tick, count = unknown_position()
    random = random_bytes(order.drawn)
    premise = claripy.And(order.are_options, order.is_count(count.formula))
    function = f"{order.function}_next_position"
    call = Call(machine, function, order.passed, tick, count, random, Out(16), assumption=premise)
    yield Claim(WHOLE, premise, call.is_whole(), [call])
    last = tick.formula, count.formula

    next_tick, next_count, errors = order.next(*last, random)

    def is_right(path):
        after = pair(path.outputs[0])
        returns = claripy.And(path.result == DONE, after[0] == next_tick, after[1] == next_count)
        for condition, code in reversed(errors):
            returns = claripy.If(condition, path.result == code, returns)
        return returns

    yield Claim("the next position is right", premise, call.always(is_right), [call])
    is_next = claripy.And(premise, *(claripy.Not(condition) for condition, _ in errors))
    ascends = claripy.And(less(last, (next_tick, next_count)), order.is_count(next_count))
    yield Claim("the right position is greater, and in its range", is_next, ascends)


def ids(machine, subject):
    """The ID of a position has its fields, leads back to the position, and is less than the IDs of later positions."""
    order = ORDERS[subject]
    tick, count = unknown_position()
    random = random_bytes(order.id_random)
    premise = claripy.And(order.are_options, order.is_position(tick.formula, count.formula))
    arguments = (order.passed, tick, count, Value(claripy.BVS("resets", 16)), random, Out(order.size))
    call = Call(machine, f"{order.function}_id", *arguments, assumption=premise)
    yield Claim(WHOLE, premise, call.is_whole(), [call])

    time, defined, claims = order.time_of(call, tick.formula)
    yield from claims
    right = claripy.And(premise, defined)

    def is_right(path):
        return claripy.And(path.result == DONE, order.is_right(path.outputs[0], time, count.formula, random))

    yield Claim("the fields are right", right, call.always(is_right), [call])
    it = claripy.BVS("id", 8 * order.size)
    read = Call(machine, f"{order.function}_position", order.passed, it, Out(16), assumption=order.are_options)
    premise = claripy.And(order.are_options, order.is_id(it))
    yield Claim("reading: " + WHOLE, premise, read.is_whole(), [read])
    position = order.tick_of(it), order.count_of(it)

    def is_read(path):
        read_tick, read_count = pair(path.outputs[0])
        is_ours = claripy.And(read_tick == position[0], read_count == position[1])
        is_used_up = claripy.And(read_tick == position[0], order.is_last(read_count))
        return claripy.And(path.result == DONE, claripy.If(order.is_used_up(it), is_used_up, is_ours))

    yield Claim("the position of an ID is right", premise, read.always(is_read), [read])
    tick, time, defined = order.unknown_time()
    count = claripy.BVS("count", 64)
    is_right = order.is_right(it, time, count, random_bytes(order.id_random))
    made = claripy.And(order.are_options, order.is_position(tick, count), defined, is_right)
    same = claripy.And(position[0] == tick, position[1] == count, claripy.Not(order.is_used_up(it)))
    yield Claim("position(id(p)) = p", made, same)
    yield from ascend(order)


def ascend(order):
    """IDs of two positions are in the order of the positions. The first claims of `ids` prove that the code makes them."""
    ids, positions, premises = [], [], [order.are_options]
    starts = [claripy.BVS("start", 64) for _ in range(2)]
    for start in starts:
        it, count = claripy.BVS("id", 8 * order.size), claripy.BVS("count", 64)
        tick, time, defined = order.unknown_time(start)
        is_right = order.is_right(it, time, count, random_bytes(order.id_random))
        premises += [order.is_position(tick, count), defined, is_right]
        ids.append(it)
        positions.append((tick, count))
    fact, claims = order.facts(ids, starts)
    yield from claims
    yield Claim("id(p) < id(q) if p < q", claripy.And(less(*positions), *premises, fact), claripy.ULT(*ids))
