"""All records of a space have one size, for any number of processes, operators and node IDs.

The size decides which bits of an ID are the node ID, so two sizes would make equal IDs. The model has the records of
all node IDs, and of a record only whether it is there, and its size. So it carries out more proposals than the store.

A repair that keeps the size is a step. A repair that changes it is not: no process takes a node ID until it is done.
"""

import z3

from fleet import NUMBER, PROCESS, SWAP, TRUTH, Query, Step

NODE = z3.DeclareSort("NodeId")
# The node ID 0, with whose record a fleet begins.
ZERO = z3.Const("zero", NODE)

# What does not change: the node ID of a proposal, whether it creates the fleet, whether it expects a record and of
# which size, and the size that it writes.
node = z3.Function("node", SWAP, NODE)
begins = z3.Function("begins", SWAP, TRUTH)
expects = z3.Function("expects", SWAP, TRUTH)
expected = z3.Function("expected", SWAP, NUMBER)
written = z3.Function("written", SWAP, NUMBER)

P, W, N = z3.Const("p", PROCESS), z3.Const("w", SWAP), z3.Const("n", NODE)
ACTOR, SENT = z3.Const("actor", PROCESS), z3.Const("sent", SWAP)
AT, OTHER = z3.Consts("at other", NODE)

# The faults of the bounded model that concern the size, and a step that does not preserve the invariant with each.
FAULTS = {"JoinsNoFleet": "take", "BeginsAgain": "carry out a beginning"}


class Space:
    FUNCTIONS = {
        "there": ((NODE,), TRUTH),
        "size": ((NODE,), NUMBER),
        "reads": ((PROCESS,), TRUTH),
        "read_there": ((PROCESS, NODE), TRUTH),
        "read_size": ((PROCESS, NODE), NUMBER),
        "proposed": ((SWAP,), TRUTH),
    }

    def __init__(self, **functions):
        self.__dict__.update(functions)

    @classmethod
    def any(cls):
        return cls(**{name: z3.Function(name, *of, to) for name, (of, to) in cls.FUNCTIONS.items()})

    @classmethod
    def first(cls):
        """There is no fleet, and nobody has read or proposed anything."""
        no = {name: lambda *_: z3.BoolVal(False) for name, (_, to) in cls.FUNCTIONS.items() if to == TRUTH}
        return cls(**{**cls.any().__dict__, **no})

    def but(self, **functions):
        return Space(**{**self.__dict__, **functions})


def at(function, key, value):
    return lambda it: z3.If(it == key, value, function(it))


def steps(s, fault=None):
    yes = z3.BoolVal(True)
    sends = s.but(proposed=at(s.proposed, SENT, yes))
    fresh = z3.Not(s.proposed(SENT))
    # An operator proposes to create the fleet, with any size.
    begin = z3.And(fresh, begins(SENT), node(SENT) == ZERO, z3.Not(expects(SENT)))
    yield Step("begin", begin, sends)
    # A process reads all records.
    reads = lambda p: z3.Or(p == ACTOR, s.reads(p))
    read_there = lambda p, n: z3.If(p == ACTOR, s.there(n), s.read_there(p, n))
    read_size = lambda p, n: z3.If(p == ACTOR, s.size(n), s.read_size(p, n))
    yield Step("read", yes, s.but(reads=reads, read_there=read_there, read_size=read_size))
    # A process proposes to take a node ID with the size of another record, or of this one.
    found = z3.And(s.read_there(ACTOR, OTHER), written(SENT) == s.read_size(ACTOR, OTHER))
    if fault == "JoinsNoFleet":
        found = z3.Or(found, z3.Not(s.read_there(ACTOR, OTHER)))
    take = z3.And(
        fresh,
        s.reads(ACTOR),
        found,
        z3.Not(begins(SENT)),
        expects(SENT) == s.read_there(ACTOR, node(SENT)),
        expected(SENT) == s.read_size(ACTOR, node(SENT)),
    )
    yield Step("take", take, sends)
    # The other proposals of a process keep the size of the record that it has.
    keep = z3.And(fresh, z3.Not(begins(SENT)), expects(SENT), written(SENT) == expected(SENT))
    kept = z3.And(s.there(AT), expected(SENT) == s.size(AT))
    yield Step("raise or release", z3.And(keep, kept), sends)
    n = node(SENT)
    is_expected = z3.And(s.there(n) == expects(SENT), z3.Implies(expects(SENT), s.size(n) == expected(SENT)))
    after = s.but(there=at(s.there, n, yes), size=at(s.size, n, written(SENT)))
    is_free = z3.BoolVal(True) if fault == "BeginsAgain" else is_expected
    yield Step("carry out a beginning", z3.And(s.proposed(SENT), begins(SENT), is_free), after)
    yield Step("carry out a swap", z3.And(s.proposed(SENT), z3.Not(begins(SENT)), is_expected), after)
    # A repair writes each record with the size of those that are there.
    repaired = s.but(there=at(s.there, AT, yes), size=at(s.size, AT, s.size(OTHER)))
    yield Step("repair", s.there(OTHER), repaired)


def invariant(s, p, w, n):
    def is_size(size):
        return z3.And(s.there(ZERO), size == s.size(ZERO))

    return z3.And(
        z3.Implies(s.there(n), is_size(s.size(n))),
        z3.Implies(z3.And(s.reads(p), s.read_there(p, n)), is_size(s.read_size(p, n))),
        z3.Implies(z3.And(s.proposed(w), z3.Not(begins(w))), is_size(written(w))),
        z3.Implies(z3.And(s.proposed(w), begins(w)), z3.And(node(w) == ZERO, z3.Not(expects(w)))),
    )


def induction(fault=None):
    """The first state has records of one size, and each step preserves it."""
    yield Query("the first state", z3.BoolVal(True), invariant(Space.first(), P, W, N))
    before = Space.any()
    for step in steps(before, fault):
        assumed = [
            invariant(before, p, w, n)
            for p in (P, ACTOR)
            for w in (W, SENT)
            for n in (N, ZERO, AT, OTHER, node(W), node(SENT))
        ]
        story = {}
        for when, s in (("before", before), ("after", step.after)):
            for n in (ZERO, N, node(SENT)):
                story |= {f"{when}: {n} has a record": s.there(n), f"{when}: size of {n}": s.size(n)}
        story |= {"sent: begins": begins(SENT), "sent: size": written(SENT), "sent: node": node(SENT)}
        story |= {"n": N, "zero": ZERO}
        yield Query(step.name, z3.And(step.condition, *assumed), invariant(step.after, P, W, N), story)


def promise():
    """Any two records have one size."""
    s = Space.any()
    assumed = z3.And(invariant(s, P, W, N), invariant(s, P, W, OTHER), s.there(N), s.there(OTHER))
    yield Query("one size", assumed, s.size(N) == s.size(OTHER))


def faults():
    """With each fault, a step does not preserve it. These queries are refuted."""
    for fault, name in FAULTS.items():
        for query in induction(fault):
            if query.name == name:
                yield Query(f"{fault}: {name}", query.premise, query.conclusion, query.story)


def prove(*_):
    """All records of a space have one size."""
    yield from induction()
    yield from promise()
