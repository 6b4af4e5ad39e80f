"""Whether `processor.check` finds a formula that is wrong."""

import claripy
import numpy as np
import z3

from machine import Quotient
from processor import Differs, comparisons

LIMIT = 60_000  # milliseconds


class Missed(Exception):
    """The inputs do not show what a solver finds."""


def check_changes(machine, library, name, tries, count, seed):
    """Changes one bit of one constant in a formula, `tries` times: the inputs show it, or it changes no value.

    Each path that an input can take has to be taken, too. Returns how many changes the inputs showed, and how many
    changed no value.
    """
    random = np.random.default_rng(seed)
    found = equal = 0
    for comparison, inputs in comparisons(machine, library, name, count, random):
        comparison.compare(random, inputs)
        call, taken, stated = comparison.call, [*comparison.taken], comparison.stated
        for path, inputs_of_path in zip(call.paths, taken):
            if inputs_of_path == 0 and is_possible(path.condition):
                raise Missed(f"{name}: no input takes a path that is possible")
        for _ in range(tries):
            path = int(random.choice(np.flatnonzero(taken)))
            formula = int(random.integers(len(stated[path])))
            before = stated[path][formula]
            after = changed(random, before)
            if after is None:
                continue
            comparison.state([
                [after if (at, part) == (path, formula) else it for part, it in enumerate(formulas)]
                for at, formulas in enumerate(stated)
            ])
            try:
                comparison.compare(random, inputs)
            except Differs:
                found += 1
                continue
            where = claripy.true() if formula == 0 else call.paths[path].condition
            if is_possible(claripy.And(Quotient.are_functions(call.quotients), where, differ(before, after))):
                raise Missed(f"{name}: a changed constant in formula {formula} of path {path}")
            equal += 1
    return found, equal


def changed(random, formula):
    """The formula with one bit of one of its constants inverted."""
    seen, stack = {}, [formula]
    while stack:
        it = stack.pop()
        if it.hash() not in seen:
            seen[it.hash()] = it
            stack.extend(part for part in it.args if isinstance(part, claripy.ast.Base))
    constants = [it for it in seen.values() if it.op == "BVV"]
    if not constants:
        return None
    constant = constants[random.integers(len(constants))]
    bit = 1 << int(random.integers(constant.size()))
    return claripy.replace(formula, constant, claripy.BVV(constant.concrete_value ^ bit, constant.size()))


def differ(a, b):
    if isinstance(a, claripy.ast.BV):
        return a != b
    return claripy.Or(claripy.And(a, claripy.Not(b)), claripy.And(b, claripy.Not(a)))


def is_possible(condition):
    query = claripy.backends.z3.convert(condition)
    solver = z3.Solver(ctx=query.ctx)
    solver.set("timeout", LIMIT)
    solver.add(query)
    answer = str(solver.check())
    if answer not in ("sat", "unsat"):
        raise Missed(f"the solver answers {answer}")
    return answer == "sat"
