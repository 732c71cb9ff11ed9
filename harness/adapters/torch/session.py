"""The contract, and the commands that belong to no area."""

import gc
import sys
import threading
import weakref

import torch

from areas import AREAS, OF_ACCELERATORS, accelerator, graph, module
from devices import backend, simulated
from dispatcher import autocast_state, key_commands, registrations
from dispatcher.calls import CONVERSIONS
from waist.errors import RAISED
from waist.wire import Unsupported


RELEASES = ("2.15", "2.14", "2.13", "2.12", "2.11", "2.4", "1.13")


def numbers_of(release):
    return [int(part) for part in release.split(".")[:2]]


def release_of(version):
    """The contract's release for a PyTorch version: the newest that is not newer, or the oldest."""
    return next((release for release in RELEASES if numbers_of(release) <= numbers_of(version)), RELEASES[-1])


def hello(subject, given):
    wish = {name: given.get(name) for name in ("release", "device_rules", "deviations")}
    contract, areas = granted(subject, wish)
    scaler = f" with {subject.scaler.__module__}.{subject.scaler.__qualname__}" if subject.scaler else ""
    return {"protocol": 1, "name": "torch", "version": torch.__version__ + scaler, "devices": backend.devices_from(subject.device),
            "areas": areas, "threads": True, **contract, **left_out(subject)}


def granted(subject, wish):
    """The contract of this PyTorch, and its areas. An accelerator that computes like a CPU still has its own streams
    and memory, which follow CUDA's rules if the client requests them. A simulated device runs no kernels."""
    own = {"release": release_of(torch.__version__), "device_rules": subject.rules, "deviations": "compat"}
    if simulated.is_there():
        return own, [*OF_ACCELERATORS, "sim"]
    real = [area for area in AREAS if area != "sim"]
    if not backend.is_accelerator(subject.device) or subject.rules == "cuda":
        return own, real
    if wish == {**own, "device_rules": "cuda"}:
        return wish, list(OF_ACCELERATORS)
    return own, [area for area in real if area not in OF_ACCELERATORS]


# Commands for parts of C++ without a Python interface, on every device.
NOT_IN_PYTHON = (
    "memory.backend", "memory.capture_pool", "memory.free_callback", "memory.observer", "memory.pinned_record",
    "memory.round", "memory.size_text", "memory.uncached", "runtime.assign_event", "runtime.backend",
    "runtime.capture_status", "runtime.checked", "runtime.device_guard", "runtime.distinct_events",
    "runtime.exchange_stream", "runtime.has_backend", "runtime.launch", "runtime.launch_check", "runtime.move_event",
    "runtime.multi_stream_guard", "runtime.optional_device_guard", "runtime.optional_stream_guard",
    "runtime.record_once", "runtime.stream_guard", "sim.counter", "sim.permitted")


def left_out(subject):
    """Unsupported commands: on an accelerator also what this PyTorch has for CUDA alone. On a CPU, a support file lists whole areas."""
    kind = subject.device.type
    if subject.is_generic:
        verbs = (verb for area in OF_ACCELERATORS for verb in AREAS[area])
        return {"without": [*NOT_IN_PYTHON, *(verb for verb in verbs if not accelerator.is_offered(verb, kind))]}
    return {"without": list(NOT_IN_PYTHON)} if kind == "cuda" else {}


def reset(subject, given):
    if simulated.is_there():  # the process ends here
        return {"uncleaned": []}
    # Nothing ends a capture in progress, or resets a pool of streams or the allocator's memory and counters.
    # An accelerator's streams are restored, and what cases ask of its counters is relative.
    uncleaned = sorted(subject.asked.intersection(OF_ACCELERATORS))
    if graph.UNDER_WAY or subject.captures:
        uncleaned = ["graph"]
    if subject.device.type != "cpu" and uncleaned:
        return {"uncleaned": uncleaned}
    subject.asked.clear()
    subject.names.clear()
    subject.last = threading.local()  # exceptions keep their frames' objects alive
    subject.blocks.reset()
    states_are_back = autocast_state.restore()
    registrations.restore()
    CONVERSIONS.forget()
    module.reset()
    gc.collect()
    gc.freeze()  # the remaining objects are PyTorch's: the next collection need not traverse them
    if subject.device.type == "cuda":
        torch.cuda.set_device(subject.device.index or 0)
    elif backend.is_accelerator(subject.device):
        accelerator.restore_streams()
        backend.select_first(subject.device)
    subject.thread_is_spent = not key_commands.thread_is_clean()
    clash = registrations.OVERLOADS.forget()
    uncleaned = ["dispatch"] if subject.once_given or clash else []
    return {"uncleaned": uncleaned if states_are_back else [*uncleaned, "autocast"]}


def drop(subject, given):
    name = given.raw("object")["ref"]
    if subject.blocks.forget(name):
        return {}
    reason = getattr(subject.find(name), "undroppable", None)
    if reason:
        raise Unsupported(reason)
    del subject.names[name]
    return {}


def alias(subject, given):
    left, right = given["a"], given["b"]
    return {"result": storage_of(left) == storage_of(right)}


def storage_of(tensor):
    """An identifier shared by tensors with the same storage, even an empty one."""
    untyped = getattr(tensor, "untyped_storage", None)
    return (untyped() if untyped else tensor.storage().untyped())._cdata


def weak(subject, given):
    held = given["object"]
    if hasattr(held, "immortal"):
        raise Unsupported(held.immortal)
    return {"result": weakref.ref(held)}


def uses(subject, given):
    name = given.raw("object")["ref"]
    given["object"]  # what Python has no object for has no owners to count
    holders = sum(1 for held in subject.names.values() if held is subject.find(name))
    # getrefcount counts its own argument too.
    return {"result": sys.getrefcount(subject.names[name]) - 1 - holders}


def leave(subject, given):
    given["guard"].__exit__(None, None, None)
    return {}


def raise_error(subject, given):
    problem = RAISED.get(given["kind"])
    if problem is None:
        raise Unsupported(f"PyTorch has no class of its own for {given['kind']}")
    raise problem(given["message"])


COMMANDS = {
    "hello": hello,
    "reset": reset,
    "drop": drop,
    "same": lambda subject, given: {"result": given["a"] is given["b"]},
    "alias": alias,
    "uses": uses,
    "weak": weak,
    "gone": lambda subject, given: {"result": given["weak"]() is None},
    "leave": leave,
    "value": lambda subject, given: {"result": given["value"]},
    "raise": raise_error,
}
