"""Area autocast: the parts of the wrappers, observed through operators that use them."""

import contextlib

import torch

from dispatcher import autocast_state as state, probes
from dispatcher.calls import CONVERSIONS, seen
from waist.wire import UNDEFINED, Unsupported

C = torch._C

# An operator of each policy on every device, whose kernel receives the arguments as the pieces have cast them.
LOWER, WIDEN = torch.ops.aten.mm.default, torch.ops.aten.mse_loss.default


class Catch(torch.utils._python_dispatch.TorchDispatchMode):
    """Records the arguments of one operator without running a kernel."""

    def __init__(self, operator):
        super().__init__()
        self.operator, self.arguments = operator, None

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if operator is self.operator:
            self.arguments = args
            return torch.empty(1)
        if any(isinstance(argument, probes.Probe) for argument in args):
            return probes.Probe.watcher(operator, args, kwargs)
        return seen(operator, args, kwargs, lambda: operator(*args, **kwargs))


def reached(operator, tensor, device, to=None):
    """The tensor that reaches the operator's kernel for this argument, and one that is never cast."""
    if not state.is_listed(operator.name(), device):
        raise Unsupported(f"this PyTorch has no autocast rule of {operator.name()} for {device}")
    beside = probes.make(device, torch.int64)  # brings the device's autocast key, whatever the tensor has
    with state.Alone(device), Catch(operator) as caught:
        if to is not None:
            state.set_dtype(device, to)
        operator(tensor, beside)
    return caught.arguments[0]


def one_cast(tensor, device, to):
    """PyTorch's cached_cast, called through an operator with this target dtype."""
    if to == state.dtype_of(device):
        return reached(LOWER, tensor, device, to)
    if to != torch.float32:
        raise Unsupported("Python reaches cached_cast to the device's dtype and to float32 only")
    return reached(WIDEN, tensor, device)


def cached_cast(subject, given):
    to, device = given["to"], given["device"]
    return {"result": mapped(given["value"], device, to)}


def mapped(value, device, to):
    if isinstance(value, (list, tuple)):
        raise Unsupported("no operator that Python can call casts this list and nothing else")
    if not isinstance(value, torch.Tensor):
        raise Unsupported("a value that is not a tensor cannot be passed through an operator")
    return one_cast(value, device, to)


def is_eligible(subject, given):
    """A tensor is eligible if it is cast when its dtype differs from the target."""
    tensor, device = given["tensor"], given["device"]
    if device not in state.known_devices():
        raise Unsupported(f"no operator of Python asks whether a tensor is eligible for {device}")
    if tensor is UNDEFINED:
        raise Unsupported("Python has no undefined tensor")
    operator = LOWER if tensor.dtype == torch.float32 else WIDEN
    with CONVERSIONS.uncounted(), uncached():
        return {"result": reached(operator, tensor, device).dtype != tensor.dtype}


@contextlib.contextmanager
def uncached():
    before = torch.is_autocast_cache_enabled()
    torch.set_autocast_cache_enabled(False)
    try:
        yield
    finally:
        torch.set_autocast_cache_enabled(before)


def unreachable(what):
    def answer(subject, given):
        raise Unsupported(f"{what} is a C++ template, which Python cannot call")

    return answer


COMMANDS = {
    "autocast.is_eligible": is_eligible,
    "autocast.cached_cast": cached_cast,
    "autocast.prioritize": unreachable("prioritize"),
    "autocast.promote_type": unreachable("promote_type"),
    "autocast.set_opt_dtype": unreachable("set_opt_dtype"),
    "autocast.first_is_eligible": unreachable("firstarg_is_eligible"),
    "autocast.type_from_first": unreachable("type_from_firstarg"),
    "autocast.wrap": unreachable("WrapFunction"),
}
