"""Area autocast: state, regions, and rules of custom operators."""

import contextlib
import functools

import torch

from areas import autocast_pieces
from devices import backend
from dispatcher import autocast_state as state, operators
from dispatcher.calls import CONVERSIONS
from waist.wire import Callback, Unsupported

C = torch._C


# -- state -----------------------------------------------------------------------------------------------------------

def is_available(subject, given):
    if not hasattr(C, "_is_autocast_available"):
        raise Unsupported("this PyTorch does not show where autocast is available")
    return {"result": C._is_autocast_available(given["device"])}


def is_enabled(subject, given):
    return {"result": state.is_enabled(given["device"]) if "device" in given else torch.is_autocast_enabled()}


def set_enabled(subject, given):
    if "device" in given:
        state.set_enabled(given["device"], given["value"])
    else:
        torch.set_autocast_enabled(given["value"])
    return {}


def dtype(subject, given):
    if "device" in given:
        return {"result": state.dtype_of(given["device"])}
    return {"result": torch.get_autocast_gpu_dtype()}


def set_dtype(subject, given):
    if "device" in given:
        state.set_dtype(given["device"], given["dtype"])
    else:
        torch.set_autocast_gpu_dtype(given["dtype"])
    return {}


def is_any_enabled(subject, given):
    if not hasattr(C, "_is_any_autocast_enabled"):
        raise Unsupported("this PyTorch does not show whether any device's autocast is on")
    return {"result": C._is_any_autocast_enabled()}


def nesting(subject, given):
    by = given["by"]
    return {"result": torch.autocast_increment_nesting() if by == 1 else torch.autocast_decrement_nesting()}


def set_cache_enabled(subject, given):
    torch.set_autocast_cache_enabled(given["value"])
    return {}


def clear_cache(subject, given):
    torch.clear_autocast_cache()
    return {}


def stats(subject, given):
    """The number of casts observed while operators were watched. The cache itself is not visible in Python."""
    return {"conversions": CONVERSIONS.count,
            "blind": ["cache_hits", "cache_inserts", "cache_clears", "cache_size", "locks"]}


def static_output(subject, given):
    if not hasattr(C, "_add_cached_tensor"):
        raise Unsupported("this PyTorch has no registry of static outputs")
    C._set_cached_tensors_enabled(True)
    (C._add_cached_tensor if given["value"] else C._remove_cached_tensor)(given["tensor"])
    return {}


# -- regions ---------------------------------------------------------------------------------------------------------

@contextlib.contextmanager
def cuda_said_to_be(available, supports_bf16):
    """Replaces what PyTorch queries about the machine while it constructs a region; None keeps the real value."""
    common, cuda = torch.cuda.amp.common, torch.cuda
    before = common.amp_definitely_not_available, cuda.is_bf16_supported
    if available is not None:
        common.amp_definitely_not_available = lambda: not available
    if supports_bf16 is not None:
        cuda.is_bf16_supported = lambda *arguments, **named: supports_bf16
    try:
        yield
    finally:
        common.amp_definitely_not_available, cuda.is_bf16_supported = before


def is_off_for_the_type(region, given):
    """PyTorch turns a region of a backend off, with a warning, if its module does not name the region's type."""
    return (backend.is_accelerator(torch.device(region.device)) and given.get("enabled", True) and not region._enabled
            and region.fast_dtype in (torch.float16, torch.bfloat16))


def construct(subject, given):
    options = given.some("dtype", "enabled", "cache_enabled")
    backend.refuse_old_name(given["device"])
    with cuda_said_to_be(given.get("cuda_available"), given.get("bf16_supported")):
        region = torch.autocast(given["device"], **options)
    if is_off_for_the_type(region, given):
        raise Unsupported(f"the module of {region.device} has no {region.fast_dtype} in get_amp_supported_dtype")
    return {"result": region}


def enter(subject, given):
    return {"result": given["region"].__enter__()}


def leave(subject, given):
    given["region"].__exit__(None, None, None)
    return {}


def as_function(subject, value):
    return functools.partial(subject_call, subject, value.name) if isinstance(value, Callback) else value


def subject_call(subject, name, *arguments):
    return subject.blocks.call(name, arguments, {})


def decorate(subject, given):
    function = as_function(subject, given["function"])
    if isinstance(function, functools.partial):
        function.__name__ = function.__qualname__ = "callback"
    return {"result": given["region"](function)}


def call(subject, given):
    return {"result": as_function(subject, given["function"])(*given.get("args", []))}


# -- rules -----------------------------------------------------------------------------------------------------------

class Rule:
    """A rule for a custom operator, which lives as long as its library."""

    def __init__(self, namespace):
        self.library = torch.library.Library(namespace, "FRAGMENT")

    def __del__(self):
        if hasattr(self.library, "_destroy"):
            self.library._destroy()


def register(subject, given):
    if not hasattr(torch.library, "register_autocast"):
        raise Unsupported("this PyTorch has no torch.library.register_autocast")
    name = operators.name_of(given["op"])
    rule = Rule(name.partition("::")[0])
    torch.library.register_autocast(name, given["device"], given["dtype"], lib=rule.library)
    return {"result": rule}


COMMANDS = {
    "autocast.key": lambda subject, given: {"result": state.key_of(given["device"])},
    "autocast.is_available": is_available,
    "autocast.is_enabled": is_enabled,
    "autocast.set_enabled": set_enabled,
    "autocast.dtype": dtype,
    "autocast.set_dtype": set_dtype,
    "autocast.is_any_enabled": is_any_enabled,
    "autocast.nesting": nesting,
    "autocast.is_cache_enabled": lambda subject, given: {"result": torch.is_autocast_cache_enabled()},
    "autocast.set_cache_enabled": set_cache_enabled,
    "autocast.clear_cache": clear_cache,
    "autocast.stats": stats,
    "autocast.static_output": static_output,
    "autocast.region": construct,
    "autocast.construct": construct,
    "autocast.enter": enter,
    "autocast.exit": leave,
    "autocast.decorate": decorate,
    "autocast.call": call,
    "autocast.register": register,
    **autocast_pieces.COMMANDS,
}
