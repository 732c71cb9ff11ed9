"""Area bench: the loops that Python has, timed by its own clock. A kernel is a Python function, and so is each step."""

import contextlib
import ctypes
import gc
import itertools
import time

import torch

import autocast_state
import bench_device
import bench_runtime
import dispatch_keys
import kernels
import keys
import printed
import registrations
from bench_sum import SUM
from wire import Invalid, Unsupported

C = torch._C
PLACE = ("bench", 0)
UPPER, LOWER = "TESTING_ONLY_GenericMode", "TESTING_ONLY_GenericWrapper"
BELOW_ALL = "CompositeImplicitAutograd"


def timed(once, times):
    """Nanoseconds of so many calls. The collector of garbage would walk what the loop has nothing to do with."""
    collects = gc.isenabled()
    gc.disable()
    try:
        SUM.value = 0
        begin = time.perf_counter_ns()
        for _ in itertools.repeat(None, times):
            once()
        return time.perf_counter_ns() - begin
    finally:
        if collects:
            gc.enable()


# -- calls through the dispatcher --------------------------------------------------------------------------------------

class BenchOperator:
    """`assay_bench::call`, which takes tensors and returns nothing, for as long as it lives."""

    def __init__(self, parameters):
        self.library = C._dispatch_library("FRAGMENT", "assay_bench", "", *PLACE)
        self.library.define(f"call({', '.join('Tensor ' + name for name in parameters)}) -> ()", "")
        self.fallbacks = []

    def add(self, key, function, with_keys=False):
        if with_keys and not kernels.Kernel.takes_key_set:
            raise Unsupported("this PyTorch does not tell a kernel of Python which keys it was called with")
        self.library.impl("call", registrations.dispatch_of(key), function, *([True] if with_keys else []))

    def fall_through(self, key):
        """For all operators: no other has this key."""
        self.fallbacks.append(C._dispatch_library("IMPL", "_", registrations.key_text(key), *PLACE))
        self.fallbacks[-1].fallback_fallthrough("")

    def fall_back(self, key, function):
        self.fallbacks.append(C._dispatch_library("IMPL", "_", "", *PLACE))
        if not hasattr(self.fallbacks[-1], "fallback"):
            raise Unsupported("this PyTorch lets Python register no fallback but a fallthrough")
        self.fallbacks[-1].fallback(registrations.dispatch_of(key), function, True)

    def overload(self):
        return torch.ops.assay_bench.call.default

    def close(self):
        self.library = None
        self.fallbacks.clear()
        registrations.forget_found()


@contextlib.contextmanager
def operator(parameters):
    registrations.forget_found()
    made = BenchOperator(parameters)
    try:
        yield made
    finally:
        made.close()


@contextlib.contextmanager
def included(names):
    """Keys that are active for every call meanwhile."""
    if names and not hasattr(C, "_IncludeDispatchKeyGuard"):
        raise Unsupported("this PyTorch has no guard that includes keys")
    with contextlib.ExitStack() as stack:
        for name in names:
            stack.enter_context(dispatch_keys.Guard(lambda name=name: C._IncludeDispatchKeyGuard(keys.key_of(name))))
        yield


@contextlib.contextmanager
def unary(op, active=()):
    """Calls with one tensor, while more keys are active than it has."""
    call, tensor = op.overload(), one()
    with included(active):
        yield lambda: call(tensor)


def last(*tensors):
    SUM.step(1)


def one():
    return torch.ones(1)


@contextlib.contextmanager
def typed(count):
    with operator("abcd"[:count]) as op:
        op.add(BELOW_ALL, last)
        call, tensors = op.overload(), [one() for _ in range(count)]
        yield lambda: call(*tensors)


def upper_keys(count):
    """Those above autograd's, of which so many are active."""
    return (LOWER, UPPER)[:count]


@contextlib.contextmanager
def fallthrough(count):
    """Autograd's key, which every tensor has, falls through unless an operator says otherwise."""
    with operator("a") as op:
        op.add("CPU", last)
        for key in (UPPER, LOWER):
            op.fall_through(key)
        with unary(op, upper_keys(count - 1)) as once:
            yield once


def below(key, key_set):
    return key_set & C._dispatch_keyset_full_after(keys.key_of(key))


@contextlib.contextmanager
def boxed_fallback():
    def boxed(key_set, called, *arguments):
        SUM.step(2)
        return called.redispatch(below(UPPER, key_set), *arguments)

    with operator("a") as op:
        op.add("CPU", last)
        op.fall_back(UPPER, boxed)
        with unary(op, [UPPER]) as once:
            yield once


@contextlib.contextmanager
def redispatch(depth):
    def passing(key, call):
        def kernel(key_set, tensor):
            SUM.step(3)
            call.redispatch(below(key, key_set), tensor)
        return kernel

    with operator("a") as op:
        op.add("CPU", last)
        for key in (UPPER, LOWER, "AutogradCPU"):
            op.add(key, passing(key, op.overload()), with_keys=True)
        with unary(op, upper_keys(depth - 1)) as once:
            yield once


