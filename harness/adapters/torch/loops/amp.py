"""Loops of the two operators of loss scaling, with PyTorch's CPU kernels."""

import contextlib
import ctypes

import torch

from loops.checksum import SUM
from waist.wire import Unsupported


def kernel_of_cpu(name):
    if not torch._C._dispatch_has_kernel_for_dispatch_key(name, "CPU"):
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
    grads, found_inf, inv_scale = [torch.ones(1)], torch.zeros(()), torch.full((), -1.0)
    seen = ctypes.c_uint32.from_address(grads[0].data_ptr())

    def once():
        torch._amp_foreach_non_finite_check_and_unscale_(grads, found_inf, inv_scale)
        SUM.step(seen.value)

    yield once
