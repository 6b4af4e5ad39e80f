"""The protocol of fleets, for any number of processes, all clocks, all windows and all 64-bit times.

`docs/fleet.md` promises that the times of successive holders of a node ID are disjoint and ascend. The proof is an
induction: the first state satisfies an invariant, each step of a process, of the store or of an administrator
preserves it, and it implies the promise. So a history may have any length.

The model is of one node ID. A process that asks for another node ID, or holds another one, is outside.

- Processes, their instances and their proposals are sorts without an interpretation: there may be any number of each.
  A process that crashes takes no more steps, and a process that starts is one that has taken none.
- A proposal is carried out at any time, or never, if the record is the expected one. Its answer arrives at any time,
  as often as it likes, or never.
- Each step has its own times of the clocks and its own window.
- A process reads the record, and learns later what it read, or takes the node ID by it. Meanwhile it proposes and
  learns nothing.

The invariant is a list of clauses about any process, proposal, generation and time. A query of a step has constants
for these, and has the invariant before the step for the constants and for all terms that the step has. So it has no
quantifier.

What is assumed: no two processes have the same instance, no generation of 2^64 - 1 is raised, the store replaces a
record only if it is the expected one, and keeps it. If the store loses records, no process takes a step before the
repair, the bound of the repair is not below the lost one, and fewer than 2^32 generations are lost. A process makes no
ID after `release` was called, even if it then learns that it lost the node ID.
"""

import itertools
from collections import namedtuple
from types import SimpleNamespace

import z3

from decide import Query

MOST = (1 << 64) - 1
ALLOWANCE = 10_000
LOST_GENERATIONS = 1 << 32

PROCESS, SWAP, HOLDER = (z3.DeclareSort(name) for name in ("Process", "Swap", "Holder"))
NUMBER, TRUTH = z3.BitVecSort(64), z3.BoolSort()
OUTSIDE, ASKING, HOLDING, RELEASING, LOST = (z3.BitVecVal(index, 3) for index in range(5))

# Faults of the process, of the store, of the administrator and of the assumptions, and a step that does not preserve the
# invariant with each. `lab/fleet-model` finds more faults, in the code of the library itself.
FAULTS = {
    "UsesBeforeAcknowledged": "raise",
    "BeginsAtClock": "answer to take",
    "ReleasesLastTick": "release",
    "GeneratesAfterRelease": "make",
    "KeepsGeneration": "take",
    "BelievesName": "seen: it has the node ID",
    "StoreIgnoresAll": "carry out a take",
    "FreesBound": "free",
    "RepairsTooLow": "restore and repair",
    "SharesInstance": "carry out a release",
    "GenerationsEnd": "take",
    "LostAfterRelease": "make",
}


def number(value):
    return z3.BitVecVal(value, 64)


def least(a, b):
    return z3.If(z3.ULE(a, b), a, b)


def greatest(a, b):
    return z3.If(z3.ULE(a, b), b, a)


def implies(premise, *conclusions):
    return z3.Implies(premise, z3.And(*conclusions))


def plus(a, b):
    """The sum, or the greatest number if the sum is above it."""
    return z3.If(z3.ULT(a + b, a), number(MOST), a + b)


class Record(namedtuple("Record", "there generation held holder until")):
    """What the store has for the node ID. A record that is not there has the values of one that nobody has had."""

    @classmethod
    def of(cls, name, *sorts):
        """A function to records."""
        of = (TRUTH, NUMBER, TRUTH, HOLDER, NUMBER)
        fields = [z3.Function(f"{name}.{field}", *sorts, sort) for field, sort in zip(cls._fields, of)]
        return lambda *arguments: cls(*(field(*arguments) for field in fields))

    def __eq__(self, other):
        return z3.And(
            self.there == other.there,
            self.generation == other.generation,
            self.held == other.held,
            implies(self.held, self.holder == other.holder),
            self.until == other.until,
        )

    def is_whole(self):
        """Whether a record that is not there has the values of one that nobody has had."""
        return z3.Or(self.there, z3.And(self.generation == 0, z3.Not(self.held), self.until == 0))

    def is_of(self, generation, holder):
        return z3.And(self.generation == generation, self.held, self.holder == holder)

    def is_before(self, other):
        """Whether this record is the other one, or an earlier one of the store."""
        is_later = z3.And(self.held == other.held, z3.ULE(self.until, other.until))
        is_later = z3.Or(z3.And(self.held, z3.Not(other.held)), is_later)
        same = z3.And(self.generation == other.generation, implies(self.there, other.there))
        return z3.Or(z3.ULT(self.generation, other.generation), z3.And(same, is_later))


