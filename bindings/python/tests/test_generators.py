"""Generators and backfills: order, threads, clocks, waits, and what may interrupt them."""

import asyncio
import gc
import itertools
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from specs import CLASSES, FACTS, TIME, WITH_NEW, OrderId, times, unchecked

from sortid import (
    Backfill,
    BackfillError,
    ConfigError,
    Euid,
    EventId,
    Fleet,
    GenerateError,
    Generator,
    ParseError,
    RonUid,
    Scru160,
    UlidFlake,
    columns,
)

MILLISECOND = timedelta(milliseconds=1)

#: Generators of all kinds.
MAKE: dict[str, Callable[..., Generator[Any]]] = {
    "Scru160": Scru160.generator,
    "Scru160 with a node": lambda **options: Scru160.generator(node=3, node_bits=4, **options),
    "Scru160 with microseconds": lambda **options: Scru160.generator(micros=True, **options),
    "Euid": Euid.generator,
    "Euid with an extension": lambda **options: Euid.generator(extension=7, **options),
    "UlidFlake": UlidFlake.generator,
    "UlidFlake with a node": lambda **options: UlidFlake.generator(node=5, **options),
    "RonUid": lambda **options: RonUid.generator("X~", **options),
    "EventId": lambda **options: EventId.generator("c0331dd8", **options),
}
#: Those with random bits.
SEEDED = {name: make for name, make in MAKE.items() if not name.startswith(("RonUid", "EventId"))}

every = pytest.mark.parametrize("make", MAKE.values(), ids=MAKE.keys())
seeded = pytest.mark.parametrize("make", SEEDED.values(), ids=SEEDED.keys())


class Clock:
    """A clock that shows what a test sets. After each look, it goes on by ``step``."""

    def __init__(self, now: datetime = TIME, step: timedelta = timedelta(0)) -> None:
        self.now = now
        self.step = step

    def __call__(self) -> datetime:
        self.now += self.step
        return self.now


def waiting() -> Generator[UlidFlake]:
    """A generator whose next ID waits for 9 s: the clock has to reach the end of a used-up millisecond."""
    # A clock that stands still would end the wait.
    ids = UlidFlake.generator(clock=Clock(TIME, timedelta(microseconds=1)))
    ids.resume_after(UlidFlake.max_at(TIME + timedelta(seconds=9)))
    return ids


@every
def test_ids_ascend(make: Callable[..., Generator[Any]]) -> None:
    ids = make()
    made = [ids.generate() for _ in range(100)]
    made += ids.generate_many(5000)
    made += itertools.islice(ids, 100)
    made += [next(ids), *map(asyncio.run, [ids.generate_async(), ids.generate_async()])]
    assert iter(ids) is ids
    assert made == sorted(set(made))
    assert len(made) == 5203
    assert ids.generate_many(0) == []
    assert ids.resets == 0
    assert timedelta(0) <= ids.ahead < timedelta(seconds=10)


@every
def test_threads_share_one_order(make: Callable[..., Generator[Any]]) -> None:
    ids = make()
    lists: list[list[Any]] = []

    def work() -> None:
        lists.append([ids.generate() for _ in range(500)] + ids.generate_many(500))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(made == sorted(made) for made in lists)
    assert len({id for made in lists for id in made}) == 8000


@seeded
def test_equal_seeds_make_equal_ids(make: Callable[..., Generator[Any]]) -> None:
    def first(seed: int) -> list[Any]:
        # A generator of few IDs would wait for this clock.
        return make(clock=Clock(), seed=seed).generate_many(20)

    assert first(1) == first(1)
    assert first(1) != first(2)
    assert first(2**64 - 1) != first(0)
    assert make(clock=Clock()).generate() != make(clock=Clock()).generate()


@every
def test_the_clock_gives_the_time(make: Callable[..., Generator[Any]]) -> None:
    clock = Clock()
    ids = make(clock=clock)
    assert ids.generate().time == TIME
    clock.now += timedelta(days=400)
    assert ids.generate().time == clock.now
    # A clock may be in any time zone.
    clock.now = clock.now.astimezone() + timedelta(seconds=1)
    assert ids.generate().time == clock.now
    # Without one, it is in UTC.
    clock.now = clock.now.astimezone(UTC).replace(tzinfo=None) + timedelta(seconds=1)
    assert ids.generate().time == clock.now.replace(tzinfo=UTC)


