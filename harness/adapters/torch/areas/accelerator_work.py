"""Area runtime on an accelerator: events, and work in streams, where a store is a fill and a load is a copy."""

import torch

from areas.accelerator_streams import SET_STREAM, STREAM, device_in, generic, on
from areas.runtime_events import options_of, with_stream
from waist.wire import Lacking, Unsupported


def make_event(subject, given):
    api = given.get("api", "cuda")
    if api == "generic":
        flag = given.get("flag", "pytorch_default")
        if flag not in ("pytorch_default", "backend_default"):
            raise Unsupported("Python cannot make an event with that flag")
        options = {"enable_timing": flag == "backend_default"}
    elif api == "python":
        options = {name: given[key] for key, name in (("timing", "enable_timing"), ("blocking", "blocking"),
                                                      ("interprocess", "interprocess")) if key in given}
    else:
        options = options_of(given["flag"]) if "flag" in given else {}
        if options.get("external"):
            raise Unsupported("torch.Event is never external")
    return {"result": generic("Event")(device_in(subject, given), **options)}


def event_info(subject, given):
    event = given["event"]
    return {"created": event.event_id != 0, "device": event.device, "id": event.event_id, "blind": ["recorded", "flag"]}


def call(name, method, *others):
    """Calls a method of an argument with the other arguments, if its class has the method."""
    def answer(subject, given):
        found = getattr(given[name], method, None)
        if found is None:
            raise Lacking(f"{type(given[name]).__name__} has no {method} in this PyTorch")
        result = found(*(given[other] for other in others if other in given))
        return {} if result is None else {"result": result}
    return answer


def store(subject, given):
    with on(given.get("stream")), torch.no_grad():
        given["tensor"].fill_(given["value"])
    return {}


def load(subject, given):
    tensor = given["tensor"]
    with on(given.get("stream")), torch.no_grad():
        return {"result": torch.empty_like(tensor).copy_(tensor, non_blocking=True)}


EVENT = ("torch.Event",)

COMMANDS = {
    "runtime.query": (call("object", "query"), *STREAM),
    "runtime.synchronize": (call("object", "synchronize"), *STREAM),
    "runtime.wait": (call("stream", "wait_event", "event"), "torch.Stream.wait_event"),
    "runtime.wait_event": (call("stream", "wait_event", "event"), "torch.Stream.wait_event"),
    "runtime.wait_stream": (call("stream", "wait_stream", "other"), "torch.Stream.wait_stream"),
    "runtime.event": (make_event, *EVENT),
    "runtime.event_info": (event_info, *EVENT),
    "runtime.record": (with_stream("record"), *EVENT),
    "runtime.block": (with_stream("wait"), *EVENT),
    "runtime.elapsed": (call("from", "elapsed_time", "to"), *EVENT),
    "runtime.record_event": (call("stream", "record_event", "event"), "torch.Stream.record_event"),
    "runtime.store": (store, "torch.Stream.__enter__", *SET_STREAM),
    "runtime.load": (load, "torch.Stream.__enter__", *SET_STREAM),
}
