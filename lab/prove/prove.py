"""Proves the theorems on a library, and that bugs in it break them: `prove.py LIBRARY` prints a JSON object."""

import argparse
import itertools
import json
import multiprocessing
import random
import sys
import threading
import time
import traceback

sys.setrecursionlimit(1_000_000)
threading.stack_size(1 << 30)

import decide
import fleet
import positions
import ron
import texts
import trial
from decide import Refuted, Undecided
from machine import Division, Machine


class Theorem:
    """A theorem for each of some subjects, such as specifications, and for which of them a bug has to break it."""

    def __init__(self, name, prove, subjects, symbols, inputs, broken=None):
        self.name, self.prove, self.subjects, self.symbols, self.inputs = name, prove, list(subjects), symbols, inputs
        self.broken = list(subjects if broken is None else broken)


# One form of each specification decides how IDs compare, and what the parser does with texts of other lengths.
SPECS = ["ulid-flake", "scru160", "euid", "evently-id"]
STEPS = [step.name for step in fleet.steps(fleet.State.any())]

THEOREMS = [
    Theorem("encode", texts.encode, texts.FORMS, "encode(x) = digits(x)", "2^63 to 2^160 IDs"),
    Theorem("parse", texts.parse, texts.FORMS, "parse(t) = x if t ∈ grammar, else the first error", "2^104 to 2^320 texts"),
    Theorem("lengths", texts.lengths, SPECS, "length(t) ∉ lengths ⇒ parse(t) = Length", "texts of 0 to 48 bytes"),
    Theorem("order", texts.order, SPECS, "x < y ⇔ bytes(x) < bytes(y) ⇔ text(x) < text(y)", "2^126 to 2^320 pairs"),
    Theorem("ron-encode", ron.encode, range(11), "encode(x) = text(x)", "2^122 UIDs", [1]),
    Theorem("ron-parse", ron.parse, range(12), "parse(encode(x)) = x", "2^122 UIDs", [1]),
    Theorem("ron-order", ron.order, ["ron-uid"], "x < y ⇔ (value, origin, scheme) of x < those of y", "2^244 pairs"),
    Theorem("next", positions.next_position, positions.ORDERS, "next(p) > p", "all positions, random bytes and options"),
    Theorem("ids", positions.ids, positions.ORDERS, "position(id(p, r)) = p, p < q ⇒ id(p, r) < id(q, s)", "all positions, random bytes and options"),
    Theorem("fleet", fleet.prove, ["promise", *STEPS], "g < h ⇒ times(g) < times(h)", "any number of processes, all times", fleet.FAULTS),
]
# How many functions are compared with the processor for each subject, and how many bugs are tried until one breaks it.
COMPARED, TRIED = 4, 200


def prove(library, theorem, subject):
    """Decides all claims, and compares the functions of some of them with the processor."""
    seconds, calls, compared, claims, started = {"formulas": 0.0}, {}, 0, 0, time.time()
    for claim in itertools.chain(theorem.prove(Machine(library), subject), decide.divisions(Division.all)):
        seconds["formulas"] += time.time() - started
        for solver, took in claim.decide().items():
            seconds[solver] = seconds.get(solver, 0.0) + took
        claims += 1
        for call in getattr(claim, "calls", ()):
            if id(call) not in calls and len(calls) < COMPARED:
                calls[id(call)] = call
                for model in trial.inputs(call, random.Random(1)):
                    is_foreseen, text = trial.foreseen(library, call, model)
                    if not is_foreseen:
                        raise Undecided(f"the processor does not do what the formulas say: {text}")
                    compared += 1
        started = time.time()
    return {"claims": claims, "seconds": seconds, "compared": compared}


def refute(library, theorem, subject):
    """Finds a bug that breaks a theorem: what it does is what the counterexample says, and not what the library does."""
    if theorem.prove is fleet.prove:
        claim = fleet.faulty(subject)
        try:
            claim.decide()
        except Refuted:
            return {"bug": claim.name}
        raise Undecided("the theorem holds with this fault")
    machine = Machine(library)
    calls = {id(call): call for claim in theorem.prove(machine, subject) for call in getattr(claim, "calls", ())}
    inputs = [(it, model) for it in [*calls.values()][:COMPARED] for model in trial.inputs(it, random.Random(1))]
    for file, bug in itertools.islice(trial.bugs(machine, library, random.Random(f"{theorem.name}, {subject}")), TRIED):
        # A bug that these inputs do not show may be none, and take long.
        if all(trial.foreseen(file, call, model)[0] for call, model in inputs):
            continue
        try:
            for claim in theorem.prove(Machine(file, limit=60), subject):
                if getattr(claim, "calls", ()):
                    claim.decide(quick=True)
        except Refuted as refuted:
            told = [trial.foreseen(file, call, refuted.model) for call in refuted.claim.calls]
            before = [trial.foreseen(library, call, refuted.model) for call in refuted.claim.calls]
            if all(is_foreseen for is_foreseen, _ in told) and not all(is_foreseen for is_foreseen, _ in before):
                return {"bug": f"{bug}: {claim.name}: {', '.join(text for _, text in told)}"}
        except Exception:
            # The bug makes code that the proof does not follow.
            pass
    raise Undecided(f"no bug of {TRIED} breaks the theorem")


def work(job):
    """Does a job in a thread, because only a thread has a stack that is large enough."""
    (library, is_bug, name, subject), result = job, {}

    def run():
        theorem = next(it for it in THEOREMS if it.name == name)
        try:
            result.update((refute if is_bug else prove)(library, theorem, subject))
        except Exception:
            result["error"] = traceback.format_exc()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return *job[1:], result


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("library")
    arguments.add_argument("--only", metavar="THEOREM", help="prove only this theorem")
    options = arguments.parse_args()
    theorems = [it for it in THEOREMS if options.only in (None, it.name)]
    # What takes long is first.
    jobs = [(options.library, False, it.name, subject) for it in reversed(theorems) for subject in it.subjects]
    jobs += [(options.library, True, it.name, subject) for it in reversed(theorems) for subject in it.broken]
    results = {}
    with multiprocessing.Pool(multiprocessing.cpu_count(), maxtasksperchild=1) as pool:
        for is_bug, name, subject, result in pool.imap_unordered(work, jobs, chunksize=1):
            shown = result.get("error") or result.get("bug") or "right"
            print(f"{name}, {subject}: {shown}", file=sys.stderr, flush=True)
            results.setdefault((is_bug, name), []).append(result)
    if not results or any("error" in it for found in results.values() for it in found):
        return 1
    table = []
    for it in theorems:
        rows = results[False, it.name]
        table.append({
            "name": it.name,
            "theorem": " ".join(it.prove.__doc__.split("\n\n")[0].split()),
            "symbols": it.symbols,
            "inputs": it.inputs,
            "claims": sum(row["claims"] for row in rows),
            "seconds": {key: sum(row["seconds"].get(key, 0.0) for row in rows) for row in rows for key in row["seconds"]},
            "compared": sum(row["compared"] for row in rows),
            "changes": len(it.broken),
        })
    json.dump(table, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
