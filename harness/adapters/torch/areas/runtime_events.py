"""Area runtime: events, and Python's interface for streams and devices."""

import torch

from waist.wire import Unsupported

NO_TIMING, BLOCKING, SHARED, EXTERNAL = 2, 1, 4, 8


def described(stream):
    return {"result": stream, "device": stream.device, "id": stream.stream_id}


def options_of(flags):
    """What Python says in place of the driver's flags."""
    if flags & ~(NO_TIMING | BLOCKING | SHARED | EXTERNAL):
        raise Unsupported("Python cannot make an event with these flags")
    options = {"enable_timing": not flags & NO_TIMING, "blocking": bool(flags & BLOCKING),
               "interprocess": bool(flags & SHARED)}
    return {**options, "external": True} if flags & EXTERNAL else options


def generic_event(given):
    if not hasattr(torch, "Event"):
        raise Unsupported("this PyTorch has no events of any device")
    flag = given.get("flag", "pytorch_default")
    if flag not in ("pytorch_default", "backend_default"):
        raise Unsupported("Python cannot make an event with that flag")
    return torch.Event(given["device"], enable_timing=flag == "backend_default")


def python_event(given):
    options = {name: given[key] for key, name in (("timing", "enable_timing"), ("blocking", "blocking"),
                                                  ("interprocess", "interprocess"), ("external", "external"))
               if key in given}
    if "device" in given:
        return torch.Event(given["device"], **options)
    return torch.cuda.Event(**options)


def make_event(subject, given):
    api = given.get("api", "cuda")
    if api == "generic":
        return {"result": generic_event(given)}
    if api == "python":
        return {"result": python_event(given)}
    return {"result": torch.cuda.Event(**options_of(given.get("flag", NO_TIMING)))}


def with_stream(method):
    """A method that takes a stream, or none for the current one."""
    def answer(subject, given):
        getattr(given["event"], method)(*([given["stream"]] if "stream" in given else []))
        return {}
    return answer


def number_of(event):
    return event.cuda_event if hasattr(event, "cuda_event") else event.event_id


def event_info(subject, given):
    event = given["event"]
    return {"created": number_of(event) != 0, "device": event.device, "id": number_of(event),
            "blind": ["recorded", "flag"]}


def from_ipc(subject, given):
    return {"result": torch.cuda.Event.from_ipc_handle(given["device"], bytes.fromhex(given["handle"]))}


# -- as Python has it ------------------------------------------------------------------------------------------------

def python_stream(subject, given):
    if "handle" in given:
        device = given.get("device")
        return described(torch.cuda.ExternalStream(given["handle"], device, **given.some("priority")))
    kind = torch.Stream if given.get("generic", False) else torch.cuda.Stream
    numbers = given.some("stream_id", "device_index", "device_type", "priority")
    if "device" in given:
        return described(kind(device=given["device"], **numbers))
    return described(kind(**numbers))


class Context:
    """A context manager as a guard, entered on creation."""

    def __init__(self, manager):
        self.manager = manager
        manager.__enter__()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return self.manager.__exit__(*problem)


def context(manager):
    return {"result": Context(manager)}


def record_event(subject, given):
    return {"result": given["stream"].record_event(*([given["event"]] if "event" in given else []))}


def set_stream(subject, given):
    torch.cuda.set_stream(given["stream"])
    return {}


COMMANDS = {
    "runtime.event": make_event,
    "runtime.record": with_stream("record"),
    "runtime.block": with_stream("wait"),
    "runtime.event_info": event_info,
    "runtime.elapsed": lambda subject, given: {"result": given["from"].elapsed_time(given["to"])},
    "runtime.ipc_handle": lambda subject, given: {"result": given["event"].ipc_handle().hex()},
    "runtime.event_from_ipc": from_ipc,
    "runtime.python_stream": python_stream,
    "runtime.python_set_stream": set_stream,
    "runtime.record_event": record_event,
    "runtime.wait_event": lambda subject, given: given["stream"].wait_event(given["event"]),
    "runtime.wait_stream": lambda subject, given: given["stream"].wait_stream(given["other"]),
    "runtime.stream_context": lambda subject, given: context(torch.cuda.stream(given["stream"])),
    "runtime.device_context": lambda subject, given: context(torch.cuda.device(given["device"])),
    "runtime.reenter": lambda subject, given: context(given["context"].manager),
    "runtime.device_of": lambda subject, given: context(torch.cuda.device_of(given["tensor"])),
}
