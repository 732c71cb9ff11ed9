"""A device for tests of the adapter, written in Python alone: its tensors hold tensors of the CPU, whose kernels compute for it.

It has the operators that are named here and no others. PyTorch 2.11 takes a name for it and knows its devices and streams; an
older one calls it privateuseone, lets it have neither streams nor a backward, and asks it for an index always.
"""

import os

import torch

C = torch._C
NAME = os.environ.get("PRETENDED_BACKEND", "pretended")
try:
    from torch.utils.backend_registration import _setup_privateuseone_for_python_backend
except ImportError:
    NAME = "privateuseone"
else:
    _setup_privateuseone_for_python_backend(NAME)
    RULES = C._dispatch_library("IMPL", "_", "AutocastPrivateUse1", __file__, 0)
    RULES.fallback_fallthrough("AutocastPrivateUse1")

BY_THE_CPU = ("abs", "add.Tensor", "add_.Tensor", "alias", "all", "any", "as_strided", "detach", "div.Tensor", "eq.Tensor",
              "mm", "mul.Tensor", "neg", "ones_like", "relu", "sub.Tensor", "sum", "t", "view", "_local_scalar_dense")
LIBRARY, KERNELS = torch.library.Library("aten", "IMPL"), {}


class Pretended(torch.Tensor):
    """PyTorch sees only its shape and dtype."""

    __torch_function__ = C._disabled_torch_function_impl

    @staticmethod
    def holding(held):
        made = torch.Tensor._make_wrapper_subclass(Pretended, held.shape, strides=held.stride(), dtype=held.dtype,
                                                   storage_offset=held.storage_offset(), device=f"{NAME}:0")
        made.held = held
        return made

    @classmethod
    def __torch_dispatch__(cls, operator, types, args=(), kwargs=None):
        if operator in KERNELS:
            return KERNELS[operator](*args, **(kwargs or {}))
        below = C._DisableTorchDispatch()  # where PyTorch says that there is none
        try:
            return operator(*args, **(kwargs or {}))
        finally:
            del below


def held_in(value):
    if isinstance(value, Pretended):
        return value.held
    if isinstance(value, torch.device):
        return torch.device("cpu")
    return type(value)(map(held_in, value)) if isinstance(value, (list, tuple)) else value


def operator_called(name):
    base, _, overload = name.partition(".")
    return getattr(getattr(torch.ops.aten, base), overload or "default")


def kernel(name):
    operator, in_place = operator_called(name), name.partition(".")[0].endswith("_")

    def run(*arguments, **named):
        result = operator(*held_in(arguments), **{key: held_in(value) for key, value in named.items()})
        if in_place:
            return arguments[0]
        return Pretended.holding(result) if isinstance(result, torch.Tensor) else result

    return run


def empty(size, *, dtype=None, layout=None, device=None, pin_memory=None, memory_format=None):
    return Pretended.holding(torch.empty(size, dtype=dtype, memory_format=memory_format))


def empty_strided(size, stride, *, dtype=None, layout=None, device=None, pin_memory=None):
    return Pretended.holding(torch.empty_strided(size, stride, dtype=dtype))


def copy_from(source, target, non_blocking=False):
    held_in(target).copy_(held_in(source))
    return target


for name, run in (("empty.memory_format", empty), ("empty_strided", empty_strided), ("_copy_from", copy_from),
                  *((name, kernel(name)) for name in BY_THE_CPU)):
    LIBRARY.impl(name, run, "PrivateUse1")
    KERNELS[operator_called(name)] = run