def choose(condition, a, b):
    if isinstance(a, Record):
        return Record(*(z3.If(condition, x, y) for x, y in zip(a, b)))
    return z3.If(condition, a, b)


class State(SimpleNamespace):
    """The state of a fleet. The fields of a process, a proposal or a generation are functions.

    `owned`, `owner`, `low`, `high`, `released` and `made` are of the history: who had which generation of the node ID,
    from which time on, before which bound, whether its release was carried out, and for which times it made IDs.
    """

    FUNCTIONS = {
        name: (of, to)
        for of, to, names in (
            ((PROCESS,), z3.BitVecSort(3), "kind"),
            ((PROCESS,), NUMBER, "generation floor until free_from"),
            ((PROCESS,), TRUTH, "closed reads"),
            ((PROCESS,), SWAP, "asked"),
            ((SWAP,), TRUTH, "proposed done"),
            ((NUMBER,), TRUTH, "owned released"),
            ((NUMBER,), HOLDER, "owner"),
            ((NUMBER,), NUMBER, "low high"),
            ((PROCESS, NUMBER, NUMBER), TRUTH, "made"),
        )
        for name in names.split()
    }

    @classmethod
    def any(cls):
        functions = {name: z3.Function(name, *of, to) for name, (of, to) in cls.FUNCTIONS.items()}
        return cls(record=Record.of("record")(), read=Record.of("read", PROCESS), **functions)

    @classmethod
    def first(cls):
        """No process has taken a step, and there is no fleet."""
        values = {TRUTH: z3.BoolVal(False), NUMBER: number(0)}
        fields = {name: lambda *_, to=to: values.get(to) for name, (_, to) in cls.FUNCTIONS.items()}
        some = cls.any()
        fields |= {"kind": lambda _: OUTSIDE, "asked": some.asked, "owner": some.owner, "read": some.read}
        no, none = z3.BoolVal(False), z3.Const("nobody", HOLDER)
        return cls(record=Record(no, number(0), no, none, number(0)), **fields)

    def but(self, key=None, **fields):
        """This state with other values. With a key, they are the values of functions at this key."""
        if key is not None:
            fields = {name: _at(getattr(self, name), key, value) for name, value in fields.items()}
        return State(**{**self.__dict__, **fields})

    def has_had(self, p):
        """Whether a process has or had a node ID."""
        return z3.Or(self.kind(p) == HOLDING, self.kind(p) == RELEASING, self.kind(p) == LOST)

    def may_make(self, p):
        """Whether a process may make IDs: it holds the node ID, or lost it before a release closed its generators."""
        return z3.Or(self.kind(p) == HOLDING, z3.And(self.kind(p) == LOST, z3.Not(self.closed(p))))


def _at(function, key, value):
    return lambda *arguments: choose(z3.And(*(a == b for a, b in zip(arguments, (key,)))), value, function(*arguments))


# What does not change: the instance of a process, and the process, the expected and the next record of a proposal.
me = z3.Function("instance", PROCESS, HOLDER)
by = z3.Function("by", SWAP, PROCESS)
expected = Record.of("expected", SWAP)
following = Record.of("next", SWAP)


