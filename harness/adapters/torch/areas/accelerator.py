"""Areas runtime, memory and graph on an accelerator: PyTorch's device-independent interface, without CUDA-specific parts."""

import threading

import torch

from areas.runtime_events import context, with_stream
from devices import backend
from waist.wire import Unsupported


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
        found = []
        ask = backend.offered(device.type, ".current_stream", "current_stream")
        thread = threading.Thread(target=lambda: found.append(ask(device.index)))
        thread.start()
        thread.join()
        (DEFAULTS[device],) = found
    return DEFAULTS[device]


def restore_streams():
    for device, stream in DEFAULTS.items():
        if backend.offered(device.type, ".current_stream", "current_stream")(device.index) != stream:
            backend.offered(device.type, ".set_stream", "set_stream")(stream)


def id_of(stream):
    return 0 if stream == default_of(stream.device) else stream.stream_id


def described(stream):
    if stream.device.index is None:
        raise Unsupported(f"the device guard of {stream.device.type} has no streams")
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


def packed(subject, given):
    stream = given["stream"]
    return {"id": stream.stream_id, "device_index": stream.device_index, "device_type": stream.device_type}


def priority(subject, given):
    if not hasattr(given["stream"], "priority"):
        raise Unsupported("a stream of this PyTorch does not show its priority")
    return {"result": given["stream"].priority}


def make_event(subject, given):
    api = given.get("api", "cuda")
    options, make = {}, generic("Event")
    if api == "generic":
        flag = given.get("flag", "pytorch_default")
        if flag not in ("pytorch_default", "backend_default"):
            raise Unsupported("Python cannot make an event with that flag")
        options["enable_timing"] = flag == "backend_default"
    elif api == "python":
        make = backend.offered(kind_of(subject), "Event")
        options = {name: given[key] for key, name in (("timing", "enable_timing"), ("blocking", "blocking"),
                                                      ("interprocess", "interprocess")) if key in given}
    elif "flag" in given:
        raise Unsupported("only CUDA has flags of the driver")
    return {"result": make(device_in(subject, given), **options)}


def event_info(subject, given):
    event = given["event"]
    return {"created": event.event_id != 0, "device": event.device, "id": event.event_id, "blind": ["recorded", "flag"]}


def call(name, method, *others):
    """Calls a method of an argument with the other arguments, if its class has the method."""
    def answer(subject, given):
        found = getattr(given[name], method, None)
        if found is None:
            raise Unsupported(f"{type(given[name]).__name__} has no {method} in this PyTorch")
        result = found(*(given[other] for other in others if other in given))
        return {} if result is None else {"result": result}
    return answer


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


def memory(*names):
    def answer(subject, given):
        result = backend.offered(kind_of(subject), *names)()
        return {} if result is None else {"result": result}
    return answer


COMMANDS = {
    "runtime.device_count": device_count,
    "runtime.get_device": get_device,
    "runtime.set_device": set_device,
    "runtime.exchange_device": exchange_device,
    "runtime.synchronize_device": synchronize_device,
    "runtime.default_stream": default_stream,
    "runtime.current_stream": current_stream,
    "runtime.set_current_stream": set_current,
    "runtime.python_set_stream": set_stream,
    "runtime.pool_stream": new_stream,
    "runtime.new_stream": new_stream,
    "runtime.python_stream": python_stream,
    "runtime.wrap": wrapped,
    "runtime.stream_info": stream_info,
    "runtime.pack": packed,
    "runtime.priority": priority,
    "runtime.equal": lambda subject, given: {"result": given["a"] == given["b"]},
    "runtime.query": call("object", "query"),
    "runtime.synchronize": call("object", "synchronize"),
    "runtime.wait": call("stream", "wait_event", "event"),
    "runtime.wait_event": call("stream", "wait_event", "event"),
    "runtime.wait_stream": call("stream", "wait_stream", "other"),
    "runtime.event": make_event,
    "runtime.event_info": event_info,
    "runtime.record": with_stream("record"),
    "runtime.block": with_stream("wait"),
    "runtime.elapsed": call("from", "elapsed_time", "to"),
    "runtime.record_event": call("stream", "record_event", "event"),
    "runtime.stream_context": stream_context,
    "runtime.device_context": device_context,
    "runtime.device_of": device_of,
    "memory.empty_cache": memory(".empty_cache", "empty_cache"),
    "memory.reset_peak": memory(".reset_peak_memory_stats", "reset_peak_memory_stats"),
    "memory.reset_accumulated": memory(".reset_accumulated_memory_stats", "reset_accumulated_memory_stats"),
    "memory.pin_memory": lambda subject, given: {"result": given["tensor"].pin_memory()},
    "memory.is_pinned": lambda subject, given: {"result": given["tensor"].is_pinned()},
}