@every
def test_a_clock_that_goes_back(make: Callable[..., Generator[Any]]) -> None:
    clock = Clock()
    ids = make(clock=clock, rollback_allowance=timedelta(seconds=10))
    first = ids.generate()
    clock.now = TIME - timedelta(seconds=9)
    second = ids.generate()
    assert first < second
    # Generators of Event IDs and SCRU160s with microseconds are ahead by less than a millisecond more.
    assert timedelta(seconds=9) <= ids.ahead <= timedelta(seconds=9, milliseconds=1)
    clock.now = TIME - timedelta(seconds=60)
    if isinstance(first, RonUid | EventId | UlidFlake):
        calls: list[Callable[[], Any]] = [ids.generate, ids.try_generate, lambda: ids.generate_many(2)]
        for call in calls:
            with pytest.raises(GenerateError, match="s behind the last ID, expected at most 10.000000 s") as caught:
                call()
            assert (caught.value.kind, caught.value.retry_after) == ("clock_rollback", None)
        assert ids.resets == 0
    else:
        for resets, call in enumerate((ids.generate, ids.try_generate), 1):
            last = call()
            assert last < first
            assert last.time == clock.now
            assert ids.resets == resets
            clock.now -= timedelta(seconds=60)
    clock.now = TIME + timedelta(seconds=1)
    assert ids.generate() > second


@every
def test_the_user_chooses_what_happens_when_the_clock_goes_back(make: Callable[..., Generator[Any]]) -> None:
    hour = timedelta(hours=1)
    for rollback in ("fail", "continue", "reset"):
        clock = Clock()
        # One in some hundred random Ulid-Flakes of a node is the last of its millisecond.
        seed = {"seed": 1} if make in SEEDED.values() else {}
        ids = make(clock=clock, rollback=rollback, **seed)
        first = ids.generate()
        clock.now -= hour
        has_no_random_bits = isinstance(first, RonUid | EventId)
        if rollback == "fail" or (rollback == "reset" and has_no_random_bits):
            with pytest.raises(GenerateError, match="behind the last ID") as caught:
                ids.generate()
            assert caught.value.kind == "clock_rollback"
        elif rollback == "continue":
            assert ids.generate() > first
            assert ids.ahead >= hour
        else:
            assert ids.generate().time == clock.now
        assert ids.resets == (rollback == "reset" and not has_no_random_bits)


def test_sessions_of_ron_uids_reset() -> None:
    clock = Clock()
    ids = RonUid.generator("Xgritzk", session_digits=2, clock=clock)
    assert ids.generate().origin == "Xgritzk"
    clock.now -= timedelta(hours=1)
    uid = ids.generate()
    assert (uid.origin, uid.time, ids.resets) == ("Xgritzk001", clock.now, 1)


@every
def test_exceptions_of_a_clock_propagate(make: Callable[..., Generator[Any]]) -> None:
    class NotToday(BaseException):
        pass

    reads: list[Any] = []
    # Some specifications have few IDs of a millisecond.
    ticking = Clock(TIME, MILLISECOND)

    def clock() -> datetime:
        read = reads.pop(0) if reads else ticking()
        if isinstance(read, BaseException):
            raise read
        time: datetime = read
        return time

    ids = make(clock=clock)
    calls: list[Callable[[], Any]] = [
        ids.generate,
        ids.try_generate,
        lambda: next(ids),
        lambda: ids.generate_many(3),
        lambda: asyncio.run(ids.generate_async()),
    ]
    for call in calls:
        call()
    for call in (*calls, lambda: ids.ahead):
        # The clock fails only once: the call does not ask again.
        for exception in (NotToday(), KeyboardInterrupt(), ValueError("no")):
            reads[:] = [exception]
            with pytest.raises(type(exception)) as caught:
                call()
            assert caught.value is exception
        reads[:] = ["noon"]
        with pytest.raises(TypeError, match="expected a datetime, found str"):
            call()
        # The error is not kept for a later call.
        reads.clear()
        call()
        reads[:] = [datetime(1950, 1, 1, tzinfo=UTC)] * 5
        with pytest.raises(GenerateError, match="correct the time") as unknown:
            call()
        assert unknown.value.kind == "clock_out_of_range"
        reads.clear()


