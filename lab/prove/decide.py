"""Whether a claim holds for all inputs, by two solvers that share no code."""

import time

import bitwuzla
import claripy
import cvc5
import z3

LIMIT, QUICK = 600_000, 60_000  # milliseconds, for each solver and claim


class Undecided(Exception):
    pass


class Refuted(Exception):
    def __init__(self, claim, model):
        super().__init__(f"{claim.name}: {model}")
        self.claim, self.model = claim, model


class Query:
    """`premise` implies `conclusion`, for all values of the variables in them: formulas of Z3, in a logic of SMT-LIB."""

    second = "cvc5"

    def __init__(self, name, premise, conclusion, logic):
        self.name, self.premise, self.conclusion, self.logic = name, premise, conclusion, logic

    def solver(self):
        solver = z3.SolverFor(self.logic)
        solver.add(self.premise, z3.Not(self.conclusion))
        return solver

    def decide(self, quick=False):
        """Returns the seconds that each solver took, or raises `Refuted`. Quickly, only Z3 tries it, and not for long."""
        started = time.time()
        solver = self.solver()
        solver.set("timeout", QUICK if quick else LIMIT)
        smt = solver.to_smt2().replace("(check-sat)", "")
        answers, seconds = [], {}
        for name, check in (("z3", lambda: str(solver.check())), (self.second, lambda: self.by_second(smt))):
            seconds["formula"], started = seconds.get("formula", time.time() - started), time.time()
            answers.append(check())
            seconds[name] = time.time() - started
            if quick or answers == ["sat"]:
                break
        if set(answers) == {"sat"}:
            raise Refuted(self, solver.model())
        if set(answers) != {"unsat"}:
            raise Undecided(f"{self.name}: Z3 and {self.second} answer {answers}")
        return seconds

    def by_second(self, smt):
        solver = cvc5.Solver()
        solver.setOption("tlimit-per", str(LIMIT))
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic {self.logic})\n{smt}", "")
        while not (command := parser.nextCommand()).isNull():
            command.invoke(solver, parser.getSymbolManager())
        return str(solver.checkSat())


class Claim(Query):
    """A query of formulas of claripy. A counterexample is one of what the `calls` do."""

    second = "bitwuzla"

    def __init__(self, name, premise, conclusion, calls=()):
        super().__init__(name, premise, conclusion, None)
        self.calls = list(calls)

    def solver(self):
        return solver_of(self.premise, claripy.Not(self.conclusion))

    def by_second(self, smt):
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.TIME_LIMIT_PER, LIMIT)
        parser = bitwuzla.Parser(bitwuzla.TermManager(), options)
        parser.parse(smt, True, False)
        return str(parser.bitwuzla().check_sat()).removeprefix("Result.").lower()


def solver_of(*formulas):
    """Z3 with formulas of claripy."""
    query = claripy.backends.z3.convert(claripy.And(*formulas))
    solver = z3.Solver(ctx=query.ctx)
    solver.add(query)
    return solver


def value(model, formula):
    """The value of a formula of claripy in a model of Z3."""
    found = model.eval(claripy.backends.z3.convert(formula), model_completion=True)
    return z3.is_true(found) if z3.is_bool(found) else found.as_long()


def divisions(divisions):
    """Each division that was executed gives the quotient, and a number has one quotient."""
    n, high, q, p = z3.Ints("n high q p")
    for it in filter(None, divisions.values()):
        factor, divisor, power = it.factor, it.divisor, 1 << it.shift
        is_high = z3.And(high * (1 << 64) <= factor * n, factor * n < high * (1 << 64) + (1 << 64))
        is_shifted = z3.And(power * q <= high, high < power * q + power)
        right = z3.And(divisor * q <= n, n < divisor * q + divisor)
        yield Query(
            f"n · {factor:#x} ÷ 2^{64 + it.shift} = n ÷ {divisor}, for n ≤ {it.most}",
            z3.And(0 <= n, n <= it.most, is_high, is_shifted),
            z3.And(right, divisor * q < 1 << 64),
            "QF_LIA",
        )
        other = z3.And(divisor * p <= n, n < divisor * p + divisor)
        yield Query(f"a number has one quotient by {divisor}", z3.And(right, other), p == q, "QF_LIA")


def sum_of_digits():
    """The sum of the digits of 56 bits has the remainder of the number by 127, for the check of EUIDs."""
    x, a, b, c, q, r = z3.Ints("x a b c q r")
    digits = z3.And(x == a + b * (1 << 56) + c * (1 << 112), a + b + c == 127 * q + r, 0 <= r, r <= 126)
    whole = q + b * (((1 << 56) - 1) // 127) + c * (((1 << 112) - 1) // 127)
    yield Query("the sum of the digits", digits, x == 127 * whole + r, "QF_LIA")
