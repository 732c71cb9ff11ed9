"""A simulated CUDA runtime for real PyTorch: a library that is loaded before PyTorch's own, and its controls."""

import ctypes
import os
import sys

from waist.printed import Printed
from waist.wire import Unsupported

MARK = "ASSAY_SIMULATED_CUDA"
DEVICES = 4  # unless sim.machine says otherwise
# Areas that compute offer only what needs no kernel.
WITHOUT_KERNELS = {"core." + name for name in (
    "tensor", "read", "storage", "info", "size", "as_strided", "expand", "detach", "empty", "to", "copy_", "item",
    "current_device", "set_device", "device_guard", "device", "device_new", "grad", "set_grad")}
WITHOUT_KERNELS |= {"autograd." + name for name in ("function", "apply", "backward", "grad")}
STRATEGIES = {"eager": 0, "lazy": 1, "manual": 2, "random": 3}


def start_again_with(library):
    """Restarts the program with the library in place of PyTorch's CUDA runtime."""
    if os.environ.get(MARK) == library:
        return
    environment = {**os.environ, MARK: library, "LD_PRELOAD": library}
    os.execve(sys.executable, [sys.executable, "-B", *sys.argv], environment)


def is_there():
    return MARK in os.environ


def can_answer(verb):
    area = verb.partition(".")[0]
    return "." not in verb or area in ("runtime", "memory", "graph", "sim") or verb in WITHOUT_KERNELS


def controls():
    """The library's functions, by name."""
    if not is_there():
        raise Unsupported("only a simulated machine has controls")
    return LIBRARY


def declared(library):
    text, number, wide, pointer = ctypes.c_char_p, ctypes.c_int, ctypes.c_int64, ctypes.c_void_p
    for name, result, arguments in (
            ("machine", None, [number, number, number, wide, number, number]), ("schedule", None, [number, ctypes.c_uint64]),
            ("step", number, [pointer, number]), ("run", None, []), ("pending", number, []), ("now_ns", wide, []),
            ("advance_ns", None, [wide]), ("log", text, []), ("faults", None, [text]), ("live", number, [number]),
            ("has_context", number, [number]), ("gate", pointer, [pointer, wide]), ("open", None, [pointer]),
            ("gate_state", number, [pointer]), ("forget_gate", None, [pointer]),
            ("fill", number, [pointer, pointer, text, wide, wide]), ("kernel", number, [pointer, text, wide, number])):
        function = getattr(library, "assay_cudart_" + name)
        function.restype, function.argtypes = result, arguments
    return library


LIBRARY = declared(ctypes.CDLL(None)) if is_there() else None


PRINTED = None


def printed_warnings():
    """The warnings printed since the last call, which PyTorch issues in destructors."""
    global PRINTED
    if not is_there():
        return []
    PRINTED = PRINTED or Printed()
    return [["UserWarning", text] for text in PRINTED.take()]


def fault_line(fault):
    known = {"call", "occurrence", "after", "code", "sticky", "clears"}
    if set(fault) - known:
        raise Unsupported(f"no '{sorted(set(fault) - known)[0]}' in a fault plan here")
    return (f"{fault['call']} {fault.get('occurrence', 1)} {int(fault.get('after', False))} {fault['code']} "
            f"{int(fault.get('sticky', False))} {int(fault.get('clears', False))}")


def machine(subject, given):
    import torch
    if torch.cuda.is_initialized():
        raise Unsupported("the machine is already in use")
    if not given.get("driver", True):
        raise Unsupported("PyTorch needs a driver before anything else")
    controls().assay_cudart_machine(*(given.get(name, lack) for name, lack in (
        ("devices", -1), ("least", -1), ("greatest", 1), ("memory", -1), ("peers", -1), ("blocking", -1))))
    return {}


def log(subject, given):
    if given.get("level", "driver") != "driver":
        raise Unsupported("calls inside PyTorch are not visible")
    return {"result": controls().assay_cudart_log().decode().splitlines()}


def faults(subject, given):
    controls().assay_cudart_faults("\n".join(fault_line(one) for one in given["plan"]).encode())
    return {}


def live(subject, given):
    kinds = ("streams", "events", "device_blocks", "host_blocks")
    return {kind: controls().assay_cudart_live(number) for number, kind in enumerate(kinds)}


def schedule(subject, given):
    controls().assay_cudart_schedule(STRATEGIES[given["mode"]], given.get("seed", 0))
    return {}


def pending(subject, given):
    return {"result": controls().assay_cudart_pending()}


COMMANDS = {
    "sim.machine": machine,
    "sim.schedule": schedule,
    "sim.step": lambda subject, given: {"result": controls().assay_cudart_step(
        given["stream"].cuda_stream, given.get("times", 1))},
    "sim.run": lambda subject, given: controls().assay_cudart_run(),
    "sim.pending": pending,
    "sim.now": lambda subject, given: {"result": controls().assay_cudart_now_ns()},
    "sim.advance": lambda subject, given: controls().assay_cudart_advance_ns(given["ns"]),
    "sim.log": log,
    "sim.faults": faults,
    "sim.live": live,
    "sim.contexts": lambda subject, given: {"result": [
        device for device in range(8) if controls().assay_cudart_has_context(device)]},
}