@pytest.mark.parametrize("library", ["freezegun", "time_machine"])
def test_a_library_that_freezes_time_needs_a_clock(library: str) -> None:
    module = pytest.importorskip(library)
    frozen = module.freeze_time(TIME) if library == "freezegun" else module.travel(TIME, tick=False)
    with frozen:
        ids = Euid.generator(clock=lambda: datetime.now(UTC))
        assert [ids.generate().time, ids.generate().time] == [TIME, TIME]
        naive = Euid.generator(clock=lambda: datetime.now(UTC).replace(tzinfo=None))
        assert naive.generate().time == TIME
        # The clock of the system goes on.
        assert Euid.new().time - TIME > timedelta(days=365)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Euid, "new", ids.generate)
            assert (Euid.new().time, OrderId.new().time) == (TIME, TIME)
    assert Euid.new().time - TIME > timedelta(days=365)


def test_an_epoch_without_a_zone_is_in_utc() -> None:
    naive = datetime(2000, 1, 1)
    first, second = (
        UlidFlake.generator(epoch=epoch, clock=lambda: TIME, seed=1).generate()
        for epoch in (naive, naive.replace(tzinfo=UTC))
    )
    assert first == second
    assert first.time_with(naive) == TIME


def test_a_clock_may_use_its_own_generator() -> None:
    ids: Generator[Euid] = Euid.generator(clock=lambda: ids.generate().time)
    with pytest.raises(RecursionError):
        ids.generate()


def test_options_of_the_wrong_type_or_range() -> None:
    bad: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (
            lambda: unchecked.Euid.generator(clock=5),
            TypeError,
            "expected a function that returns a datetime, found int",
        ),
        (lambda: unchecked.Euid.generator(seed=-1), OverflowError, "int"),
        (lambda: unchecked.Euid.generator(seed=2**64), OverflowError, "int"),
        (lambda: unchecked.Euid.generator(seed=1.5), TypeError, "."),
        (lambda: unchecked.Euid.generator(rollback_allowance=5), TypeError, "expected a timedelta, found int"),
        (
            lambda: unchecked.Euid.generator(rollback_allowance=-MILLISECOND),
            ValueError,
            "expected a timedelta that is not negative",
        ),
        (lambda: unchecked.Euid.generator(rollback=5), TypeError, "."),
        (
            lambda: unchecked.EventId.generator(0, rollback="Reset"),
            ConfigError,
            '^rollback: expected one of fail, continue, reset, found "Reset"$',
        ),
        (lambda: unchecked.Euid.generator(5), TypeError, "."),
        (
            lambda: unchecked.Euid.generator(extension=2**15),
            ConfigError,
            "^extension: expected 0 to 32767, found 32768$",
        ),
        (lambda: unchecked.Euid.generator(extension=4, extension_bits=2), ConfigError, "."),
        (lambda: unchecked.Scru160.generator(node=5, node_bits=2), ConfigError, "^node: expected 0 to 3, found 5$"),
        (lambda: unchecked.UlidFlake.generator(node=32), ConfigError, "^node: expected 0 to 31, found 32$"),
        (
            lambda: unchecked.UlidFlake.generator(entropy_bytes=4),
            ConfigError,
            "^entropy bytes: expected 1 to 3, found 4$",
        ),
        (lambda: unchecked.UlidFlake.generator(node=1, entropy_bytes=3), ConfigError, "."),
        (lambda: unchecked.UlidFlake.generator(epoch=datetime(1950, 1, 1, tzinfo=UTC)), ConfigError, "^epoch: "),
        (lambda: unchecked.RonUid.generator(), TypeError, "origin"),
        (lambda: unchecked.RonUid.generator("X-Y"), ParseError, "."),
        (lambda: unchecked.RonUid.generator("\ud800"), ParseError, "."),
        (lambda: unchecked.RonUid.generator("X", session_digits=3), ConfigError, "."),
        (lambda: unchecked.EventId.generator("c0331dd"), ParseError, "."),
        (lambda: unchecked.EventId.generator(2**32), TypeError, "."),
        (lambda: unchecked.EventId.generator(None), TypeError, "."),
        (lambda: unchecked.Generator(), TypeError, "cannot create|No constructor"),
        (lambda: unchecked.Backfill(), TypeError, "cannot create|No constructor"),
        (lambda: unchecked.Euid.generator().generate_many(-1), OverflowError, "int"),
        (lambda: unchecked.Euid.generator().generate_many(10**30), OverflowError, "int"),
        (lambda: unchecked.Euid.generator().generate_many(1.0), TypeError, "."),
        (
            lambda: unchecked.Euid.generator().resume_after(Scru160.MIN),
            TypeError,
            "expected sortid.Euid, found sortid.Scru160",
        ),
        (lambda: unchecked.Euid.generator().observe(Euid.MIN), TypeError, "does not observe IDs"),
    ]
    for number, (call, error, message) in enumerate(bad):
        with pytest.raises(error, match=message) as caught:
            pytest.fail(f"number {number} returned {call()}")
        if isinstance(caught.value, ConfigError):
            assert caught.value.option
            assert isinstance(caught.value, ValueError)


