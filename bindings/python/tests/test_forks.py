"""Forks: no process makes an ID of another one."""

import gc
import multiprocessing
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from sortid import Euid, EventId, GenerateError, Generator, RonUid, Scru160, TypedId, UlidFlake

COUNT = 20_000


class OrderId(TypedId[Euid], prefix="order"):
    """What the processes make."""


#: Each function makes this many IDs of a process.
MAKE: dict[str, Callable[[int], list[Any]]] = {
    "Scru160.new": lambda count: [Scru160.new() for _ in range(count)],
    "Euid.new": lambda count: [Euid.new() for _ in range(count)],
    "OrderId.new": lambda count: [OrderId.new() for _ in range(count)],
}


@contextmanager
def forks() -> Iterator[None]:
    """Python warns if a process with threads forks. This is what is tested."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def in_child(work: Callable[[], list[Any]]) -> Callable[[], list[bytes]]:
    """Forks. Returns a function that waits for the child, and returns the IDs that it made."""
    read, write = os.pipe()
    with forks():
        child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(read)
            with os.fdopen(write, "wb") as pipe:
                for id in work():
                    pipe.write(bytes(id))
            status = 0
        finally:
            os._exit(status)
    os.close(write)

    def result() -> list[bytes]:
        with os.fdopen(read, "rb") as pipe:
            data = pipe.read()
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0
        size = 20 if len(data) % 20 == 0 and len(data) // 20 == COUNT else 16
        assert len(data) == size * COUNT
        return [data[at : at + size] for at in range(0, len(data), size)]

    return result


@pytest.mark.parametrize("make", MAKE.values(), ids=MAKE.keys())
def test_a_prefork_server(make: Callable[[int], list[Any]]) -> None:
    """A server such as gunicorn imports the application, makes some IDs, and forks 8 workers."""
    before = make(100)
    children = [in_child(lambda: make(COUNT)) for _ in range(8)]
    own = make(COUNT)
    made = [child() for child in children]
    everything = [*map(bytes, before), *map(bytes, own), *(id for ids in made for id in ids)]
    assert len(everything) == 100 + 9 * COUNT
    assert len(set(everything)) == len(everything)
    assert all(ids == sorted(ids) for ids in made)
    assert all(ids[0] > bytes(before[-1]) for ids in made)


@pytest.mark.parametrize(
    "ids", [Scru160.generator(), Euid.generator(extension=7)], ids=["Scru160", "Euid with an extension"]
)
def test_a_generator_from_before_the_fork(ids: Generator[Any]) -> None:
    before = ids.generate_many(100)
    children = [in_child(lambda: ids.generate_many(COUNT)) for _ in range(8)]
    own = ids.generate_many(COUNT)
    everything = [*map(bytes, before), *map(bytes, own), *(id for child in children for id in child())]
    assert len(everything) == 100 + 9 * COUNT
    assert len(set(everything)) == len(everything)


@pytest.mark.parametrize("ids", [RonUid.generator("X~"), EventId.generator("c0331dd8")], ids=["RonUid", "EventId"])
def test_a_generator_without_random_bits_refuses_the_child(ids: Generator[Any]) -> None:
    ids.generate()

    def work() -> list[Any]:
        for call in (ids.generate, ids.try_generate, lambda: ids.generate_many(5)):
            with pytest.raises(GenerateError, match="belongs to the process from which this one was forked") as caught:
                call()
            assert caught.value.kind == "other_process"
        # A generator of the child works.
        return Euid.generator().generate_many(COUNT)

    assert len(in_child(work)()) == COUNT
    ids.generate()


def test_a_child_of_a_child() -> None:
    def work() -> list[Any]:
        own = [Euid.new() for _ in range(COUNT // 2)]
        grandchild = in_child(lambda: [Euid.new() for _ in range(COUNT)])
        assert not {bytes(id) for id in own} & set(grandchild())
        return own + [Euid.new() for _ in range(COUNT // 2)]

    child = in_child(work)
    own = {bytes(Euid.new()) for _ in range(COUNT)}
    assert not own & set(child())


def test_forks_again_and_again() -> None:
    # Each child makes its first IDs in the millisecond of its fork, in which the parent makes IDs, too.
    seen: list[bytes] = []
    for _ in range(40):
        read, write = os.pipe()
        with forks():
            child = os.fork()
        own = b"".join(bytes(Scru160.new()) for _ in range(50))
        if child == 0:
            os.write(write, own)
            os._exit(0)
        os.close(write)
        data = os.read(read, 65536)
        os.close(read)
        os.waitpid(child, 0)
        seen += [part[at : at + 20] for part in (own, data) for at in range(0, len(part), 20)]
    assert len(seen) == 40 * 100
    assert len(set(seen)) == len(seen)


def test_a_fork_while_threads_make_ids() -> None:
    import threading

    stop = threading.Event()
    made: list[bytes] = []

    def work() -> None:
        while not stop.is_set():
            made.append(bytes(Euid.new()))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        children = [in_child(lambda: [Euid.new() for _ in range(COUNT)]) for _ in range(4)]
        others = [id for child in children for id in child()]
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert len({*made, *others}) == len(made) + len(others)


def task(count: int) -> list[Euid]:
    """What a worker of a pool does. IDs come back as pickles."""
    return [Euid.new() for _ in range(count)]


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method: str) -> None:
    Euid.new()
    with forks(), multiprocessing.get_context(method).Pool(4) as pool:
        lists = pool.map(task, [COUNT // 4] * 16, chunksize=1)
    own = [Euid.new() for _ in range(COUNT)]
    everything = own + [id for ids in lists for id in ids]
    assert len(set(everything)) == 5 * COUNT


@pytest.mark.skipif(sys.platform == "darwin", reason="a fork without exec is not safe there")
def test_a_child_can_be_interrupted() -> None:
    read, write = os.pipe()
    with forks():
        child = os.fork()
    if child == 0:
        status = 1
        try:
            # Python ignores an exception that comes while the garbage collector calls a function.
            gc.disable()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            os.write(write, b"x")
            Euid.generator().generate_many(100_000_000)
        except KeyboardInterrupt:
            status = 7
        finally:
            os._exit(status)
    assert os.read(read, 1) == b"x"
    os.kill(child, signal.SIGINT)
    _, status = os.waitpid(child, 0)
    os.close(read)
    os.close(write)
    assert os.waitstatus_to_exitcode(status) == 7


def test_ulid_flakes_of_a_child_continue_later() -> None:
    # A Ulid-Flake has 20 random bits, so only its order is promised: the child goes on in a later millisecond.
    last = UlidFlake.new()

    def work() -> list[Any]:
        assert UlidFlake.new() > last
        return [Euid.MIN] * COUNT

    in_child(work)()
