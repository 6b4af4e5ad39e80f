"""Whether the library itself does what a counterexample says."""

import ctypes
import os
import pickle

from machine import Value


def replay(library, refuted):
    """Calls each function of the counterexample. Returns what it was given and what it did, and whether that was foreseen."""
    functions = ctypes.CDLL(library)
    calls = []
    for call in refuted.claim.calls:
        given, outs, passed = [], [], []
        if not hasattr(functions, call.function):
            # A function inside of the library has no name for others.
            continue
        for argument in call.arguments:
            if isinstance(argument, int):
                passed.append(ctypes.c_uint64(argument))
            elif isinstance(argument, Value):
                given.append(f"{refuted.value(argument.formula):x}")
                passed.append(ctypes.c_uint64(refuted.value(argument.formula)))
            elif hasattr(argument, "op"):
                data = refuted.value(argument).to_bytes(argument.size() // 8, "big")
                given.append(data.hex())
                passed.append(ctypes.create_string_buffer(data, len(data)))
            else:
                outs.append(ctypes.create_string_buffer(argument.size))
                passed.append(outs[-1])
        returned, wrote = _call(getattr(functions, call.function), passed, outs)
        taken = [path for path in call.paths if refuted.value(path.condition)]
        foreseen = any(
            returned is None
            if path.panics
            # A function that refuses its input writes nothing.
            else refuted.value(path.result) == returned and (returned != 0 or not wrote or wrote == [
                refuted.value(output).to_bytes(output.size() // 8, "big") for output in path.outputs
            ])
            for path in taken
        )
        calls.append({
            "function": call.function,
            "given": given,
            "returned": "panics" if returned is None else returned,
            "wrote": [it.hex() for it in wrote],
            "foreseen": foreseen,
        })
    return calls


def _call(function, passed, outs):
    """Calls the function in a child process, because a panic ends the process. Returns None then."""
    function.restype = ctypes.c_uint64
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        returned = function(*passed)
        os.write(writer, pickle.dumps((returned, [out.raw for out in outs])))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(answer) if answer else (None, [])
