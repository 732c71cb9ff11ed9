"""Area runtime on an accelerator: devices and streams, through torch.accelerator and torch.Stream."""

import concurrent.futures
import contextlib

import torch

from areas.runtime_events import context
from areas.runtime_streams import packed
from devices import backend
from waist.wire import Lacking, Unsupported


def kind_of(subject):
    return subject.device.type


def generic(name):
    """torch.Stream or torch.Event, available since 2.5 and completed in later releases."""
    if not hasattr(torch, name):
        raise Unsupported(f"this PyTorch has no torch.{name}")
    return getattr(torch, name)


def named(text, subject):
    """The device named by a text; just "cuda" means the device under test."""
    return torch.device(kind_of(subject) if text == "cuda" else text)


def device_in(subject, given):
    """The given device, or the current one of the device under test."""
    device = given.get("device")
    if isinstance(device, str):
        device = named(device, subject)
    index = backend.index_in(device, kind_of(subject))
    return backend.current(kind_of(subject)) if index is None else device


def device_count(subject, given):
    backend.index_in(named(given.get("type", kind_of(subject)), subject), kind_of(subject))
    if given.get("ensure", False):
        raise Unsupported(f"PyTorch has no function that ensures a device of {kind_of(subject)}")
    return {"result": backend.count(kind_of(subject))}


def get_device(subject, given):
    backend.index_in(named(given["type"], subject), kind_of(subject))
    return {"result": backend.current(kind_of(subject))}


# Stream ids are the backend's own, except that the default stream is 0. A new thread starts with it.
DEFAULTS = {}


def default_of(device):
    if device not in DEFAULTS:
        ask = backend.offered(device.type, ".current_stream", "current_stream")
        with concurrent.futures.ThreadPoolExecutor(1) as thread:
            DEFAULTS[device] = thread.submit(ask, device.index).result()
    return DEFAULTS[device]


def restore_streams():
    for device, stream in DEFAULTS.items():
        if backend.offered(device.type, ".current_stream", "current_stream")(device.index) != stream:
            backend.offered(device.type, ".set_stream", "set_stream")(stream)


def id_of(stream):
    return 0 if stream == default_of(stream.device) else stream.stream_id


def described(stream):
    if stream.device.index is None:
        raise Lacking(f"the device guard of {stream.device.type} has no streams")
    return {"result": stream, "device": stream.device, "id": id_of(stream)}


def set_device(subject, given):
    if given.get("unchecked", False) or backend.index_in(given["device"], kind_of(subject)) is None:
        raise Unsupported("Python has no setter that is unchecked or takes no device")
    backend.select(given["device"])
    return {}


def exchange_device(subject, given):
    before = backend.current(kind_of(subject))
    set_device(subject, given)
    return {"result": before}


def synchronize_device(subject, given):
    backend.offered(kind_of(subject), ".synchronize", "synchronize")(device_in(subject, given).index)
    return {}


def default_stream(subject, given):
    return described(default_of(device_in(subject, given)))


def current_stream(subject, given):
    ask = backend.offered(kind_of(subject), ".current_stream", "current_stream")
    return described(ask(device_in(subject, given).index))


def new_stream(subject, given):
    if "high" in given or "non_capturing" in given:
        raise Unsupported("Python requests a stream by its priority number")
    return described(generic("Stream")(device_in(subject, given), **given.some("priority")))


def python_stream(subject, given):
    if "handle" in given:
        raise Unsupported("only the backend's module wraps streams of the driver")
    if "stream_id" in given:
        raise Unsupported("the numbers that a stream is made of are the backend's own")
    given.get("generic", False)  # each stream here is torch.Stream
    return described(generic("Stream")(device_in(subject, given), **given.some("priority")))


def set_stream(subject, given):
    if given["stream"] is None:
        raise Unsupported("only torch.cuda accepts None for a stream")
    backend.offered(kind_of(subject), ".set_stream", "set_stream")(given["stream"])
    return {}


def set_current(subject, given):
    if given["stream"] is not None and given["stream"].device != backend.current(kind_of(subject)):
        raise Unsupported("Python's set_stream switches the device as well")
    return set_stream(subject, given)