class Now:
    """The times of the clocks, and a window."""

    def __init__(self):
        self.clock, self.store, self.window = z3.BitVecs("clock store window", 64)
        self.has_store = z3.Bool("has_store")
        self.judge = z3.If(self.has_store, self.store, self.clock)
        # The greatest bound that a process may reserve.
        self.limit = plus(plus(self.judge, self.window), number(ALLOWANCE))

    def target(self, floor):
        """The bound that a process reserves for IDs from `floor` on."""
        start = greatest(greatest(self.clock, self.judge), floor)
        return least(plus(start, self.window), self.limit)

    def takes(self, record):
        """Whether a process takes a node ID with this record."""
        return z3.And(
            z3.ULT(self.clock, self.limit),
            z3.Or(z3.Not(record.held), z3.ULE(record.until, self.judge)),
            z3.ULT(record.until, least(self.limit, plus(self.clock, number(ALLOWANCE)))),
        )


class Step:
    """A step: its condition, and the state after it. `for_times` is a condition of any time."""

    def __init__(self, name, condition, after, for_times=lambda t: z3.BoolVal(True)):
        self.name, self.condition, self.after, self.for_times = name, condition, after, for_times


# The process and the proposal of a step.
ACTOR, SENT = z3.Const("actor", PROCESS), z3.Const("sent", SWAP)


