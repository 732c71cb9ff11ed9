"""A device 'pretended' for tests of the adapter: its tensors hold tensors of the CPU, and it has hardly an operator."""

import torch
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "pretended"
_setup_privateuseone_for_python_backend(NAME)


class Pretended(torch.Tensor):
    """PyTorch knows its shape and type alone."""

    @staticmethod
    def holding(held):
        made = torch._C._acc.create_empty_tensor(list(held.shape), held.dtype)
        made.__class__ = Pretended
        made.held = held
        return made


def operator(name):
    return torch.library.impl(f"aten::{name}", "privateuseone")


@operator("empty.memory_format")
def empty(size, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    return Pretended.holding(torch.empty(size, dtype=dtype))


@operator("empty_strided")
def empty_strided(size, stride, *, dtype=None, layout=None, device=None, pin_memory=None):
    return Pretended.holding(torch.empty_strided(size, stride, dtype=dtype))


@operator("_copy_from")
def copy_from(source, target, non_blocking=False):
    held = source.held if isinstance(source, Pretended) else source
    (target.held if isinstance(target, Pretended) else target).copy_(held)
    return target
