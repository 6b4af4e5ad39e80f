"""The steps of the model and those of the compiled library agree in random histories. This is a test, and no proof.

The transition functions of `fleet.steps` are formulas. `Compiled` makes a function of numbers of each, and a history
lets the model and a process of the library take the same steps. They agree in what the process proposes, whether it
refuses, and in its state.
"""

import ctypes
import random

import z3

import fleet
from fleet import ACTOR, Now, State

ME, OTHER = 1, 2


class Compiled:
    """A formula as a function of the values of its variables, by their names."""

    def __init__(self, formula):
        self._code = compile(self._text(z3.simplify(formula) if not isinstance(formula, bool) else formula), "", "eval")

    def __call__(self, values):
        return eval(self._code, {"v": values, "M": fleet.MOST})

    def _text(self, it):
        parts = [self._text(part) for part in it.children()]
        kind = it.decl().kind()
        if z3.is_bv_value(it):
            return str(it.as_long())
        if kind == z3.Z3_OP_UNINTERPRETED:
            return f"v[{''.join(str(it).split())!r}]"
        operator = {
            z3.Z3_OP_AND: " and ", z3.Z3_OP_OR: " or ", z3.Z3_OP_EQ: " == ", z3.Z3_OP_ULEQ: " <= ",
            z3.Z3_OP_DISTINCT: " != ", z3.Z3_OP_ULT: " < ", z3.Z3_OP_UGEQ: " >= ", z3.Z3_OP_UGT: " > ",
        }.get(kind)
        if operator:
            return f"({operator.join(parts)})"
        if kind == z3.Z3_OP_BADD:
            return f"({' + '.join(parts)} & M)"
        if kind == z3.Z3_OP_BMUL:
            return f"({' * '.join(parts)} & M)"
        if kind == z3.Z3_OP_NOT:
            return f"(not {parts[0]})"
        if kind == z3.Z3_OP_ITE:
            return f"({parts[1]} if {parts[0]} else {parts[2]})"
        if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
            return str(kind == z3.Z3_OP_TRUE)
        raise NotImplementedError(str(it))


FIELDS = ("kind", "generation", "floor", "until", "free_from", "closed", "reads")


class Model:
    """One process of the model, whose state is numbers."""

    def __init__(self):
        s = State.any()
        self.steps = {step.name: step for step in fleet.steps(s)}
        self.compiled = {
            name: (
                Compiled(step.condition),
                {field: Compiled(getattr(step.after, field)(ACTOR)) for field in FIELDS},
            )
            for name, step in self.steps.items()
            if name in PROCESS_STEPS
        }
        read, own = s.read(ACTOR), s.floor(ACTOR)
        self.targets = {"take": Compiled(Now().target(read.until)), "raise": Compiled(Now().target(own))}
        self.values = {
            "instance(actor)": ME, "by(sent)": 0, "actor": 0, "other_clock": 0, "made_for": 0,
            "proposed(sent)": False, "done(sent)": False,
        }
        for field in FIELDS:
            self.values[f"{field}(actor)"] = 0
        for name in ("expected(sent)", "next(sent)", "expected(asked(actor))", "next(asked(actor))", "read(actor)"):
            self.put(name, (0, 0, 0, 0))

    def put(self, name, plain):
        name, argument = name.split("(", 1)
        there, generation, holder, until = plain
        values = {"there": there == 1, "generation": generation, "held": holder != 0, "holder": holder, "until": until}
        self.values |= {f"{name}.{field}({argument}": value for field, value in values.items()}

    def is_possible(self, name):
        return self.compiled[name][0](self.values)

    def step(self, name):
        after = {f"{field}(actor)": function(self.values) for field, function in self.compiled[name][1].items()}
        self.values |= after

    def __getitem__(self, field):
        return self.values[f"{field}(actor)"]

    def asks(self, old, new):
        self.put("expected(asked(actor))", old)
        self.put("next(asked(actor))", new)

    def state(self):
        """What `fleet_state` returns."""
        kind, has_had = self["kind"], self["kind"] >= 2
        has_window = kind in (2, 4)
        return [
            kind,
            self["generation"] if has_had else 0,
            self["floor"] if has_window else 0,
            self["until"] if has_window else 0,
        ]


ANSWERS = ("answer to take", "answer to raise", "answer to release")
SEEN = (
    "seen: it has the node ID", "seen: it does not have the node ID", "seen: it holds", "seen: it lost",
    "seen: it releases", "seen: it released",
)
PROCESS_STEPS = ("take", "raise", "release", "release again", "lose", *ANSWERS, *SEEN)

Plain, Pair, Three, Four = (ctypes.c_uint64 * size for size in (4, 8, 3, 4))


class Disagreement(Exception):
    pass