def test_generators_continue_after_an_id() -> None:
    ids = Euid.generator(clock=Clock())
    later = Euid.generator(clock=Clock(TIME + timedelta(seconds=5))).generate()
    ids.resume_after(later)
    assert ids.generate() > later
    assert ids.ahead == timedelta(seconds=5)
    with pytest.raises(GenerateError, match="the ID is 3600.000000 s ahead of the clock") as caught:
        ids.resume_after(Euid.min_at(TIME + timedelta(hours=1)))
    assert caught.value.kind == "ahead"


def test_ron_generators_observe() -> None:
    ids = RonUid.generator("X", clock=Clock())
    other = RonUid.generator("Y", clock=Clock(TIME + timedelta(seconds=3))).generate()
    ids.observe(other)
    assert ids.generate() > other
    for name in (RonUid("inc"), RonUid.MAX):
        with pytest.raises(GenerateError) as caught:
            ids.observe(name)
        assert caught.value.kind == "no_time"
    with pytest.raises(TypeError):
        ids.observe(unchecked.Euid.MIN)


def test_options_are_in_the_ids() -> None:
    assert Euid.generator(extension=7).generate().extension == 7
    assert Euid.generator(extension=7, extension_bits=10).generate().extension_bits == 10
    assert UlidFlake.generator(node=5).generate().scalability == 5
    assert RonUid.generator("X~").generate().origin == "X~"
    assert RonUid.generator(1).generate().origin_int == 1
    assert EventId.generator(0xC0331DD8).generate().ledger_id == "c0331dd8"
    epoch = datetime(2000, 1, 1, tzinfo=UTC)
    old = UlidFlake.generator(epoch=epoch, clock=Clock()).generate()
    assert old.time_with(epoch) == TIME


@pytest.mark.parametrize("id_class", WITH_NEW)
def test_a_used_up_tick_ends_with_the_clock(id_class: type[Any]) -> None:
    if id_class is not UlidFlake:
        ids = id_class.generator()
        # Their ticks have more IDs than a computer makes.
        assert len(set(ids.generate_many(100_000))) == 100_000
        return
    ids = UlidFlake.generator(entropy_bytes=3)
    made = [ids.generate() for _ in range(50)] + ids.generate_many(50)
    assert made == sorted(set(made))
    assert made[-1].timestamp_ms - made[0].timestamp_ms > 40


def test_a_used_up_tick_is_an_error_of_a_clock_that_stands_still() -> None:
    ids = RonUid.generator("X~", clock=Clock(), rollback_allowance=timedelta(0))
    with pytest.raises(GenerateError, match="used up") as caught:
        ids.generate_many(5000)
    assert caught.value.kind == "exhausted"
    with pytest.raises(GenerateError) as again:
        ids.try_generate()
    assert again.value.retry_after == pytest.approx(0.001)


def test_other_threads_run_during_a_wait() -> None:
    for _ in range(40):
        clock = Clock(TIME, timedelta(microseconds=1))
        ids = UlidFlake.generator(clock=clock)
        ids.resume_after(UlidFlake.max_at(TIME + timedelta(milliseconds=3)))
        results: list[Any] = []
        thread = threading.Thread(target=lambda: results.append(ids.generate()), daemon=True)
        thread.start()
        # If this thread did not run, the clock would not go on.
        clock.now += timedelta(milliseconds=4)
        thread.join(timeout=60)
        assert results[0].time >= TIME + timedelta(milliseconds=4)


class Alarm(Exception):
    """What a handler of a signal raises."""


