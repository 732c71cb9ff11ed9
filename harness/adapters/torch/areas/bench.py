"""Area bench: loops in Python, timed with its own clock."""

import contextlib
import gc
import itertools
import time

from dispatcher import keys
from loops import amp, autocast, device, dispatch, runtime
from loops.checksum import MASK, SUM
from waist.wire import Invalid, Unsupported


def timed(once, times):
    """Nanoseconds for this many calls. Disables the garbage collector, whose time does not belong to the loop."""
    collects = gc.isenabled()
    gc.disable()
    try:
        SUM.begin()
        begin = time.perf_counter_ns()
        for _ in itertools.repeat(None, times):
            once()
        return time.perf_counter_ns() - begin
    finally:
        if collects:
            gc.enable()


@contextlib.contextmanager
def empty():
    yield lambda: SUM.step(1)


LOOPS = {
    "empty": empty,
    **{f"typed_{count}": lambda count=count: dispatch.typed(count) for count in (1, 2, 4)},
    **{f"fallthrough_{count}": lambda count=count: dispatch.fallthrough(count) for count in (1, 2, 3)},
    "boxed_fallback": dispatch.boxed_fallback,
    **{f"redispatch_{depth}": lambda depth=depth: dispatch.redispatch(depth) for depth in (1, 2, 3)},
    "autocast_off": lambda: autocast.autocast(False),
    "autocast_hit": lambda: autocast.autocast(True),
    "autocast_miss": lambda: autocast.autocast(True, clear=True),
    "autocast_promote": autocast.promote,
    "amp_update_scale": amp.update_scale,
    "amp_unscale": amp.unscale,
    **runtime.LOOPS,
}


def run(subject, given):
    name, times = given["loop"], given["n"]
    if not isinstance(times, int) or isinstance(times, bool) or times < 1:
        raise Invalid("'n' must be at least 1")
    SUM.seed = given.get("seed", 0) & MASK
    if name in device.WORKS:
        reply = device.run(subject, given, name, times)
    elif name in LOOPS:
        with LOOPS[name]() as once:
            reply = {"ns": timed(once, times)}
    else:
        raise Unsupported(f"Python has no loop {name}")
    return {**reply, "checksum": keys.signed(SUM.value), "via": "python"}


COMMANDS = {"bench.run": run}
