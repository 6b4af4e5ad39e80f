"""Proves the theorems on a library, or shows that changes of the code break them.

`prove.py LIBRARY FLEET` proves all theorems and prints a JSON object. FLEET is the library with the feature `fleet`.
`prove.py LIBRARY - --breaks CHANGE` has to find a counterexample in a library that was built with this change.
"""

import argparse
import ctypes
import itertools
import json
import multiprocessing
import sys
import threading
import time
import traceback

sys.setrecursionlimit(1_000_000)
threading.stack_size(1 << 30)

import changes
import divisions
import fleet
import fleet_sizes
import fleet_trial
import positions
import processor
import processor_changes
import ron
import texts
from decide import Refuted, Undecided
from machine import Fault, Machine
from replay import replay


class Theorem:
    """A theorem for each of some subjects, such as specifications. `faults` has the queries that it must not imply."""

    def __init__(self, name, prove, subjects, symbols, inputs, faults=None):
        self.name, self.prove, self.subjects, self.symbols, self.inputs = name, prove, subjects, symbols, inputs
        self.faults = faults

    @property
    def sentence(self):
        return " ".join(self.prove.__doc__.split("\n\n")[0].split())


FORMS = list(texts.FORMS)
# One form of each specification decides what the parser does with texts of other lengths.
SPECS = ["ulid-flake", "scru160", "euid", "evently-id"]
ORDERS = list(positions.ORDERS)
STEPS = [step.name for step in fleet.steps(fleet.State.any())]

THEOREMS = [
    Theorem("encode", texts.encode, FORMS, "encode(x) = digits(x)", "2^63 to 2^160 IDs"),
    Theorem("parse", texts.parse, FORMS, "parse(t) = x if t ∈ grammar, else the first error", "2^104 to 2^320 texts"),
    Theorem("lengths", texts.lengths, SPECS, "length(t) ∉ lengths ⇒ parse(t) = Length", "texts of 0 to 48 bytes"),
    Theorem("round-trip", texts.round_trip, FORMS, "parse(encode(x)) = x, encode(parse(t)) = canonical(t)", "all IDs and texts"),
    Theorem("order", texts.order, SPECS, "x < y ⇔ bytes(x) < bytes(y) ⇔ text(x) < text(y)", "2^126 to 2^320 pairs"),
    Theorem("ron-encode", ron.encode, ["ron-uid"], "encode(x) = text(x)", "2^122 UIDs"),
    Theorem("ron-parse", ron.parse, ["ron-uid"], "parse(t) = x if t ∈ grammar, else the first error", "texts of 0 to 3 bytes"),
    Theorem("ron-round-trip", ron.canonical, ["as one", *(f"{it} digits" for it in range(12))], "parse(encode(x)) = x", "2^122 UIDs"),
    Theorem("ron-order", ron.order, ["ron-uid"], "x < y ⇔ (value, origin, scheme) of x < those of y", "2^244 pairs"),
    Theorem("next", positions.next_position, ORDERS, "next(p) > p", "all positions, random bytes and options"),
    Theorem("ids", positions.ids, ORDERS, "position(id(p, r)) = p, p < q ⇒ id(p, r) < id(q, s)", "all positions, random bytes and options"),
    Theorem("fields", positions.fields, ORDERS, "field(x) = bits(x)", "2^63 to 2^160 IDs"),
    Theorem("generators", positions.generators, ["evently-id"], "generate() after x > x", "all Event IDs, and all times"),
    Theorem("fleet", fleet.prove, ["promise", *STEPS], "g < h ⇒ times(g) < times(h)", "any number of processes, all times", fleet.faults),
    Theorem("fleet-sizes", fleet_sizes.prove, ["all"], "size(m) = size(n)", "any number of node IDs", fleet_sizes.faults),
]
# How many inputs of each function compare the reading of the machine code with the processor, and how many steps the
# model of fleets with the library.
COMPARED = 1_000_000


def compare(machine, library, function):
    """Compares a function with the processor, and checks that a wrong formula would be found."""
    library = ctypes.CDLL(library)
    compared = processor.check(machine, library, function, COMPARED, seed=1)
    processor_changes.check_changes(machine, library, function, tries=2, count=200_000, seed=1)
    return {"compared": compared}


def agree(_, library, subject):
    """Compares the model of fleets with the library."""
    return {"compared": sum(fleet_trial.agree(library, seed=1, count=COMPARED).values())}