def interrupted(call: Callable[[], Any], exception: type[BaseException]) -> float:
    """Calls ``call``, which a signal interrupts. Returns how long after the signal the exception came."""

    def handle(_signal: int, _frame: Any) -> None:
        raise exception

    before = signal.signal(signal.SIGALRM, handle)
    # Python ignores an exception that comes while the garbage collector calls a function.
    gc.collect()
    gc.disable()
    try:
        start = time.monotonic()
        with pytest.raises(exception):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            call()
        return time.monotonic() - start - 0.05
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()


@pytest.mark.parametrize("exception", [KeyboardInterrupt, Alarm])
@pytest.mark.parametrize(
    "call",
    [
        lambda ids: ids.generate(),
        lambda ids: next(ids),
        lambda ids: ids.generate_many(3),
        lambda ids: columns.generate(ids, 3),
    ],
)
def test_signals_end_a_wait(call: Callable[[Generator[UlidFlake]], Any], exception: type[BaseException]) -> None:
    ids = waiting()
    # A busy machine may be late, but not always.
    assert min(interrupted(lambda: call(ids), exception) for _ in range(5)) < 0.2


def test_signals_end_a_wait_in_a_fleet(tmp_path: Path) -> None:
    fleet = Fleet(f"dir:{tmp_path}")
    fleet.init(32)
    with fleet.join() as node:
        ids = node.generator(UlidFlake)
        ids.resume_after(UlidFlake.max_at(datetime.now(UTC) + timedelta(seconds=9)))
        assert min(interrupted(ids.generate, Alarm) for _ in range(5)) < 0.2


def test_a_node_permits_ids_of_ones_own(tmp_path: Path) -> None:
    fleet = Fleet(f"dir:{tmp_path}")
    fleet.init(1)
    with fleet.join() as node:
        millis = time.time_ns() // 1_000_000
        node.permits(millis)
        node.permits(datetime.now(UTC))
        with pytest.raises(GenerateError) as late:
            node.permits(datetime.now(UTC) + timedelta(hours=1))
        assert late.value.kind == "reservation_late"
        with pytest.raises(TypeError, match="expected a datetime"):
            node.permits("now")  # type: ignore[arg-type]
    with fleet.join() as node:
        with pytest.raises(GenerateError) as early:
            node.permits(millis)
        assert early.value.kind == "clock_rollback"


def test_a_generator_of_a_node_has_the_options_that_the_node_leaves(tmp_path: Path) -> None:
    fleet = Fleet(f"dir:{tmp_path}")
    fleet.init(32)
    epoch = datetime(2000, 1, 1, tzinfo=UTC)
    bad: list[tuple[Any, dict[str, Any], type[Exception], str]] = [
        (Scru160, {"micros": 1}, TypeError, "bool"),
        (Scru160, {"counter_start_bits": 10, "micros": True}, ConfigError, "^counter start bits: expected 0 to 5, found 10$"),
        (Scru160, {"node": 1}, TypeError, r"^generator\(\) got an unexpected keyword argument 'node'$"),
        (Euid, {"extension": 1}, TypeError, "unexpected keyword argument 'extension'"),
        (Euid, {"rollback": "fail"}, TypeError, "unexpected keyword argument 'rollback'"),
        (UlidFlake, {"epoch": 0}, TypeError, "^expected a datetime, found int$"),
        (UlidFlake, {"entropy_bytes": 4}, ConfigError, "^entropy bytes: expected 1 to 3, found 4$"),
        (RonUid, {"origin": "X-Y"}, ParseError, "."),
        (RonUid, {"future_bound": -MILLISECOND}, ValueError, "expected a timedelta that is not negative"),
        (EventId, {"ledger_id": 5}, TypeError, "^expected a class of IDs with a node ID, found sortid.EventId: "),
    ]
    with fleet.join() as node:
        for id_class, options, error, message in bad:
            with pytest.raises(error, match=message):
                node.generator(id_class, **options)
        assert node.generator(Scru160, counter_extension_bits=3, micros=None).generate().time
        assert node.generator(UlidFlake, epoch=epoch).generate().time_with(epoch) > TIME
        assert node.generator(RonUid, session_digits=None, min_length=8, future_bound=MILLISECOND).generate().time


def test_signals_end_the_generation_of_many_ids() -> None:
    ids = Euid.generator()
    assert min(interrupted(lambda: ids.generate_many(20_000_000), KeyboardInterrupt) for _ in range(3)) < 0.2