def steps(s, fault=None):
    """All steps from a state, perhaps with a fault."""
    p, w, now, record = ACTOR, SENT, Now(), s.record
    read, yes, no = s.read(p), z3.BoolVal(True), z3.BoolVal(False)

    def proposes(old, new):
        fresh = z3.And(z3.Not(s.proposed(w)), z3.Not(s.done(w)), by(w) == p)
        return z3.And(fresh, expected(w) == old, following(w) == new)

    def sends(**fields):
        return s.but(p, reads=no, **fields).but(w, proposed=yes)

    # A process takes the node ID: it continues after the record's bound.
    floor = least(read.until, now.clock) if fault == "BeginsAtClock" else read.until
    generation = read.generation + (0 if fault == "KeepsGeneration" else 1)
    if fault == "GenerationsEnd":
        generation = plus(read.generation, number(1))
    has_next = yes if fault == "GenerationsEnd" else read.generation != MOST
    yield Step(
        "take",
        z3.And(
            s.kind(p) != HOLDING,
            s.reads(p),
            has_next,
            now.takes(read._replace(until=floor)),
            proposes(read, Record(yes, generation, yes, me(p), now.target(floor))),
        ),
        sends(kind=ASKING, asked=w, closed=no),
    )
    # A process asks for another node ID, and later holds that one.
    yield Step("elsewhere", s.kind(p) != HOLDING, s.but(p, kind=OUTSIDE, closed=no))

    own = Record(yes, s.generation(p), yes, me(p), s.until(p))
    until = now.target(s.floor(p))
    yield Step(
        "raise",
        z3.And(s.kind(p) == HOLDING, z3.UGT(until, s.until(p)), proposes(own, own._replace(until=until))),
        sends(until=until) if fault == "UsesBeforeAcknowledged" else sends(),
    )

    # The caller knows a time that is after all of its IDs, or 0 if there are none.
    after_last = z3.BitVec("after_last", 64)
    free_from = greatest(least(after_last, s.until(p)), s.floor(p))
    is_after = z3.ULE if fault == "ReleasesLastTick" else z3.ULT
    yield Step(
        "release",
        z3.And(s.kind(p) == HOLDING, proposes(own, own._replace(held=no, until=free_from))),
        sends(kind=RELEASING, free_from=free_from, closed=yes),
        lambda t: implies(s.made(p, s.generation(p), t), is_after(t, after_last)),
    )
    yield Step(
        "release again",
        z3.And(s.kind(p) == RELEASING, proposes(own, own._replace(held=no, until=s.free_from(p)))),
        sends(),
    )

    # The answer to a proposal of the process.
    asked, clock = s.asked(p), z3.BitVec("other_clock", 64)

    def begins(record):
        bound = expected(asked).until
        bound = least(bound, clock) if fault == "BeginsAtClock" else bound
        return {"kind": HOLDING, "generation": record.generation, "floor": bound, "until": record.until}

    new = following(w)
    is_asked = z3.And(s.kind(p) == ASKING, expected(w) == expected(asked), new == following(asked))
    is_raised = z3.And(s.kind(p) == HOLDING, new.is_of(s.generation(p), me(p)))
    is_over = z3.And(s.kind(p) == RELEASING, new.generation == s.generation(p), z3.Not(new.held))
    answer = z3.And(s.done(w), by(w) == p)
    learned = s.but(p, reads=no)
    yield Step("answer to take", z3.And(answer, is_asked), learned.but(p, **begins(new)))
    yield Step("answer to raise", z3.And(answer, is_raised), learned.but(p, until=greatest(s.until(p), new.until)))
    yield Step("answer to release", z3.And(answer, is_over), learned.but(p, kind=OUTSIDE))

    # The process reads the record, and learns later what it read.
    yield Step("read", yes, s.but(p, reads=yes, read=record))
    seen = read._replace(holder=me(p)) if fault == "BelievesName" else read
    is_granted = seen.is_of(following(asked).generation, me(p))
    is_own = seen.is_of(s.generation(p), me(p))
    raised = greatest(s.until(p), seen.until)
    for name, kind, condition, fields in (
        ("seen: it has the node ID", ASKING, is_granted, begins(seen)),
        ("seen: it does not have the node ID", ASKING, z3.Not(is_granted), {"kind": OUTSIDE}),
        ("seen: it holds", HOLDING, is_own, {"until": raised}),
        ("seen: it lost", HOLDING, z3.Not(is_own), {"kind": LOST}),
        ("seen: it releases", RELEASING, is_own, {"until": raised}),
        ("seen: it released", RELEASING, z3.Not(is_own), {"kind": OUTSIDE}),
    ):
        yield Step(name, z3.And(s.reads(p), s.kind(p) == kind, condition), learned.but(p, **fields))
    yield Step("lose", z3.Or(s.kind(p) == HOLDING, s.kind(p) == RELEASING), learned.but(p, kind=LOST))

    # A holder makes an ID within its window.
    t = z3.BitVec("made_for", 64)
    makes = s.may_make(p)
    if fault == "GeneratesAfterRelease":
        makes = z3.Or(makes, s.kind(p) == RELEASING)
    if fault == "LostAfterRelease":
        makes = z3.Or(makes, s.kind(p) == LOST)
    made = s.made
    yield Step(
        "make",
        z3.And(makes, z3.ULE(s.floor(p), t), z3.ULT(t, s.until(p))),
        s.but(made=lambda q, g, u: z3.Or(made(q, g, u), z3.And(q == p, g == s.generation(p), u == t))),
    )

    # The store.
    is_expected = yes if fault == "StoreIgnoresAll" else record == expected(w)
    is_next = new.generation != expected(w).generation
    for name, condition in (
        ("carry out a take", is_next),
        ("carry out a raise", z3.And(z3.Not(is_next), new.held)),
        ("carry out a release", z3.And(z3.Not(is_next), z3.Not(new.held))),
    ):
        condition = z3.And(s.proposed(w), is_expected, condition)
        yield Step(name, condition, written(s, new).but(w, done=yes))

    # The administrator.
    begun = Record(yes, number(0), no, record.holder, number(0))
    yield Step("begin", z3.Not(record.there), written(s, begun))
    freed = record._replace(generation=record.generation + 1, held=no)
    if fault == "FreesBound":
        freed = freed._replace(until=number(0))
    yield Step("free", z3.And(record.there, record.generation != MOST), written(s, freed))
    bound = z3.BitVec("bound", 64)

    def repaired(old):
        until = greatest(old.until, bound)
        after = Record(yes, old.generation + LOST_GENERATIONS, no, old.holder, until)
        return written(s, after), z3.ULE(old.generation, MOST - LOST_GENERATIONS)

    after, fits = repaired(record)
    yield Step("repair", fits, after)

    # The store has any other record after it lost some, and is repaired.
    backup = Record.of("backup")()
    was_lost = z3.And(backup.is_whole(), z3.ULE(backup.generation, record.generation))
    was_lost = z3.And(was_lost, z3.ULT(record.generation - backup.generation, number(LOST_GENERATIONS)))
    is_above = z3.ULE(record.until, plus(bound, number(1)) if fault == "RepairsTooLow" else bound)
    after, fits = repaired(backup)
    yield Step("restore and repair", z3.And(was_lost, is_above, fits), after)