def wrapped(subject, given):
    return described(given["stream"])


def stream_info(subject, given):
    stream = given["stream"]
    return {"device": stream.device, "id": id_of(stream), "blind": ["hash", "text"]}


def unpacked(subject, given):
    if "text" in given:
        raise Unsupported("this PyTorch packs a stream into three numbers")
    stream = generic("Stream")(stream_id=given["id"], **given.some("device_index", "device_type"))
    return {"result": stream, "device": stream.device, "id": given["id"]}


def handle(subject, given):
    found = getattr(given["stream"], "native_handle", None)
    if found is None:
        raise Unsupported("a stream of this PyTorch does not show its handle")
    return {"result": int(found), "blind": ["kind", "level", "index"]}


def priority(subject, given):
    if not hasattr(given["stream"], "priority"):
        raise Unsupported("a stream of this PyTorch does not show its priority")
    return {"result": given["stream"].priority}


def stream_context(subject, given):
    if not hasattr(given["stream"], "__enter__"):
        raise Unsupported("a stream of this PyTorch is not a context manager")
    return context(given["stream"])


def device_context(subject, given):
    device = given["device"]
    index = device if isinstance(device, int) else backend.index_in(device, kind_of(subject))
    if index is not None and index < 0:
        raise Unsupported("only torch.cuda accepts a negative index for no device")
    return context(backend.offered(kind_of(subject), ".device_index", "device")(index))


def device_of(subject, given):
    return context(backend.offered(kind_of(subject), "device_of")(given["tensor"]))


def on(stream):
    """Makes the stream current for a while; without one, nothing changes."""
    if stream is None:
        return contextlib.nullcontext()
    return stream if hasattr(stream, "__enter__") else Current(stream)


class Current:
    """What a stream of an older PyTorch, which is not a context manager, needs in place of one."""

    def __init__(self, stream):
        self.stream = stream
        self.ask = backend.offered(stream.device.type, ".current_stream", "current_stream")
        self.set = backend.offered(stream.device.type, ".set_stream", "set_stream")

    def __enter__(self):
        self.device = backend.current(self.stream.device.type)
        self.before = self.ask(self.stream.device.index)
        self.set(self.stream)

    def __exit__(self, *problem):
        self.set(self.before)
        backend.select(self.device)


DEVICE, SET_DEVICE = (".current_device_index", "current_device"), (".set_device_index", "set_device")
CURRENT, SET_STREAM = (".current_stream", "current_stream"), (".set_stream", "set_stream")
STREAM = ("torch.Stream",)

# The function that answers a command, and what it needs: one of these names (`backend.is_offered`).
COMMANDS = {
    "runtime.device_count": (device_count, ".device_count", "device_count"),
    "runtime.get_device": (get_device, *DEVICE),
    "runtime.set_device": (set_device, *SET_DEVICE),
    "runtime.exchange_device": (exchange_device, *SET_DEVICE),
    "runtime.synchronize_device": (synchronize_device, ".synchronize", "synchronize"),
    "runtime.default_stream": (default_stream, *CURRENT),
    "runtime.current_stream": (current_stream, *CURRENT),
    "runtime.set_current_stream": (set_current, *SET_STREAM),
    "runtime.python_set_stream": (set_stream, *SET_STREAM),
    "runtime.pool_stream": (new_stream, *STREAM),
    "runtime.new_stream": (new_stream, *STREAM),
    "runtime.python_stream": (python_stream, *STREAM),
    "runtime.wrap": (wrapped, *STREAM),
    "runtime.stream_info": (stream_info, *STREAM),
    "runtime.pack": (packed, *STREAM),
    "runtime.unpack": (unpacked, *STREAM),
    "runtime.handle": (handle, "torch.Stream.native_handle"),
    "runtime.priority": (priority, "torch.Stream.priority"),
    "runtime.equal": (lambda subject, given: {"result": given["a"] == given["b"]}, *STREAM),
    "runtime.stream_context": (stream_context, "torch.Stream.__enter__"),
    "runtime.device_context": (device_context, ".device_index", "device"),
    "runtime.device_of": (device_of, "device_of"),
}
