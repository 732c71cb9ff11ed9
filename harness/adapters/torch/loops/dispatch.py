"""Loops of calls through the dispatcher. Kernels are Python functions."""

import contextlib

import torch

from dispatcher import kernels, key_commands, keys, registrations
from loops.checksum import SUM
from waist.wire import Unsupported

C = torch._C
PLACE = ("bench", 0)
UPPER, LOWER = "TESTING_ONLY_GenericMode", "TESTING_ONLY_GenericWrapper"
BELOW_ALL = "CompositeImplicitAutograd"


class BenchOperator:
    """`assay_bench::call`, which takes tensors and returns nothing, during the context's lifetime."""

    def __init__(self, parameters):
        self.library = C._dispatch_library("FRAGMENT", "assay_bench", "", *PLACE)
        self.library.define(f"call({', '.join('Tensor ' + name for name in parameters)}) -> ()", "")
        self.fallbacks = []

    def add(self, key, function, with_keys=False):
        if with_keys and not kernels.Kernel.takes_key_set:
            raise Unsupported("this PyTorch does not tell a kernel of Python which keys it was called with")
        self.library.impl("call", registrations.dispatch_of(key), function, *([True] if with_keys else []))

    def fall_through(self, key):
        """For all operators, because no other uses this key."""
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
    """Activates these keys for every call."""
    if names and not hasattr(C, "_IncludeDispatchKeyGuard"):
        raise Unsupported("this PyTorch has no guard that includes keys")
    with contextlib.ExitStack() as stack:
        for name in names:
            stack.enter_context(key_commands.Guard(lambda name=name: C._IncludeDispatchKeyGuard(keys.key_of(name))))
        yield


@contextlib.contextmanager
def unary(op, active=()):
    """Calls with one tensor, while more keys are active than the tensor has."""
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
    """Keys above autograd's; this many are active."""
    return (LOWER, UPPER)[:count]


@contextlib.contextmanager
def fallthrough(count):
    """Autograd's key, which every tensor has, falls through unless an operator has a kernel for it."""
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