# -- calls under autocast ----------------------------------------------------------------------------------------------

TYPE_NUMBERS = {torch.float32: 6, torch.bfloat16: 15}


@contextlib.contextmanager
def own_kernel(name, function):
    """In place of PyTorch's own on the CPU; below it the wrappers of autocast and autograd stay as they are."""
    base, overload = name.split(".")
    library = C._dispatch_library("IMPL", "aten", "", *PLACE)
    with printed.as_warnings():
        library.impl(name if overload != "default" else base, registrations.dispatch_of("CPU"), function)
    try:
        yield getattr(getattr(torch.ops.aten, base), overload)
    finally:
        del library


@contextlib.contextmanager
def casting(is_on):
    """Autocast to bfloat16 on the CPU, with its cache; nothing takes a gradient."""
    with autocast_state.Alone("cpu"), torch.no_grad():
        autocast_state.set_enabled("cpu", is_on)
        autocast_state.set_dtype("cpu", torch.bfloat16)
        torch.set_autocast_cache_enabled(True)
        torch.clear_autocast_cache()
        try:
            yield
        finally:
            torch.clear_autocast_cache()


def told(returned):
    """A kernel that tells the type of its first tensor."""
    def kernel(first, *rest):
        SUM.step(TYPE_NUMBERS[first.dtype])
        return returned
    return kernel


@contextlib.contextmanager
def autocast(is_on, clear=False):
    """`mm` is wrapped; what it is multiplied with needs no cast."""
    leaf = torch.ones(1, 1, requires_grad=True)
    beside = torch.ones(1, 1, dtype=torch.bfloat16 if is_on else torch.float32)
    with own_kernel("mm.default", told(torch.ones(1, 1))) as mm, casting(is_on):
        if clear:
            def once():
                torch.clear_autocast_cache()
                mm(leaf, beside)
        else:
            def once():
                mm(leaf, beside)
            once()  # casts, and keeps what it has cast
        yield once


@contextlib.contextmanager
def promote():
    """`stack` is wrapped."""
    tensors = [torch.ones(1, dtype=torch.bfloat16), torch.ones(1)]

    def kernel(given, dim=0):
        for tensor in given:
            SUM.step(TYPE_NUMBERS[tensor.dtype])
        return tensors[1]

    with own_kernel("stack.default", kernel) as stack, casting(True):
        yield lambda: stack(tensors)


# -- operators of loss scaling -----------------------------------------------------------------------------------------

def kernel_of_cpu(name):
    if not C._dispatch_has_kernel_for_dispatch_key(name, "CPU"):
        raise Unsupported(f"this PyTorch has no {name} on the CPU")


@contextlib.contextmanager
def update_scale():
    kernel_of_cpu("aten::_amp_update_scale_")
    scale, tracker, found_inf = torch.ones(()), torch.zeros((), dtype=torch.int32), torch.zeros(())
    seen = ctypes.c_int32.from_address(tracker.data_ptr())

    def once():
        torch._amp_update_scale_(scale, tracker, found_inf, 1.0, 1.0, 2)
        SUM.step(seen.value)

    yield once


@contextlib.contextmanager
def unscale():
    kernel_of_cpu("aten::_amp_foreach_non_finite_check_and_unscale_")
    grads, found_inf, inv_scale = [one()], torch.zeros(()), torch.full((), -1.0)
    seen = ctypes.c_uint32.from_address(grads[0].data_ptr())

    def once():
        torch._amp_foreach_non_finite_check_and_unscale_(grads, found_inf, inv_scale)
        SUM.step(seen.value)

    yield once


@contextlib.contextmanager
def empty():
    yield lambda: SUM.step(1)


LOOPS = {
    "empty": empty,
    **{f"typed_{count}": lambda count=count: typed(count) for count in (1, 2, 4)},
    **{f"fallthrough_{count}": lambda count=count: fallthrough(count) for count in (1, 2, 3)},
    "boxed_fallback": boxed_fallback,
    **{f"redispatch_{depth}": lambda depth=depth: redispatch(depth) for depth in (1, 2, 3)},
    "autocast_off": lambda: autocast(False),
    "autocast_hit": lambda: autocast(True),
    "autocast_miss": lambda: autocast(True, clear=True),
    "autocast_promote": promote,
    "amp_update_scale": update_scale,
    "amp_unscale": unscale,
    **bench_runtime.LOOPS,
}


def run(subject, given):
    name, times = given["loop"], given["n"]
    if not isinstance(times, int) or isinstance(times, bool) or times < 1:
        raise Invalid("'n' must be at least 1")
    if name in bench_device.WORKS:
        reply = bench_device.run(subject, given, name, times)
    elif name in LOOPS:
        with LOOPS[name]() as once:
            reply = {"ns": timed(once, times)}
    else:
        raise Unsupported(f"Python has no loop {name}")
    return {**reply, "checksum": keys.signed(SUM.value), "via": "python"}


COMMANDS = {"bench.run": run}
