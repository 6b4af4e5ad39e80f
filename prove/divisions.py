"""Claims about integers: what `machine` assumes of the multiplications that divide, and the check of EUIDs."""

import time

import cvc5
import z3

from decide import Refuted, Undecided
from machine import Division

class IntegerClaim:
    """A claim about integers, as SMT-LIB, which Z3 and cvc5 decide."""

    def __init__(self, name, variables, premises, conclusion):
        self.name = name
        self.smt = "\n".join([
            "(set-logic QF_LIA)",
            *(f"(declare-const {variable} Int)" for variable in variables),
            *(f"(assert {premise})" for premise in premises),
            f"(assert (not {conclusion}))",
            "(check-sat)",
        ])
        self.calls = []

    def decide(self):
        seconds = {}
        started = time.time()
        solver = z3.Solver()
        solver.from_string(self.smt)
        answers = [str(solver.check())]
        seconds["z3"] = time.time() - started
        started = time.time()
        other = cvc5.Solver()
        parser = cvc5.InputParser(other)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, self.smt, "claim")
        symbols = parser.getSymbolManager()
        while not (command := parser.nextCommand()).isNull():
            answers += str(command.invoke(other, symbols)).split()
        seconds["cvc5"] = time.time() - started
        if answers == ["sat", "sat"]:
            raise Refuted(self, solver.model())
        if answers != ["unsat", "unsat"]:
            raise Undecided(f"{self.name}: Z3 and cvc5 answer {answers}")
        return seconds


def check_of_euids():
    """The sum of the digits of 56 bits has the remainder of the number by 127."""
    yield IntegerClaim(
        "the sum of the digits",
        ["x", "a", "b", "c", "q", "r"],
        [f"(= x (+ a (* {1 << 56} b) (* {1 << 112} c)))", "(= (+ a b c) (+ (* 127 q) r))", "(<= 0 r 126)"],
        f"(= x (+ (* 127 (+ q (* {((1 << 56) - 1) // 127} b) (* {((1 << 112) - 1) // 127} c))) r))",
    )


def of_this_process():
    """Each division that was executed gives the quotient, and a number has one quotient."""
    for division in filter(None, Division.all.values()):
        factor, divisor, shift = division.factor, division.divisor, division.shift
        yield IntegerClaim(
            f"n · {factor:#x} ÷ 2^{64 + shift} = n ÷ {divisor}, for n ≤ {division.most}",
            ["n", "high", "q"],
            [
                f"(<= 0 n {division.most})",
                f"(<= (* {1 << 64} high) (* {factor} n))",
                f"(< (* {factor} n) (+ (* {1 << 64} high) {1 << 64}))",
                f"(<= (* {1 << shift} q) high)",
                f"(< high (+ (* {1 << shift} q) {1 << shift}))",
            ],
            f"(and (<= (* {divisor} q) n) (< n (+ (* {divisor} q) {divisor})) (< (* {divisor} q) {1 << 64}))",
        )
        yield IntegerClaim(
            f"a number has one quotient by {divisor}",
            ["n", "q", "p"],
            [f"(<= (* {divisor} {it}) n)" for it in "qp"] + [f"(< n (+ (* {divisor} {it}) {divisor}))" for it in "qp"],
            "(= p q)",
        )
