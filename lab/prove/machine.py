"""Symbolic execution of functions in a shared library, on the machine code as it was compiled.

`Machine.run` executes a function for all values of its inputs at once, and returns the paths through it. A path has its
condition, the value that the function returns, and the memory that it leaves behind, each as a formula over the inputs.

A read of a table at an address that depends on the input becomes a choice among the entries of the table, which are read
from the library. Each access to memory must lie within one region: a buffer that was passed, the stack, or one object of
the library.
"""

import bisect
import logging
import math
import time

for _name in ("angr", "cle", "claripy", "pyvex"):
    logging.getLogger(_name).setLevel("CRITICAL")

import angr
import claripy
from angr.engines.vex.claripy.datalayer import ClaripyDataMixin
from cle.backends.symbol import SymbolType

RETURN = 0xDEAD_0000
FIRST_BUFFER = 0x10_0000
STACK = (0x7FFF_FFFF_0000 - 0x10_0000, 0x7FFF_FFFF_0000 + 0x1000)

# The greatest distance of two addresses in a buffer or on the stack of which one access may use either.
SPAN = 64
# The greatest size of a table, and the greatest depth of a formula that is simplified.
TABLE, SHUFFLE = 1 << 14, 16

# A function that a panic calls has one of these in its name.
PANICS = ("panicking", "unwrap_failed", "expect_failed", "slice_index", "len_mismatch", "panic_fmt", "panic_")

_plain_operation = ClaripyDataMixin._perform_vex_expr_Op


def _operation(self, name, arguments):
    """Compilers divide by a constant with a multiplication of 64 by 64 bits, whose upper half is the quotient.

    No solver of bit-vectors decides formulas with many such products. The upper half becomes an unknown number, of which
    the quotient's definition is assumed. `decide.divisions` proves this definition for each constant.
    """
    if name == "Iop_MullU64":
        value, factor = arguments
        if not value.symbolic:
            value, factor = factor, value
        # A small factor is that of a plain multiplication, which solvers decide.
        if value.symbolic and not factor.symbolic and factor.concrete_value >> 32:
            high = claripy.BVS("quotient", 64)
            division = Division.of(factor.concrete_value)
            if division is not None:
                _, most = bounds(value)
                division.most = max(division.most, most)
                quotient = Quotient(division.divisor, value, claripy.LShR(high, division.shift))
                self.state.solver.add(quotient.definition)
                self.state.globals["quotients"] = (*self.state.globals.get("quotients", ()), quotient)
                return claripy.Concat(high, value * factor)
    if name.startswith("Iop_Ctz"):
        arguments = [claripy.simplify(it) for it in arguments]
    result = _plain_operation(self, name, arguments)
    # Compilers shuffle bytes with shifts and masks. The digits that parsers join have choices in them, and are left alone.
    return claripy.simplify(result) if name == "Iop_Or64" and result.symbolic and result.depth < SHUFFLE else result


ClaripyDataMixin._perform_vex_expr_Op = _operation


