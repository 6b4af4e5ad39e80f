"""What formulas say of a function, compared with what the function does; and deliberate bugs in the machine code.

A bug changes one bit of a constant in an instruction or of a table, or turns the condition of an instruction around.
It is in an instruction that the proof executed, or in a table that it read.
"""

import ctypes
import os
import pickle
import signal
import tempfile

import claripy

from decide import solver_of, value
from machine import Out, Quotient, Value

# How many paths of a call are tried, how many inputs on each, and how many bytes of an input are chosen at random.
PATHS, TRIES, CHOSEN = 24, 3, 8
# The seconds that a function may take.
LONG = 20


def foreseen(library, call, model):
    """Calls the function with the inputs of a model: whether it does what the formulas say, and the call as a text."""
    inputs, outs, passed = [], [], []
    for argument in call.arguments:
        if isinstance(argument, int):
            passed.append(ctypes.c_uint64(argument))
        elif isinstance(argument, Out):
            outs.append(ctypes.create_string_buffer(argument.size))
            passed.append(outs[-1])
        else:
            formula = getattr(argument, "formula", argument)
            inputs.append(value(model, formula))
            data = inputs[-1].to_bytes(formula.size() // 8, "big")
            is_number = isinstance(argument, Value)
            passed.append(ctypes.c_uint64(inputs[-1]) if is_number else ctypes.create_string_buffer(data, len(data)))
    answer = _called(library, call.function, passed, outs)

    def is_same(path):
        if path.panics or answer is None:
            return path.panics and answer is None
        returned, wrote = answer
        if value(model, path.result) != returned:
            return False
        # A function that refuses its input writes nothing.
        return (
            returned != 0
            and not any(map(any, wrote))
            or wrote == [value(model, it).to_bytes(it.size() // 8, "big") for it in path.outputs]
        )

    is_foreseen = any(is_same(path) for path in call.paths if value(model, path.condition))
    return is_foreseen, f"{call.function}({', '.join(f'{it:x}' for it in inputs)})"


def _called(library, name, passed, outs):
    """What the function returns and writes, or None if it panics: in a process of its own, which a panic ends."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(LONG)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        function = getattr(ctypes.CDLL(library), name)
        function.restype = ctypes.c_uint64
        returned = function(*passed)
        os.write(writer, pickle.dumps((returned, [out.raw for out in outs])))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(answer) if answer else None


def inputs(call, random):
    """Models of inputs that take the paths of a call."""
    formulas = [getattr(it, "formula", it) for it in call.arguments]
    leaves = [leaf for it in formulas if hasattr(it, "op") for leaf in it.leaf_asts() if leaf.op == "BVS"]
    for path in random.sample(call.paths, min(PATHS, len(call.paths))):
        solver = solver_of(call.assumption, path.condition, Quotient.are_functions(path.quotients))
        solver.set("timeout", 10_000)
        for _ in range(TRIES):
            chosen = []
            for leaf in random.choices(leaves, k=CHOSEN) if leaves else []:
                bottom = random.randrange(0, leaf.size(), 8)
                part = claripy.Extract(min(bottom + 7, leaf.size() - 1), bottom, leaf)
                fact = claripy.backends.z3.convert(part == random.getrandbits(part.size()))
                chosen += [fact] if str(solver.check(*chosen, fact)) == "sat" else []
            if str(solver.check(*chosen)) == "sat":
                yield solver.model()


def bugs(machine, library, random):
    """Libraries with one bug, without end, each as a file and what the bug is. `machine` has executed the code."""
    data = open(library, "rb").read()
    main = machine.project.loader.main_object
    places = [place for address in sorted(machine.executed) for place in _places(machine, address)]
    tables = sorted(machine.tables)
    while True:
        if tables and random.random() < 0.3:
            low, high = random.choice(tables)
            address, what = random.randrange(low, high), "a table"
            bit = 1 << random.randrange(8)
        else:
            address, bits, what = random.choice(places)
            bit = 1 << random.randrange(bits)
        at = main.addr_to_offset(address)
        changed = bytearray(data)
        changed[at] ^= bit
        with tempfile.NamedTemporaryFile(suffix=".so") as file:
            file.write(changed)
            file.flush()
            yield file.name, f"{what} at {address - main.mapped_base:#x}, bit {bit:#x}"


def _places(machine, address):
    """The places for bugs in a block of instructions: an address, how many bits may change, and the instruction."""
    for it in machine.project.factory.block(address).capstone.insns:
        opcode, name = bytes(it.insn.bytes), f"{it.mnemonic} {it.op_str}"
        is_jump = it.mnemonic.startswith("j") or it.mnemonic == "call"
        if 0x70 <= opcode[0] < 0x80:
            yield it.address, 1, name
        at = next((at for at, byte in enumerate(opcode) if byte != 0x48), 0)
        if opcode[at] == 0x0F and opcode[at + 1] >> 4 in (4, 8, 9):
            yield it.address + at + 1, 1, name
        if it.insn.encoding.imm_size and not is_jump:
            yield it.address + it.insn.encoding.imm_offset, 8, name