def written(s, new):
    """The state after the store has another record, with the history of the generations up to it."""
    old = s.record
    is_new = new.generation != old.generation

    def skipped(g):
        return z3.And(z3.ULT(old.generation, g), z3.ULT(g, new.generation))

    def of(function, at_new, at_same, at_skipped):
        return lambda g: z3.If(
            g == new.generation, z3.If(is_new, at_new, at_same(g)), z3.If(skipped(g), at_skipped, function(g))
        )

    is_release = z3.And(old.held, z3.Not(new.held))
    owned, owner, low, high, released = s.owned, s.owner, s.low, s.high, s.released
    no = z3.BoolVal(False)
    return s.but(
        record=new,
        owned=of(owned, new.held, owned, no),
        owner=of(owner, new.holder, owner, new.holder),
        low=of(low, z3.If(new.held, old.until, new.until), low, old.until),
        high=of(high, new.until, lambda g: new.until, old.until),
        released=of(released, no, lambda g: z3.Or(released(g), is_release), no),
    )


# The clauses of the invariant. The names of their parameters say what they are about: p is any process, w any proposal,
# g and h are any generations, t is any time.


def the_record_is_whole(s):
    """A record is of the owner of its generation, and has its bound. Without a holder, the generation is over."""
    r = s.record
    return z3.And(
        r.is_whole(),
        implies(r.held, r.there, s.owned(r.generation), s.owner(r.generation) == r.holder),
        implies(r.held, z3.Not(s.released(r.generation)), s.high(r.generation) == r.until),
        implies(z3.And(z3.Not(r.held), s.owned(r.generation)), s.released(r.generation)),
    )


def generations_are_below_the_bound(s, g):
    r = s.record
    return z3.And(
        implies(z3.ULE(g, r.generation), z3.ULE(s.low(g), s.high(g)), z3.ULE(s.high(g), r.until)),
        implies(s.owned(g), g != 0, z3.ULE(g, r.generation)),
    )


def generations_ascend(s, g, h):
    return implies(z3.And(z3.ULT(g, h), z3.ULE(h, s.record.generation)), z3.ULE(s.high(g), s.low(h)))


def a_process_is_within_its_generation(s, p):
    g = s.generation(p)
    return z3.And(
        z3.ULE(s.kind(p), LOST),
        implies(
            s.has_had(p),
            s.owned(g),
            s.owner(g) == me(p),
            z3.ULE(s.low(g), s.floor(p)),
            z3.ULE(s.floor(p), s.until(p)),
            z3.Or(s.released(g), z3.ULE(s.until(p), s.high(g))),
        ),
        implies(s.may_make(p), z3.Not(s.released(g))),
        implies(z3.Or(s.kind(p) == ASKING, s.kind(p) == HOLDING), z3.Not(s.closed(p))),
        implies(
            s.kind(p) == RELEASING, s.closed(p), z3.ULE(s.floor(p), s.free_from(p)), z3.ULE(s.free_from(p), s.until(p))
        ),
    )


