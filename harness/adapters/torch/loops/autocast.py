"""Loops of calls under autocast: PyTorch's wrappers around Python kernels."""

import contextlib

import torch

from dispatcher import autocast_state, registrations
from loops.checksum import SUM
from loops.dispatch import PLACE
from waist import printed

C = torch._C
TYPE_NUMBERS = {torch.float32: 6, torch.bfloat16: 15}


@contextlib.contextmanager
def own_kernel(name, function):
    """Replaces PyTorch's CPU kernel, below the unchanged wrappers of autocast and autograd."""
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
    """Autocast to bfloat16 on the CPU with its cache, without gradients."""
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
    """A kernel that records the dtype of its first tensor."""
    def kernel(first, *rest):
        SUM.step(TYPE_NUMBERS[first.dtype])
        return returned
    return kernel


@contextlib.contextmanager
def autocast(is_on, clear=False):
    """`mm` is wrapped; its other operand needs no cast."""
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
            once()  # casts, and caches the result
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
