"""Whether a claim holds for all inputs, by two solvers that share no code."""

import time

import bitwuzla
import claripy
import z3

LIMIT = 600_000  # milliseconds, for each solver and claim


class Claim:
    """`premise` implies `conclusion`, for all values of the variables in them."""

    def __init__(self, name, premise, conclusion, calls=()):
        self.name, self.premise, self.conclusion, self.calls = name, premise, conclusion, list(calls)

    def decide(self):
        """Returns the seconds that each solver took, or raises `Refuted`."""
        seconds = {}
        started = time.time()
        counterexample = claripy.And(self.premise, claripy.Not(self.conclusion))
        query = claripy.backends.z3.convert(counterexample)
        solver = z3.Solver(ctx=query.ctx)
        solver.set("timeout", LIMIT)
        solver.add(query)
        smt = solver.to_smt2()
        seconds["formula"] = time.time() - started
        started = time.time()
        answer = str(solver.check())
        seconds["z3"] = time.time() - started
        if answer == "sat":
            raise Refuted(self, solver.model())
        started = time.time()
        other = by_bitwuzla(smt)
        seconds["bitwuzla"] = time.time() - started
        if (answer, other) != ("unsat", "unsat"):
            raise Undecided(f"{self.name}: Z3 answers {answer}, Bitwuzla {other}")
        return seconds


def by_bitwuzla(smt):
    terms = bitwuzla.TermManager()
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.TIME_LIMIT_PER, LIMIT)
    parser = bitwuzla.Parser(terms, options)
    parser.parse(smt.replace("(check-sat)", ""), True, False)
    return str(parser.bitwuzla().check_sat()).removeprefix("Result.").lower()


class Undecided(Exception):
    pass


class Refuted(Exception):
    def __init__(self, claim, model):
        super().__init__(claim.name)
        self.claim = claim
        self.values = {str(variable): model[variable].as_long() for variable in model.decls() if z3.is_bv(variable())}
        self._model = model

    def value(self, expression):
        """The value of an expression for the counterexample."""
        if not isinstance(expression, claripy.ast.Base):
            return expression
        value = self._model.eval(claripy.backends.z3.convert(expression), model_completion=True)
        return z3.is_true(value) if z3.is_bool(value) else value.as_long()