def a_proposal_is_of_its_process(s, w):
    """A proposal takes the node ID, raises the bound of its process, or releases the node ID."""
    old, new, holder = expected(w), following(w), me(by(w))
    takes = z3.And(
        old.generation != MOST,
        new.generation == old.generation + 1,
        new.is_of(new.generation, holder),
        z3.ULE(old.until, new.until),
    )
    same = z3.And(new.generation == old.generation, old.is_of(old.generation, holder), old.there)
    raises = z3.And(same, new.is_of(new.generation, holder), z3.ULT(old.until, new.until))
    releases = z3.And(
        same,
        z3.Not(new.held),
        z3.ULE(s.low(new.generation), new.until),
        z3.ULE(new.until, old.until),
        s.owned(new.generation),
        s.owner(new.generation) == holder,
        z3.Not(z3.And(s.may_make(by(w)), s.generation(by(w)) == new.generation)),
    )
    is_one = z3.And(new.there, old.is_whole(), old.is_before(s.record), z3.Or(takes, raises, releases))
    return z3.And(implies(s.proposed(w), is_one), implies(s.done(w), s.proposed(w)))


def a_release_is_after_the_last_id(s, w, t):
    new = following(w)
    is_release = z3.And(s.proposed(w), z3.Not(new.held))
    return implies(z3.And(is_release, s.made(by(w), new.generation, t)), z3.ULT(t, new.until))


def a_proposal_that_was_carried_out_is_history(s, w):
    old, new = expected(w), following(w)
    g = new.generation
    return implies(
        s.done(w),
        new.is_before(s.record),
        z3.If(
            new.held,
            z3.And(s.owned(g), s.owner(g) == new.holder, z3.Or(s.released(g), z3.ULE(new.until, s.high(g)))),
            s.released(g),
        ),
        implies(g != old.generation, s.low(g) == old.until),
    )


def a_process_asks_for_the_next_generation(s, p):
    w = s.asked(p)
    g = following(w).generation
    has = z3.And(s.owned(g), s.owner(g) == me(p))
    return implies(
        s.kind(p) == ASKING,
        s.proposed(w),
        by(w) == p,
        g != expected(w).generation,
        implies(has, s.low(g) == expected(w).until, z3.Not(s.released(g))),
    )


def a_process_asks_last(s, p, w):
    return implies(z3.And(s.kind(p) == ASKING, s.proposed(w), by(w) == p), expected(w).is_before(expected(s.asked(p))))


def what_is_read_was_the_record(s, p):
    r = s.read(p)
    g, following_one = r.generation, r.generation + 1
    has_next = z3.And(g != MOST, s.owned(following_one), s.owner(following_one) == me(p))
    return implies(
        s.reads(p),
        r.is_whole(),
        r.is_before(s.record),
        implies(
            r.held,
            r.there,
            s.owned(g),
            s.owner(g) == r.holder,
            z3.ULE(s.low(g), r.until),
            z3.Or(s.released(g), z3.ULE(r.until, s.high(g))),
        ),
        implies(s.has_had(p), z3.ULE(s.generation(p), g)),
        implies(has_next, s.low(following_one) == r.until, z3.Not(s.released(following_one))),
    )


def what_is_read_is_after_proposals(s, p, w):
    return implies(z3.And(s.reads(p), s.proposed(w), by(w) == p), expected(w).is_before(s.read(p)))


def ids_are_within_their_generation(s, p, g, t):
    return implies(
        s.made(p, g, t),
        s.owned(g),
        s.owner(g) == me(p),
        z3.ULE(s.low(g), t),
        z3.ULT(t, s.high(g)),
        implies(z3.And(s.kind(p) == HOLDING, s.generation(p) == g), z3.ULT(t, s.until(p))),
        implies(z3.And(s.kind(p) == RELEASING, s.generation(p) == g), z3.ULT(t, s.free_from(p))),
        implies(s.reads(p), z3.ULE(g, s.read(p).generation)),
        implies(s.kind(p) == ASKING, z3.ULE(g, expected(s.asked(p)).generation)),
    )


