"""Autocast's state on the calling thread, with the same interface for every release."""

import contextlib
import functools
import threading

import torch

from devices import backend
from dispatcher import keys, probes
from waist.wire import NoDtype, Unsupported

C = torch._C
HAS_DEVICES = hasattr(torch, "get_autocast_dtype")  # before, each device has functions of its own
OLD_NAMES = {"cuda": ("autocast_enabled", "autocast_gpu_dtype"), "cpu": ("autocast_cpu_enabled", "autocast_cpu_dtype")}


def old(device, verb, place):
    if device not in OLD_NAMES:
        raise Unsupported(f"this PyTorch gives Python autocast's state for cpu and cuda only, not for {device}")
    return getattr(torch, verb + OLD_NAMES[device][place])


def is_enabled(device):
    return torch.is_autocast_enabled(device) if HAS_DEVICES else old(device, "is_", 0)()


def set_enabled(device, value):
    if HAS_DEVICES:
        torch.set_autocast_enabled(device, value)
    else:
        old(device, "set_", 0)(value)


def dtype_of(device):
    if not HAS_DEVICES:
        return old(device, "get_", 1)()
    try:
        return torch.get_autocast_dtype(device)
    except RuntimeError as problem:
        if "unsupported scalarType" in str(problem):
            return NoDtype()
        raise


def set_dtype(device, dtype):
    if HAS_DEVICES:
        remember(device)
        torch.set_autocast_dtype(device, dtype)
    else:
        old(device, "set_", 1)(dtype)


def key_of(device):
    """The Autocast key of a device's tensors."""
    if HAS_DEVICES:
        torch.is_autocast_enabled(device)  # refuses a device type without autocast, in PyTorch's words
    found = keys.names_in(C._dispatch_keys(probes.make(device)))
    key = next((name for name in found if name.startswith("Autocast")), None)
    if key is None:
        raise Unsupported(f"this PyTorch shows no autocast key of {device}")
    return key


# External backends have their own rules. PyTorch excludes autocast's keys while operators are watched, so the state
# at the call of an operator is kept during the call.
HELD = threading.local()


def own_rules_hold():
    return HAS_DEVICES and is_enabled(backend.private_name())


def own_rules_held(otherwise):
    return getattr(HELD, "casts", otherwise)


@contextlib.contextmanager
def held_until_rule(name=None, tensors=()):
    """Wraps a call: below the rule of the operator itself, autocast is disabled."""
    casts = own_rules_hold()
    if casts and name is not None:
        need_rule(name, tensors)
        casts = not is_listed(name, backend.private_name())
    before = HELD.__dict__.copy()
    HELD.casts = casts
    try:
        yield
    finally:
        HELD.__dict__.clear()
        HELD.__dict__.update(before)


def need_rule(name, values):
    """Operators that PyTorch casts on CUDA and for which the backend has no rule are outside of the clauses."""
    kind = backend.private_name()
    real = (one for one in values if isinstance(one, torch.Tensor) and not isinstance(one, probes.Probe))
    if any(one.device.type == kind for one in real) and is_listed(name, "cuda") and not is_listed(name, kind):
        raise Unsupported(f"the backend has no autocast rule of {name}")


def is_listed(name, device):
    return C._dispatch_has_kernel_for_dispatch_key(name, keys.key_of(key_of(device)))


@functools.lru_cache
def known_devices():
    if not HAS_DEVICES:
        return list(OLD_NAMES)
    names = ("cpu", "cuda", "xpu", "ipu", "hpu", "xla", "mps", "mtia", "maia", "privateuseone")
    return [name for name in names if C._is_autocast_available(name)]


def any_enabled():
    return any(is_enabled(device) for device in known_devices())


class Alone:
    """Enables autocast for exactly one device, and restores the state afterwards."""

    def __init__(self, device):
        self.device = device

    def __enter__(self):
        self.dtype, self.cached = dtype_of(self.device), torch.is_autocast_cache_enabled()
        self.enabled = [device for device in known_devices() if is_enabled(device)]
        for device in self.enabled:
            set_enabled(device, False)
        set_enabled(self.device, True)
        return self

    def __exit__(self, *problem):
        set_enabled(self.device, False)
        for device in self.enabled:
            set_enabled(device, True)
        set_dtype(self.device, self.dtype)
        torch.set_autocast_cache_enabled(self.cached)


FIRST = {device: dtype_of(device) for device in known_devices()}
MOVED = {}  # dtypes of other devices, which can be set all the same, as they were


def remember(device):
    if device not in FIRST and device not in MOVED:
        MOVED[device] = dtype_of(device)


def forget_moved():
    """False if an undefined dtype would have to be restored, which PyTorch does not accept."""
    clean = True
    for device, dtype in MOVED.items():
        if isinstance(dtype, torch.dtype):
            set_dtype(device, dtype)
        else:
            clean = False
    MOVED.clear()
    return clean


def restore():
    """Restores the state of a new thread. False if some state remains."""
    for device, dtype in FIRST.items():
        set_enabled(device, False)
        set_dtype(device, dtype)
    torch.set_autocast_cache_enabled(True)
    while torch.autocast_increment_nesting() <= 0:
        pass
    while torch.autocast_decrement_nesting() > 0:
        pass
    torch.clear_autocast_cache()
    C._set_grad_enabled(True)
    return forget_moved()