def test_other_tasks_run_during_a_wait() -> None:
    async def main() -> None:
        ids = waiting()
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.001)
                ticks += 1

        ticker = asyncio.create_task(tick())
        # A task that waits can be cancelled.
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ids.generate_async(), 0.2)
        assert ticks > 3
        ticker.cancel()

    asyncio.run(main())


def test_tasks_share_one_order() -> None:
    async def main() -> None:
        ids = UlidFlake.generator(entropy_bytes=3)

        async def work() -> list[UlidFlake]:
            return [await ids.generate_async() for _ in range(10)]

        lists = await asyncio.gather(*(work() for _ in range(5)))
        assert all(made == sorted(made) for made in lists)
        assert len({id for made in lists for id in made}) == 50

    asyncio.run(main())


def test_a_coroutine_that_nobody_awaits_makes_no_id() -> None:
    ids = Euid.generator(clock=Clock(), seed=1)
    ids.generate_async().close()
    assert ids.generate() == Euid.generator(clock=Clock(), seed=1).generate()


def python(program: str, *, timeout: float = 30) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


WAITING = """
import sys, threading
from datetime import datetime, timedelta, timezone
from sortid import UlidFlake

now = datetime(2024, 6, 6, tzinfo=timezone.utc)

def clock():
    global now
    now += timedelta(microseconds=1)
    return now

ids = UlidFlake.generator(clock=clock)
ids.resume_after(UlidFlake.max_at(now + timedelta(seconds=9)))
"""


def test_ctrl_c_ends_a_program_that_waits() -> None:
    # A shell may have started the tests in the background, where Ctrl-C is ignored.
    program = f"""{WAITING}
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
print("waiting", flush=True)
ids.generate()
"""
    late = []
    for _ in range(3):
        with subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            try:
                assert process.stdout is not None
                assert process.stdout.readline() == "waiting\n"
                time.sleep(0.05)
                start = time.monotonic()
                process.send_signal(signal.SIGINT)
                _, errors = process.communicate(timeout=30)
                late.append(time.monotonic() - start)
            finally:
                process.kill()
        assert process.returncode == -signal.SIGINT
        assert errors.rstrip().endswith("KeyboardInterrupt")
    assert min(late) < 1


def test_a_program_ends_while_a_thread_waits() -> None:
    # The thread wakes up at another moment of the end in each run.
    for number in range(10):
        program = f"""{WAITING}
import time
threads = [threading.Thread(target=ids.generate, daemon=True) for _ in range(4)]
for thread in threads:
    thread.start()
time.sleep({0.05 + number * 0.005})
print("end", flush=True)
"""
        ended = python(program)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


def test_a_program_ends_while_a_task_waits() -> None:
    program = f"""{WAITING}
import asyncio

async def main():
    task = asyncio.create_task(ids.generate_async())
    await asyncio.sleep(0.05)
    print(task.done())

asyncio.run(main())
"""
    ended = python(program)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "False\n", "")


def test_sub_interpreters_refuse_the_module() -> None:
    program = """
import sys
code = '''
try:
    import sortid
except ImportError as error:
    assert "subinterpreter" in str(error), error
else:
    raise AssertionError("imported")
'''
import sortid
if sys.version_info >= (3, 14):
    from concurrent import interpreters
    interpreter = interpreters.create()
    interpreter.exec(code)
    interpreter.close()
elif sys.version_info >= (3, 13):
    import _interpreters
    for config in ("legacy", "isolated"):
        id = _interpreters.create(config)
        failed = _interpreters.exec(id, code)
        assert failed is None, failed.formatted
        _interpreters.destroy(id)
else:
    import warnings
    warnings.simplefilter("ignore")
    import _xxsubinterpreters
    for isolated in (False, True):
        id = _xxsubinterpreters.create(isolated=isolated)
        _xxsubinterpreters.run_string(id, code)
        _xxsubinterpreters.destroy(id)
print(sortid.Euid.new() < sortid.Euid.new())
"""
    ended = python(program)
    assert (ended.returncode, ended.stdout) == (0, "True\n"), ended.stderr