INVARIANT = (
    (the_record_is_whole, ""),
    (generations_are_below_the_bound, "g"),
    (generations_ascend, "gh"),
    (a_process_is_within_its_generation, "p"),
    (a_proposal_is_of_its_process, "w"),
    (a_release_is_after_the_last_id, "wt"),
    (a_proposal_that_was_carried_out_is_history, "w"),
    (a_process_asks_for_the_next_generation, "p"),
    (a_process_asks_last, "pw"),
    (what_is_read_was_the_record, "p"),
    (what_is_read_is_after_proposals, "pw"),
    (ids_are_within_their_generation, "pgt"),
)

# Any process, proposal, generation and time.
P, Q = z3.Consts("p q", PROCESS)
W = z3.Const("w", SWAP)
G, H, T, U = z3.BitVecs("g h t u", 64)
SOME = {"p": P, "w": W, "g": G, "h": H, "t": T}


def invariant(s, processes, swaps, generations, times):
    """The invariant for all of these terms."""
    terms = {"p": processes, "w": swaps, "g": generations, "h": generations, "t": times}
    return z3.And(
        *(clause(s, *chosen) for clause, of in INVARIANT for chosen in itertools.product(*(terms[it] for it in of)))
    )


def instances_differ(processes):
    return z3.And(*(implies(me(a) == me(b), a == b) for a, b in itertools.combinations(processes, 2)))


def query(name, premise, conclusion):
    return Query(name, premise, conclusion, "QF_UFBV")


def holds(s):
    """The invariant for any process, proposal, generation and time."""
    return z3.And(*(clause(s, *(SOME[it] for it in of)) for clause, of in INVARIANT))


def induction(fault=None, only=None):
    """Each step preserves the invariant. `only` is the name of the one step that is asked for."""
    before = State.any()
    for step in steps(before, fault):
        if only not in (None, step.name):
            continue
        swaps = [W, SENT, before.asked(P), before.asked(ACTOR)]
        processes = [P, ACTOR, by(W), by(SENT)]
        generations = [G, H, before.record.generation, before.record.generation + 1]
        generations += [before.generation(P), before.generation(ACTOR)]
        generations += [before.read(P).generation, before.read(P).generation + 1]
        generations += [it.generation for w in swaps for it in (expected(w), following(w))]
        premise = z3.And(
            step.condition,
            step.for_times(T),
            invariant(before, processes, swaps, generations, [T]),
            z3.BoolVal(True) if fault == "SharesInstance" else instances_differ(processes),
        )
        yield query(step.name, premise, holds(step.after))


def faulty(fault):
    """With a fault, a step does not preserve the invariant: this query is refuted."""
    return next(induction(fault, FAULTS[fault]))


def promise():
    """No two holders of the node ID make IDs for one time, and a later holder makes IDs for later times.

    The times that a holder may use count as well as those that it has used. Each time that was used is below the bound
    of the record, with which the next holder begins.
    """
    s = State.any()
    processes, generations = [P, Q], [G, H, s.record.generation, s.generation(P), s.generation(Q)]
    assumed = z3.And(invariant(s, processes, [W], generations, [T, U]), instances_differ(processes))

    def uses(p, g, t):
        can = z3.And(s.may_make(p), s.generation(p) == g, z3.ULE(s.floor(p), t), z3.ULT(t, s.until(p)))
        return z3.Or(s.made(p, g, t), can)

    both = z3.And(assumed, uses(P, G, T), uses(Q, H, U))
    yield query("one holder for each time", z3.And(both, T == U), z3.And(P == Q, G == H))
    yield query("one holder for each generation", z3.And(both, G == H), P == Q)
    yield query("later holders have later times", z3.And(both, z3.ULT(G, H)), z3.ULT(T, U))
    yield query("the bound is after all IDs", z3.And(assumed, s.made(P, G, T)), z3.ULT(T, s.record.until))


def prove(_, subject):
    """No two processes of a fleet have one node ID for one time, and a later holder has later times."""
    if subject == "promise":
        yield query("the first state", z3.BoolVal(True), holds(State.first()))
        yield from promise()
    else:
        yield from induction(only=subject)
