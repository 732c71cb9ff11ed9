"""Areas runtime, memory and graph on an accelerator: what PyTorch has for every device, and nothing of CUDA's own."""

import torch

import backend
from runtime_events import context, described, with_stream
from wire import Unsupported


def kind_of(subject):
    return subject.device.type


def generic(name):
    """torch.Stream or torch.Event, which 2.5 has and later ones complete."""
    if not hasattr(torch, name):
        raise Unsupported(f"this PyTorch has no torch.{name}")
    return getattr(torch, name)


def device_in(subject, given):
    """The device given, or the current one of the device under test."""
    device = given.get("device")
    index = backend.index_in(device, kind_of(subject))
    return backend.current(kind_of(subject)) if index is None else device


def device_count(subject, given):
    if given.get("type", kind_of(subject)) != kind_of(subject) or given.get("ensure", False):
        raise Unsupported(f"counts devices of {kind_of(subject)} alone")
    return {"result": backend.count(kind_of(subject))}


def get_device(subject, given):
    backend.index_in(torch.device(given["type"]), kind_of(subject))
    return {"result": backend.current(kind_of(subject))}


def set_device(subject, given):
    if given.get("unchecked", False) or backend.index_in(given["device"], kind_of(subject)) is None:
        raise Unsupported("Python has no unchecked setter, and none of no device")
    backend.select(given["device"])
    return {}


def exchange_device(subject, given):
    before = backend.current(kind_of(subject))
    set_device(subject, given)
    return {"result": before}


def synchronize_device(subject, given):
    backend.offered(kind_of(subject), ".synchronize", "synchronize")(device_in(subject, given).index)
    return {}


def stream_at(name, generic_name=None):
    def answer(subject, given):
        names = [name] if generic_name is None else [generic_name, name]
        return described(backend.offered(kind_of(subject), *names)(device_in(subject, given).index))
    return answer


def new_stream(subject, given):
    if "high" in given or "non_capturing" in given:
        raise Unsupported("Python asks for a stream by a number")
    return described(generic("Stream")(device_in(subject, given), **given.some("priority")))


def python_stream(subject, given):
    if "handle" in given:
        raise Unsupported("a stream of the driver's own is wrapped by the backend's module alone")
    numbers = given.some("stream_id", "device_index", "device_type", "priority")
    if "stream_id" in numbers:
        return described(generic("Stream")(**numbers))
    return described(generic("Stream")(device_in(subject, given), **numbers))


def set_stream(subject, given):
    backend.offered(kind_of(subject), ".set_stream", "set_stream")(given["stream"])
    return {}


def wrapped(subject, given):
    return described(given["stream"])


def stream_info(subject, given):
    stream = given["stream"]
    return {"device": stream.device, "id": stream.stream_id, "blind": ["hash", "text"]}


def packed(subject, given):
    stream = given["stream"]
    return {"id": stream.stream_id, "device_index": stream.device_index, "device_type": stream.device_type}


def priority(subject, given):
    if not hasattr(given["stream"], "priority"):
        raise Unsupported("a stream of this PyTorch does not tell its priority")
    return {"result": given["stream"].priority}


def make_event(subject, given):
    api = given.get("api", "cuda")
    options = {}
    if api == "generic":
        flag = given.get("flag", "pytorch_default")
        if flag not in ("pytorch_default", "backend_default"):
            raise Unsupported("Python makes no event with that flag")
        options["enable_timing"] = flag == "backend_default"
    elif api == "python":
        options = {name: given[key] for key, name in (("timing", "enable_timing"), ("blocking", "blocking"),
                                                      ("interprocess", "interprocess")) if key in given}
    elif "flag" in given:
        raise Unsupported("flags of the driver are CUDA's")
    return {"result": generic("Event")(device_in(subject, given), **options)}


def event_info(subject, given):
    event = given["event"]
    return {"created": event.event_id != 0, "device": event.device, "id": event.event_id, "blind": ["recorded", "flag"]}


def call(name, method, *others):
    """A method of an argument, if its class has it, on the other arguments that are given."""
    def answer(subject, given):
        found = getattr(given[name], method, None)
        if found is None:
            raise Unsupported(f"{type(given[name]).__name__} has no {method} in this PyTorch")
        result = found(*(given[other] for other in others if other in given))
        return {} if result is None else {"result": result}
    return answer


def stream_context(subject, given):
    if not hasattr(given["stream"], "__enter__"):
        raise Unsupported("a stream of this PyTorch is no context manager")
    return context(given["stream"])


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
    "runtime.default_stream": stream_at("default_stream"),
    "runtime.current_stream": stream_at("current_stream", ".current_stream"),
    "runtime.set_current_stream": set_stream,
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
    "runtime.device_context": lambda subject, given: context(backend.Selected(given["device"])),
    "runtime.device_of": lambda subject, given: context(backend.Selected(given["tensor"].device)),
    "memory.empty_cache": memory(".empty_cache", "empty_cache"),
    "memory.reset_peak": memory(".reset_peak_memory_stats", "reset_peak_memory_stats"),
    "memory.reset_accumulated": memory(".reset_accumulated_memory_stats", "reset_accumulated_memory_stats"),
    "memory.pin_memory": lambda subject, given: {"result": given["tensor"].pin_memory()},
    "memory.is_pinned": lambda subject, given: {"result": given["tensor"].is_pinned()},
}
