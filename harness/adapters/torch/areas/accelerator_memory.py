"""Area memory on an accelerator: what every c10::DeviceAllocator keeps of statistics and cache, and pinned memory."""

import torch

from areas import memory
from areas.accelerator_streams import device_in, kind_of
from devices import backend
from waist.wire import Unsupported


def asked_of_device(subject, given, name, name_in_module=None):
    """What a function says of a device's allocator, which exists once the device has been used."""
    device = device_in(subject, given)
    ask = backend.offered(kind_of(subject), "." + name, name_in_module or name)
    if device.index < backend.count(kind_of(subject)):
        torch.empty(0, device=device)
    return ask(device.index)


def reset(name):
    def answer(subject, given):
        asked_of_device(subject, given, name)
        return {}
    return answer


def stats(subject, given):
    return {"result": memory.counted(asked_of_device(subject, given, "memory_stats"))}


def empty_cache(subject, given):
    backend.offered(kind_of(subject), ".empty_cache", "empty_cache")()
    return {}


def info(subject, given):
    free, total = asked_of_device(subject, given, "get_memory_info", "mem_get_info")
    return {"free": free, "total": total}


def empty_host_cache(subject, given):
    backend.offered(kind_of(subject), ".empty_host_cache")()
    return {}


def record_tensor(subject, given):
    tensor = given["tensor"]
    if tensor.device.type != kind_of(subject):
        raise Unsupported("Python cannot record a stream for host memory")
    tensor.record_stream(given["stream"])
    return {}


COMMANDS = {
    "memory.stats": (stats, ".memory_stats", "memory_stats"),
    "memory.empty_cache": (empty_cache, ".empty_cache", "empty_cache"),
    "memory.info": (info, ".get_memory_info", "mem_get_info"),
    "memory.empty_host_cache": (empty_host_cache, ".empty_host_cache"),
    "memory.reset_peak": (reset("reset_peak_memory_stats"), ".reset_peak_memory_stats", "reset_peak_memory_stats"),
    "memory.reset_accumulated": (reset("reset_accumulated_memory_stats"), ".reset_accumulated_memory_stats",
                                 "reset_accumulated_memory_stats"),
    "memory.record_tensor_stream": (record_tensor, "torch.Tensor.record_stream"),
    "memory.pin_memory": (lambda subject, given: {"result": given["tensor"].pin_memory()}, "torch.Tensor.pin_memory"),
    "memory.is_pinned": (lambda subject, given: {"result": given["tensor"].is_pinned()}, "torch.Tensor.is_pinned"),
}