def test_generators_are_collected() -> None:
    class Tracked(Clock):
        alive = 0
        ids: Generator[Euid]

        def __init__(self) -> None:
            super().__init__()
            type(self).alive += 1

        def __del__(self) -> None:
            type(self).alive -= 1

    def work() -> None:
        clock = Tracked()
        ids = Euid.generator(clock=clock)
        clock.ids = ids  # a cycle
        ids.generate()
        ids.generate_async().close()

    for _ in range(100):
        work()
    gc.collect()
    assert Tracked.alive == 0


@pytest.mark.parametrize("id_class", CLASSES)
@given(data=st.data())
def test_a_backfill_makes_an_id_for_each_time(id_class: type[Any], data: st.DataObject) -> None:
    arguments = {RonUid: ["X~"], EventId: ["c0331dd8"]}.get(id_class, [])
    # No generator makes SCRU160s of the first millisecond.
    first = FACTS[id_class].first + MILLISECOND
    moments = data.draw(st.lists(times(id_class).map(lambda moment: max(moment, first)), max_size=20))
    ids = id_class.backfill(*arguments)
    made = [ids.generate(moment) for moment in moments] + ids.generate_all(moments)
    for id, moment in zip(made, moments * 2, strict=True):
        # An Event ID takes a later microsecond if another one has its own.
        assert abs(moment - id.time) < MILLISECOND
    assert len(set(made)) == len(made)
    ids = id_class.backfill(*arguments, ascending=True)
    made = ids.generate_all(sorted(moments))
    assert made == sorted(made)


def test_errors_of_backfills() -> None:
    ids = Euid.backfill(ascending=True)
    ids.generate(TIME)
    with pytest.raises(BackfillError, match="expected ascending times") as caught:
        ids.generate(TIME - MILLISECOND)
    assert (caught.value.kind, caught.value.index) == ("descending", None)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(BackfillError, match="^index 1: ") as listed:
        Euid.backfill().generate_all([TIME, datetime(1924, 1, 1, tzinfo=UTC)])
    assert (listed.value.kind, listed.value.index) == ("out_of_range", 1)
    full = EventId.backfill(0, spill=timedelta(0))
    full.generate(TIME)
    with pytest.raises(BackfillError) as used:
        full.generate(TIME)
    assert used.value.kind == "full"
    naive = Euid.backfill().generate_all([TIME.replace(tzinfo=None)])
    assert [id.time for id in naive] == [TIME]
    wrong: list[Any] = [[TIME, 5], 5, [None], ["2024-01-01"]]
    for bad in wrong:
        with pytest.raises(TypeError):
            ids.generate_all(bad)

    def broken() -> Any:
        yield TIME
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ids.generate_all(broken())


def test_backfills_continue_spill_and_have_seeds() -> None:
    first = Euid.backfill(seed=1)
    assert first.generate_all([TIME] * 5) == Euid.backfill(seed=1).generate_all([TIME] * 5)
    last = first.generate(TIME)
    again = Euid.backfill()
    again.resume_after(last)
    assert again.generate(TIME) > last
    spilling = EventId.backfill(0, spill=timedelta(milliseconds=1), ascending=True)
    assert len(set(spilling.generate_all([TIME] * 1000))) == 1000
    with pytest.raises(TypeError):
        again.resume_after(unchecked.Scru160.MIN)


def test_threads_share_a_backfill() -> None:
    ids = Euid.backfill()
    lists: list[list[Euid]] = []
    threads = [threading.Thread(target=lambda: lists.append(ids.generate_all([TIME] * 2000))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id for made in lists for id in made}) == 16000


def test_classes_of_generators_are_generic() -> None:
    assert repr(Generator[Euid]) == "sortid.Generator[sortid.Euid]"
    assert repr(Backfill[Euid]) == "sortid.Backfill[sortid.Euid]"
    assert FACTS.keys() == set(CLASSES)


def test_a_finalizer_may_call_the_backfill_that_makes_objects() -> None:
    # A process of its own: where the lock is held meanwhile, it never ends.
    program = """
import gc
from datetime import UTC, datetime
from sortid import Euid

class Cycle:
    calls = 0
    def __init__(self):
        self.me = self
    def __del__(self):
        Cycle.calls += 1
        ids.generate(time)

def times():
    yield from [time] * 20
    Cycle()  # is garbage when the call makes its objects

ids, time = Euid.backfill(), datetime(2024, 6, 6, tzinfo=UTC)
gc.set_threshold(1)
for _ in range(200):
    assert len(ids.generate_all(times())) == 20
assert Cycle.calls > 100
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