class Division:
    """The division by a constant `divisor` that a multiplication by `factor` and a shift to the right do."""

    all = {}

    def __init__(self, factor, divisor, shift):
        self.factor, self.divisor, self.shift, self.most = factor, divisor, shift, 0

    @classmethod
    def of(cls, factor):
        if factor not in cls.all:
            for shift in range(64):
                power = 1 << (64 + shift)
                divisor = power // factor
                for divisor in (divisor, divisor + 1):
                    if divisor > 2 and -(-power // divisor) == factor:
                        return cls.all.setdefault(factor, cls(factor, divisor, shift))
            cls.all[factor] = None
        return cls.all[factor]


class Quotient:
    """An unknown number that is a quotient of 64 bits."""

    def __init__(self, divisor, dividend, quotient):
        self.divisor, self.dividend, self.quotient = divisor, dividend, quotient
        self.rest = dividend - quotient * divisor
        self.definition = claripy.And(
            claripy.ULE(quotient, ((1 << 64) - 1) // divisor),
            claripy.ULE(quotient * divisor, dividend),
            claripy.ULT(self.rest, divisor),
        )

    @staticmethod
    def are_functions(quotients):
        """Equal numbers have equal quotients. `divisions` proves it; solvers of bit-vectors would have to find it."""
        quotients = list({it.quotient.hash(): it for it in quotients}.values())
        return claripy.And(
            claripy.true(),
            *(it.definition for it in quotients),
            *(
                claripy.Or(a.dividend != b.dividend, a.quotient == b.quotient)
                for at, a in enumerate(quotients)
                for b in quotients[:at]
                if a.divisor == b.divisor
            ),
        )


class Fault(Exception):
    """The code does what no path may do, such as a read outside of its arrays."""


class _NotTaken(angr.errors.SimError):
    """No input takes this path. `Call.is_whole` proves that the other paths take all inputs."""


def constant(state, expression):
    """The only value that an expression has on a path, found by a solver. That it is the only one has to be proved."""
    low, high = bounds(expression)
    if low == high:
        return low
    value = a_value(state, expression)
    oblige(state, expression == value)
    return value


def a_value(state, expression):
    """One of the values that an expression has on a path."""
    try:
        return state.solver.eval(expression)
    except (angr.errors.SimUnsatError, claripy.errors.UnsatError):
        raise _NotTaken from None


def oblige(state, fact):
    """Records what has to be proved of each input that takes the path."""
    condition = claripy.And(claripy.true(), *state.solver.constraints)
    state.globals["obligations"] = (*state.globals.get("obligations", ()), claripy.Or(claripy.Not(condition), fact))


class _Copy(angr.SimProcedure):
    """`memcpy`: a copy of a number of bytes that is constant on the path."""

    def run(self, to, source, count):
        count = constant(self.state, count)
        if count:
            self.state.memory.store(to, self.state.memory.load(source, count))
        return to


class _Panic(angr.SimProcedure):
    NO_RET = True

    def run(self):
        self.state.globals["panic"] = True
        self.jump(RETURN)


class Path:
    """One way through a function."""

    def __init__(self, state):
        self.obligations = state.globals.get("obligations", ())
        self.quotients = state.globals.get("quotients", ())
        self.condition = claripy.And(claripy.true(), *state.solver.constraints)
        self.panics = state.globals.get("panic", False)
        self.result = state.regs.rax
        self._state = state

    def memory(self, address, size):
        return self._state.memory.load(address, size)


class Machine:
    """A library. `executed` has the blocks of instructions that were executed, `tables` the constants that were read."""

    def __init__(self, library, limit=3600):
        self._limit = time.process_time() + limit
        self.executed, self.tables = set(), set()
        self.project = angr.Project(library, auto_load_libs=False)
        main = self.project.loader.main_object
        self._objects = sorted(
            (s.rebased_addr, s.rebased_addr + s.size)
            for s in main.symbols
            if s.size and s.type == SymbolType.TYPE_OBJECT
        )
        self._starts = [start for start, _ in self._objects]
        self._constants = [
            (section.min_addr, section.max_addr + 1)
            for section in main.sections
            if section.name.startswith((".rodata", ".data.rel.ro", ".got"))
        ]
        self._reads = {}
        self.project.hook_symbol("memcpy", _Copy(), replace=True)
        for symbol in main.symbols:
            if symbol.is_function and any(name in symbol.name for name in PANICS):
                self.project.hook(symbol.rebased_addr, _Panic(), replace=True)

    def run(self, function, arguments, buffers, outs, assumption, eager):
        """Executes `function` for all inputs. `buffers` are tuples of an address, a size and the content; `outs` lack it.

        Branches that no input takes are followed, too: the solvers decide in the end. A call that is `eager` asks at
        each branch.
        """
        symbol = self.project.loader.find_symbol(function)
        if symbol is None:
            raise Fault(f"the library has no function {function}")
        regions = [(address, address + size) for address, size, *_ in (*buffers, *outs)] + [STACK]
        state = self.project.factory.call_state(
            symbol.rebased_addr,
            *arguments,
            ret_addr=RETURN,
            # At the first instruction of a function, the stack is 8 bytes off a multiple of 16.
            stack_base=STACK[1] - 0x1000 + 8,
            add_options={
                angr.options.ZERO_FILL_UNCONSTRAINED_REGISTERS,
                angr.options.SYMBOL_FILL_UNCONSTRAINED_MEMORY,
                *([] if eager else [angr.options.LAZY_SOLVES]),
            },
            remove_options=angr.options.simplification,
        )
        state.inspect.b("mem_read", when=angr.BP_BEFORE, action=lambda s: self._before_read(s, regions))
        state.inspect.b("mem_read", when=angr.BP_AFTER, action=self._after_read)
        state.inspect.b("mem_write", when=angr.BP_BEFORE, action=lambda s: self._before_write(s, regions))
        state.inspect.b("exit", when=angr.BP_BEFORE, action=_simplify_guard)
        state.solver.add(assumption)
        for address, _, content in buffers:
            state.memory.store(address, content, disable_actions=True, inspect=False)
        simulation = self.project.factory.simgr(state)
        while simulation.active:
            if time.process_time() > self._limit:
                raise Fault(f"{function} takes too long")
            simulation.step()
            simulation.move("active", "done", lambda s: s.addr == RETURN)
        for record in simulation.errored:
            error = record.error
            if not isinstance(error, _NotTaken):
                raise error if isinstance(error, Fault) else Fault(f"{function}: {error!r}")
        others = {name for name, states in simulation.stashes.items() if states} - {"done", "unsat", "pruned", "avoid"}
        if others:
            raise Fault(f"{function}: paths end in {others}")
        blocks = {it for state in simulation.done for it in state.history.bbl_addrs} - {RETURN}
        self.executed |= {it for it in blocks if not self.project.is_hooked(it)}
        return [Path(state) for state in simulation.done]

    def _before_read(self, state, regions):
        address, size = state.inspect.mem_read_address, state.inspect.mem_read_length
        size = size if isinstance(size, int) else state.solver.eval_one(size)
        state.globals["table"] = None
        address = claripy.simplify(address) if isinstance(address, claripy.ast.Base) else address
        low, high = bounds(address)
        _, end = self._object_at(low) or (0, 0)
        if low != high and high + size > end:
            # The form of the address does not show where it is. One of its values does.
            at = a_value(state, address)
            low, high = self._span(state, address, at, size, low, regions)
            oblige(state, claripy.And(claripy.ULE(low, address), claripy.ULE(address, high)))
        if self._is_constant(low, high - low + size):
            self.tables.add((low, high + size))
        elif _within(regions, low, high + size) is None:
            raise Fault(f"a read of {size} bytes at {low:#x} to {high:#x}, from {state.addr:#x}")
        state.inspect.mem_read_address = claripy.BVV(low, 64)
        if low != high:
            state.globals["table"] = (address, low, high, size)

    def _span(self, state, address, at, size, low, regions):
        """Two addresses between which an address lies, of which `at` is a value. It has to be proved."""

        def is_between(low, high):
            outside = claripy.Or(claripy.ULT(address, low), claripy.UGT(address, high))
            return not state.solver.satisfiable(extra_constraints=[outside])

        if is_between(at, at):
            return at, at
        start, end = _within(regions, at, at + size) or self._object_at(at) or (at, at)
        if start + size <= end and end - start <= TABLE:
            # Whether each address is in this object is left to the obligation: it can be hard to decide.
            return start, end - size
        # A table of addresses, for a jump, has no name.
        for span in (64, 128, 256):
            if self._is_constant(low, span + size) and is_between(low, low + span):
                return low, low + span
        return state.solver.min(address), state.solver.max(address)

    def _after_read(self, state):
        if state.globals.get("table") is None:
            return
        address, low, high, size = state.globals["table"]
        state.globals["table"] = None
        order = "big" if state.inspect.mem_read_endness == "Iend_BE" else "little"
        bits = max(1, (high - low).bit_length())
        offset = claripy.simplify(claripy.Extract(bits - 1, 0, address - low))
        key = (low, high, size, order, offset.hash())
        if not self._is_constant(low, 1):
            if high - low > SPAN:
                raise Fault(f"a read at one of {high - low} addresses, from {state.addr:#x}")
            words = [state.memory.load(low + min(i, high - low), size, inspect=False) for i in range(1 << bits)]
            words = words if order == "big" else [word.reversed for word in words]
            state.inspect.mem_read_expr = choose(offset, bits, words)
            return
        if key not in self._reads:
            data = self.project.loader.memory.load(low, high - low + size)
            entries = [data[at : at + size] for at in (min(i, high - low) for i in range(1 << bits))]
            choices = [choose(offset, bits, [claripy.BVV(entry[at], 8) for entry in entries]) for at in range(size)]
            self._reads[key] = offset, claripy.Concat(*(choices if order == "big" else choices[::-1]))
        state.inspect.mem_read_expr = self._reads[key][1]

    def _before_write(self, state, regions):
        address, size = state.inspect.mem_write_address, state.inspect.mem_write_length
        expression = state.inspect.mem_write_expr
        if size is None:
            size = expression.size() // 8
        size = size if isinstance(size, int) else state.solver.eval_one(size)
        address = constant(state, address)
        if _within(regions, address, address + size) is None:
            raise Fault(f"a write of {size} bytes at {address:#x}, from {state.addr:#x}")
        state.inspect.mem_write_address = claripy.BVV(address, 64)

    def _is_constant(self, address, size):
        return any(start <= address and address + size <= end for start, end in self._constants)

    def _object_at(self, address):
        index = bisect.bisect_right(self._starts, address) - 1
        if index >= 0 and address < self._objects[index][1]:
            return self._objects[index]
        return None


def _simplify_guard(state):
    state.inspect.exit_guard = claripy.simplify(state.inspect.exit_guard)


def bounds(expression):
    """A least and a greatest value of an expression, from its form alone. The true ones lie between them."""
    if not isinstance(expression, claripy.ast.Base):
        return expression, expression
    known = {}
    stack = [expression]
    while stack:
        it = stack[-1]
        if it.hash() in known:
            stack.pop()
            continue
        # The bounds of a condition do not matter.
        parts = it.args[1:] if it.op == "If" else it.args
        parts = [part for part in parts if isinstance(part, claripy.ast.BV) and it.op not in ("BVV", "BVS")]
        missing = [part for part in parts if part.hash() not in known]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        known[it.hash()] = _bounds_of(it, [known[part.hash()] for part in parts])
    return known[expression.hash()]


def _bounds_of(it, parts):
    size = it.size()
    most = (1 << size) - 1
    everything = (0, most)
    if it.op == "BVV":
        return it.concrete_value, it.concrete_value
    if it.op == "If":
        return min(low for low, _ in parts), max(high for _, high in parts)
    if it.op == "ZeroExt":
        return parts[0]
    if it.op == "Concat":
        low = high = 0
        for part, (part_low, part_high) in zip(it.args, parts):
            low, high = low << part.size() | part_low, high << part.size() | part_high
        return low, high
    if it.op == "Extract":
        top, bottom, _ = it.args
        low, high = parts[0]
        if low >> top + 1 == high >> top + 1:
            mask = (1 << size) - 1
            return low >> bottom & mask, high >> bottom & mask
        return everything
    if it.op == "__add__":
        low, high = sum(low for low, _ in parts), sum(high for _, high in parts)
        if low > most:
            low, high = low & most, high - (low - (low & most))
        return (low, high) if high <= most else everything
    if it.op == "__mul__":
        low, high = math.prod(low for low, _ in parts), math.prod(high for _, high in parts)
        return (low, high) if high <= most else everything
    if it.op == "__and__":
        return 0, min(high for _, high in parts)
    if it.op == "__or__":
        high = max(high for _, high in parts)
        return max(low for low, _ in parts), (1 << high.bit_length()) - 1
    if it.op == "__lshift__" and parts[1][0] == parts[1][1]:
        low, high = (bound << parts[1][0] for bound in parts[0]) if parts[1][0] < size else (0, 0)
        return (low, high) if high <= most else everything
    if it.op == "LShR" and parts[1][0] == parts[1][1]:
        return tuple(bound >> parts[1][0] for bound in parts[0])
    return everything


def _within(regions, low, end):
    for region in regions:
        if region[0] <= low and end <= region[1]:
            return region
    return None


def choose(offset, bits, leaves):
    """The leaf number `offset`, as a balanced tree of choices over its bits."""
    for bit in range(bits):
        is_set = claripy.Extract(bit, bit, offset) == 1
        leaves = [a if a is b else claripy.If(is_set, b, a) for a, b in zip(leaves[::2], leaves[1::2])]
    return leaves[0]


class Out:
    """A buffer that a function writes."""

    def __init__(self, size):
        self.size = size


class Value:
    """A formula of up to 64 bits that is passed itself, as a number."""

    def __init__(self, formula):
        self.formula = claripy.ZeroExt(64 - formula.size(), formula)


class Call:
    """A function, executed for all values of its inputs.

    `arguments` has numbers and `Value`s, which are passed; formulas of whole bytes, of which the address is passed; and
    `Out`.
    """

    def __init__(self, machine, function, *arguments, assumption=None, eager=False):
        self.function, self.arguments = function, arguments
        self.assumption = claripy.true() if assumption is None else assumption
        passed, buffers, outs = [], [], []
        for index, argument in enumerate(arguments, 1):
            address = FIRST_BUFFER * index
            if isinstance(argument, (int, Value)):
                passed.append(argument if isinstance(argument, int) else argument.formula)
                continue
            passed.append(address)
            if isinstance(argument, Out):
                outs.append((address, argument.size))
            else:
                buffers.append((address, argument.size() // 8, argument))
        self.paths = machine.run(function, passed, buffers, outs, self.assumption, eager)
        for path in self.paths:
            path.outputs = [path.memory(*out) for out in outs]

    def always(self, conclusion):
        """`conclusion` of a path, for each path."""
        return claripy.And(*(claripy.Or(claripy.Not(path.condition), conclusion(path)) for path in self.paths))

    def is_whole(self):
        """Each input takes one of the paths, none panics, and reads of tables stay within them."""
        taken = claripy.Or(*(path.condition for path in self.paths if not path.panics))
        obligations = {it.hash(): it for path in self.paths for it in path.obligations}
        assumed = Quotient.are_functions(self.quotients)
        return claripy.Or(claripy.Not(assumed), claripy.And(taken, *obligations.values()))

    @property
    def quotients(self):
        return [quotient for path in self.paths for quotient in path.quotients]
