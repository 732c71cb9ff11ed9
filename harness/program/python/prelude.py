import copy
import math
import pickle
import sys
from concurrent.futures import ThreadPoolExecutor

import torch

torch.set_printoptions(precision=9)
differences = 0


def alike(got, wanted):
    """Equal to the bit, but any NaN for any NaN."""
    if got is wanted:
        return True
    if isinstance(wanted, torch.Tensor):
        if not isinstance(got, torch.Tensor) or got.dtype != wanted.dtype or got.shape != wanted.shape:
            return False
        got, wanted = got.detach().cpu(), wanted.detach().cpu()
        if not wanted.dtype.is_floating_point:
            return torch.equal(got, wanted)
        same = (got == wanted) & (torch.signbit(got) == torch.signbit(wanted))
        return bool((same | (got.isnan() & wanted.isnan())).all())
    if isinstance(wanted, float) and isinstance(got, float):
        same = got == wanted and math.copysign(1, got) == math.copysign(1, wanted)
        return same or (math.isnan(got) and math.isnan(wanted))
    if isinstance(wanted, dict) and isinstance(got, dict):
        return list(got) == list(wanted) and all(alike(got[key], wanted[key]) for key in wanted)
    if isinstance(wanted, (list, tuple)) and isinstance(got, (list, tuple)):
        return len(got) == len(wanted) and all(map(alike, got, wanted))
    return type(got) is type(wanted) and got == wanted


def check(what, got, wanted):
    global differences
    if alike(got, wanted):
        print(f"as expected   {what} is {wanted}")
    else:
        differences += 1
        print(f"DIFFERENT     {what} is {got}, expected {wanted}")


class raises:
    """Expects the statements in its block to raise."""

    def __init__(self, kind):
        self.kind = kind

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        global differences
        as_expected = isinstance(error, self.kind)
        differences += not as_expected
        seen = "nothing" if kind is None else f"{kind.__name__}: {error}"
        print(f"{'as expected ' if as_expected else 'DIFFERENT   '}  raised {seen}"
              + ("" if as_expected else f", expected {self.kind.__name__}"))
        return True


def named_parameter(module, name, tensor, requires_grad=None):
    parameter = tensor
    if tensor is not None and not isinstance(tensor, torch.nn.Parameter):
        can = tensor.is_floating_point() or tensor.is_complex()
        parameter = torch.nn.Parameter(tensor, can if requires_grad is None else requires_grad)
    module.register_parameter(name, parameter)
    return parameter


def named_buffer(module, name, tensor, persistent=True):
    module.register_buffer(name, tensor, persistent)
    return tensor


def held_in(module, path):
    *parents, name = path.split(".")
    for parent in parents:
        module = module._modules[parent]
    kept = {**module._parameters, **module._buffers}
    if name not in kept:
        raise AttributeError(name)
    return kept[name]


def stage_of(scaler, optimizer):
    states = getattr(scaler, "_per_optimizer_states", {})
    return states[id(optimizer)]["stage"].name if id(optimizer) in states else "READY"


class LossScale:
    """A GradScaler with one gradient: infinite in a step that overflows, otherwise zero."""

    def __init__(self, scale, growth_factor, backoff_factor, growth_interval):
        self.weight = torch.zeros(1, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.weight], lr=0.0)
        self.scaler = torch.amp.GradScaler(self.weight.device.type, init_scale=scale, growth_interval=growth_interval)
        self.scaler.set_growth_factor(growth_factor)  # the constructor refuses factors of 1
        self.scaler.set_backoff_factor(backoff_factor)
        self.scaler.scale(self.weight)  # makes the tensors of the scaler

    def step(self, overflow):
        self.weight.grad = torch.full_like(self.weight, math.inf if overflow else 0.0)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return self.scaler.get_scale()