class Trial:
    """Random histories of one process. The seed decides all."""

    def __init__(self, library, seed):
        self.library = ctypes.CDLL(library)
        self.library.fleet_new.restype = ctypes.c_void_p
        self.library.fleet_new.argtypes = [ctypes.c_uint64]
        for name in ("take", "raise", "release"):
            getattr(self.library, f"fleet_{name}").restype = ctypes.c_uint64
        self.random, self.model, self.counts = random.Random(seed), Model(), {}

    def time(self):
        """Times at the ends of the range, and some that are near to those that the process knows."""
        near = self.random.choice((0, 0, 1 << 40, fleet.MOST, self.model["until"], self.model["floor"]))
        far = self.random.choice((3, 20_000, 1 << 64))
        return (near + self.random.randrange(far) - self.random.choice((0, far // 2))) & fleet.MOST

    def record(self):
        """A record that is like one that the process knows, or any one."""
        model, r = self.model, self.random
        if r.random() < 0.1:
            return (0, 0, 0, 0)
        asked = model.values["next.generation(asked(actor))"]
        generation = r.choice((model["generation"], model["generation"], asked, asked, self.time()))
        if generation == fleet.MOST:
            generation -= 1
        return (1, generation, r.choice((0, ME, ME, OTHER)), self.time())

    def history(self, length):
        r, model = self.random, self.model
        window = r.choice((0, 1, 15_000, r.randrange(1 << 64), fleet.MOST))
        process = ctypes.c_void_p(self.library.fleet_new(window))
        model.values |= {f"{field}(actor)": 0 for field in FIELDS} | {"window": window}
        model.asks((0, 0, 0, 0), (0, 0, 0, 0))
        swaps = []
        for _ in range(length):
            self.step(process, r.choice(("take", "raise", "release", "answered", "answered", "seen", "lose")), swaps)
            state = Four()
            self.library.fleet_state(process, state)
            if list(state) != model.state():
                raise Disagreement(f"state {list(state)}, in the model {model.state()}: {self.last}, {model.values}")
        self.library.fleet_drop(process)

    def step(self, process, action, swaps):
        r, model, library = self.random, self.model, self.library
        out = Pair()
        clock, has_store, store = self.time(), r.randrange(2), self.time()
        if r.random() < 0.5:
            store = (clock + r.randrange(-30_000, 30_000)) & fleet.MOST
        model.values |= {"clock": clock, "has_store": has_store == 1, "store": store}
        times, read = Three(clock, has_store, store), self.record()
        if action == "take":
            if model["kind"] == 2:
                return
            if r.random() < 0.7:
                floor = (min(clock, store) - r.randrange(20_000)) & fleet.MOST
                read = (*read[:3], floor if read[0] else 0)
            model.values["reads(actor)"] = True
            model.put("read(actor)", read)
            proposal = (1, read[1] + 1, ME, model.targets["take"](model.values))
            proposes, old = library.fleet_take(process, Plain(*read), times, out), read
        elif action == "raise":
            own = (1, model["generation"], ME, model["until"])
            proposal = (*own[:3], model.targets["raise"](model.values))
            proposes, old = library.fleet_raise(process, times, out), own
        elif action == "release":
            has_last, last = r.randrange(2), self.time()
            model.values["after_last"] = last if has_last else 0
            own = (1, model["generation"], ME, model["until"])
            if model["kind"] == 3:
                action, free_from = "release again", model["free_from"]
            else:
                free_from = max(min(last if has_last else 0, own[3]), model["floor"])
            proposal = (1, own[1], 0, free_from)
            proposes = library.fleet_release(process, ctypes.c_uint64(has_last), ctypes.c_uint64(last), out)
            old = own
        elif action == "answered":
            swap = r.choice(swaps) if swaps and r.random() < 0.8 else (self.record(), (1, *self.record()[1:]))
            model.put("expected(sent)", swap[0])
            model.put("next(sent)", swap[1])
            model.values["done(sent)"] = True
            library.fleet_answered(process, Pair(*swap[0], *swap[1]), ctypes.c_uint64(1))
            return self.one_of(ANSWERS)
        elif action == "seen":
            model.values["reads(actor)"] = True
            model.put("read(actor)", read)
            library.fleet_seen(process, Plain(*read))
            return self.one_of(SEEN)
        else:
            library.fleet_lose(process)
            return self.one_of(("lose",))
        model.put("expected(sent)", old)
        model.put("next(sent)", proposal)
        model.values["done(sent)"] = False
        self.last = (action, list(out), old, proposal)
        if (proposes == 1) != model.is_possible(action):
            raise Disagreement(f"{action}: proposes {proposes}: {self.last}, {model.values}")
        if proposes == 1:
            if list(out) != [*old, *proposal]:
                raise Disagreement(f"{action}: {self.last}")
            self.one_of((action,))
            swaps.append((old, proposal))
            if action == "take":
                model.asks(old, proposal)
        else:
            self.counts[f"no {action}"] = self.counts.get(f"no {action}", 0) + 1

    def one_of(self, names):
        """Takes the step that is possible; at most one is."""
        possible = [name for name in names if self.model.is_possible(name)]
        self.last = possible
        if len(possible) > 1:
            raise Disagreement(str(possible))
        for name in possible:
            self.model.step(name)
            self.counts[name] = self.counts.get(name, 0) + 1


def agree(library, seed=1, count=1_000_000, length=50):
    """Returns how often each step was taken in `count` steps, or raises `Disagreement`."""
    trial = Trial(library, seed)
    for _ in range(count // length):
        trial.history(length)
    return trial.counts