def refute(machine, library, name):
    """Refutes a theorem about a model with each of its faults."""
    theorem = next(it for it in THEOREMS if it.name == name)
    found = 0
    for query in theorem.faults():
        try:
            query.decide()
        except Refuted:
            found += 1
            continue
        raise Undecided(f"{query.name}: the theorem holds with this fault")
    return {"refuted_faults": found}


OTHERS = {"processor": compare, "trial": agree, "faults": refute}


def prove(job):
    """Proves one theorem for one subject. Returns what the table needs, or what went wrong."""
    library, name, subject = job
    result = {}

    def work():
        try:
            if name in OTHERS:
                machine = Machine(library) if name == "processor" else None
                result.update(OTHERS[name](machine, library, subject))
                return
            theorem = next(it for it in THEOREMS if it.name == name)
            machine = Machine(library)
            seconds, claims = {"formulas": 0.0}, 0
            started = time.time()
            for claim in itertools.chain(theorem.prove(machine, subject), divisions.of_this_process()):
                seconds["formulas"] += time.time() - started
                for solver, took in claim.decide().items():
                    seconds[solver] = seconds.get(solver, 0.0) + took
                claims += 1
                started = time.time()
            result.update(claims=claims, seconds=seconds)
        except Refuted as refuted:
            counterexample = replay(library, refuted) if hasattr(refuted.claim, "calls") else []
            result.update(refuted=refuted.claim.name, counterexample=counterexample)
        except Fault as fault:
            result.update(refuted=str(fault), counterexample=[])
        except Undecided as undecided:
            result.update(undecided=str(undecided))
        except Exception:
            result.update(undecided=traceback.format_exc())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return name, subject, result


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("library")
    arguments.add_argument("fleet")
    arguments.add_argument("--breaks", metavar="CHANGE", help="a change in the library, which has to break a theorem")
    arguments.add_argument("--changes", action="store_true", help="list the changes as JSON")
    arguments.add_argument("--only", metavar="THEOREM", help="prove only this theorem")
    options = arguments.parse_args()
    if options.changes:
        json.dump(changes.CHANGES, sys.stdout)
        return 0
    if options.breaks:
        change = next(it for it in changes.CHANGES if it["name"] == options.breaks)
        _, _, result = prove((options.library, change["theorem"], change["subject"]))
        json.dump(result, sys.stdout)
        return 0
    jobs = [(options.fleet, "trial", "fleet")]
    jobs += [(options.library, "faults", theorem.name) for theorem in THEOREMS if theorem.faults]
    # What takes long is first.
    jobs += [(options.library, theorem.name, subject) for theorem in reversed(THEOREMS) for subject in theorem.subjects]
    jobs += [(options.library, "processor", function) for function in processor.functions()]
    if options.only:
        jobs = [job for job in jobs if options.only in job[1:]]
    results = {}
    with multiprocessing.Pool(multiprocessing.cpu_count(), maxtasksperchild=1) as pool:
        for name, subject, result in pool.imap_unordered(prove, jobs, chunksize=1):
            is_good = not {"refuted", "undecided"} & set(result)
            print(f"{name}, {subject}: {'right' if is_good else 'NOT PROVED'}", file=sys.stderr, flush=True)
            if not is_good:
                print(json.dumps(result, indent=2).replace("\\n", "\n"), file=sys.stderr, flush=True)
            results[name, subject] = result | {"is_good": is_good}
    table = []
    for theorem in THEOREMS:
        rows = [results[theorem.name, it] for it in theorem.subjects if (theorem.name, it) in results]
        if rows and all(it["is_good"] for it in rows):
            keys = {key for it in rows for key in it["seconds"]}
            table.append({
                "name": theorem.name,
                "theorem": theorem.sentence,
                "symbols": theorem.symbols,
                "inputs": theorem.inputs,
                "claims": sum(it["claims"] for it in rows),
                "seconds": {key: sum(it["seconds"].get(key, 0.0) for it in rows) for key in keys},
                "faults": results.get(("faults", theorem.name), {}).get("refuted_faults", 0),
            })
    compared = {name: sum(it.get("compared", 0) for (kind, _), it in results.items() if kind == name) for name in OTHERS}
    json.dump({"theorems": table, "functions": len(processor.functions()), **compared}, sys.stdout)
    return 0 if all(it["is_good"] for it in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
