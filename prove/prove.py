"""Proves the theorems on a library, or shows that changes of the code break them.

`prove.py LIBRARY` proves all theorems and prints a JSON object. With `--quick`, it proves only what takes seconds.
`prove.py LIBRARY --breaks CHANGE` has to find a counterexample in a library that was built with this change.
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
import processor
import processor_changes
import texts
from decide import Refuted, Undecided
from machine import Fault, Machine
from replay import replay


class Theorem:
    def __init__(self, name, prove, subjects, symbols, inputs):
        self.name, self.prove, self.subjects, self.symbols, self.inputs = name, prove, subjects, symbols, inputs

    @property
    def sentence(self):
        return self.prove.__doc__


FORMS = list(texts.FORMS)
# One form of each specification decides what the parser does with texts of other lengths.
SPECS = ["ulid-flake", "scru160", "euid", "evently-id"]

THEOREMS = [
    Theorem("encode", texts.encode, FORMS, "encode(x) = digits(x)", "2^63 to 2^160 IDs"),
    Theorem("parse", texts.parse, FORMS, "parse(t) = x if t ∈ grammar, else the first error", "2^104 to 2^320 texts"),
    Theorem("lengths", texts.lengths, SPECS, "|t| ∉ {n} ⇒ parse(t) = Length", "texts of 0 to 48 bytes"),
    Theorem("round-trip", texts.round_trip, FORMS, "parse(encode(x)) = x, encode(parse(t)) = canonical(t)", "both"),
    Theorem("order", texts.order, SPECS, "x < y ⇔ bytes(x) < bytes(y) ⇔ text(x) < text(y)", "2^126 to 2^320 pairs"),
    Theorem("remainder", divisions.divisions, ["euid"], "x ≡ a + b + c (mod 127)", "all x"),
]
PROCESSOR = "processor"
QUICK = {"encode", "parse", "order", "remainder"}


# How many inputs of each function compare the reading of the machine code with the processor.
COMPARED = 1_000_000


def compare(machine, library, function):
    """Compares a function with the processor, and checks that a wrong formula would be found."""
    library = ctypes.CDLL(library)
    compared = processor.check(machine, library, function, COMPARED, seed=1)
    found, _ = processor_changes.check_changes(machine, library, function, tries=2, count=20_000, seed=1)
    return {"claims": 0, "compared": compared, "found": found}


def prove(job):
    """Proves one theorem for one subject. Returns what the table needs, or what went wrong."""
    library, name, subject = job
    result = {}

    def work():
        try:
            machine = Machine(library)
            if name == PROCESSOR:
                result.update(compare(machine, library, subject))
                return
            theorem = next(it for it in THEOREMS if it.name == name)
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
            result.update(refuted=refuted.claim.name, counterexample=replay(library, refuted))
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
    arguments.add_argument("--quick", action="store_true", help="only the theorems that take seconds")
    arguments.add_argument("--breaks", metavar="CHANGE", help="a change in the library, which has to break a theorem")
    arguments.add_argument("--changes", action="store_true", help="list the changes as JSON")
    options = arguments.parse_args()
    if options.changes:
        json.dump(changes.CHANGES, sys.stdout)
        return 0
    if options.breaks:
        change = next(it for it in changes.CHANGES if it["name"] == options.breaks)
        name, subject, result = prove((options.library, change["theorem"], change["subject"]))
        json.dump({"name": change["name"], **result}, sys.stdout)
        return 0
    jobs = [
        (options.library, theorem.name, subject)
        for theorem in THEOREMS
        if not options.quick or theorem.name in QUICK
        for subject in theorem.subjects
    ]
    if not options.quick:
        jobs += [(options.library, PROCESSOR, function) for function in processor.functions()]
    rows = {}
    with multiprocessing.Pool(multiprocessing.cpu_count(), maxtasksperchild=1) as pool:
        for name, subject, result in pool.imap_unordered(prove, jobs, chunksize=1):
            state = "proved" if "claims" in result else "NOT PROVED"
            state = "compared" if "compared" in result else state
            print(f"{state} {name}, {subject}", file=sys.stderr, flush=True)
            if "claims" not in result:
                print(json.dumps(result, indent=2).replace("\\n", "\n"), file=sys.stderr, flush=True)
            rows.setdefault(name, []).append(result)
    proved = all("claims" in it for results in rows.values() for it in results)
    table = []
    for theorem in THEOREMS:
        results = rows.get(theorem.name)
        if proved and results:
            add = lambda key: sum(it["seconds"].get(key, 0.0) for it in results)
            table.append({
                "name": theorem.name,
                "theorem": theorem.sentence,
                "symbols": theorem.symbols,
                "inputs": theorem.inputs,
                "claims": sum(it["claims"] for it in results),
                "seconds": {key: round(add(key), 1) for key in ("formulas", "z3", "bitwuzla", "cvc5")},
            })
    compared = {"functions": len(rows.get(PROCESSOR, [])), "inputs": sum(it.get("compared", 0) for it in rows.get(PROCESSOR, []))}
    json.dump({"theorems": table, "compared": compared}, sys.stdout)
    return 0 if proved else 1


if __name__ == "__main__":
    sys.exit(main())
