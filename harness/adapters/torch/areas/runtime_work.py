"""Area runtime: work in streams, and its capture."""

import warnings

import torch

from areas.runtime_streams import as_cuda, runtime_library
from devices import simulated
from waist.wire import Unsupported


def target_of(given, device=None):
    return as_cuda(given["stream"]) if "stream" in given else torch.cuda.current_stream(device)


class DriverFailed(RuntimeError):
    """The driver rejected a direct call."""

    def __init__(self, code):
        super().__init__(f"CUDA error: {code}")
        self.error_code = code


def accepted(code):
    if code != 0:
        runtime_library().cudaGetLastError()
        raise DriverFailed(code)


def kernel(subject, given):
    stream = target_of(given)
    with torch.cuda.device(stream.device):
        accepted(simulated.controls().assay_cudart_kernel(
            stream.cuda_stream, given.get("name", "kernel").encode(), given.get("ns", 1000), given.get("fails", 0)))
    return {}


def store(subject, given):
    tensor = given["tensor"]
    stream = target_of(given, tensor.device)
    value = given["value"]
    if not simulated.is_there():
        with torch.cuda.stream(stream), torch.no_grad():
            tensor.fill_(value)
        return {}
    element = torch.tensor([value], dtype=tensor.dtype).view(torch.uint8).numpy().tobytes()
    with torch.cuda.device(stream.device):
        accepted(simulated.controls().assay_cudart_fill(stream.cuda_stream, tensor.data_ptr(), element,
                                                        tensor.element_size(), tensor.numel()))
    torch.autograd.graph.increment_version(tensor)
    return {}


def load(subject, given):
    tensor = given["tensor"]
    with torch.cuda.stream(target_of(given, tensor.device)), torch.no_grad():
        return {"result": torch.empty_like(tensor).copy_(tensor, non_blocking=True)}


class Gate:
    """Blocks a stream until it is opened."""

    def __init__(self, stream, timeout_ms):
        with torch.cuda.device(stream.device):
            self.held = simulated.controls().assay_cudart_gate(stream.cuda_stream, timeout_ms)
        if self.held is None:
            raise RuntimeError("a gate cannot be put into the stream")

    def open(self):
        simulated.controls().assay_cudart_open(self.held)

    def state(self):
        return ("closed", "open", "expired")[simulated.controls().assay_cudart_gate_state(self.held)]


def gate(subject, given):
    return {"result": Gate(as_cuda(given["stream"]), given.get("timeout_ms", 2000))}


def open_gate(subject, given):
    given["gate"].open()
    return {}


# -- capture ---------------------------------------------------------------------------------------------------------

def capture_begin(subject, given):
    stream = as_cuda(given["stream"])
    graph = torch.cuda.CUDAGraph()
    modes = {"capture_error_mode": given["mode"]} if "mode" in given else {}
    with torch.cuda.stream(stream):
        graph.capture_begin(**modes)
    subject.captures[stream.cuda_stream] = graph
    return {}


def capture_end(subject, given):
    stream = as_cuda(given["stream"])
    if stream.cuda_stream not in subject.captures:
        raise Unsupported("a capture that was not begun here cannot be ended in Python")
    with torch.cuda.stream(stream):
        subject.captures.pop(stream.cuda_stream).capture_end()
    return {}


def sync_debug(subject, given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that this is a prototype
        torch.cuda.set_sync_debug_mode(given["mode"])
    return {}


COMMANDS = {
    "runtime.sync_debug_mode": sync_debug,
    "runtime.kernel": kernel,
    "runtime.store": store,
    "runtime.load": load,
    "runtime.gate": gate,
    "runtime.open": open_gate,
    "runtime.gate_state": lambda subject, given: {"result": given["gate"].state()},
    "runtime.capture_begin": capture_begin,
    "runtime.capture_end": capture_end,
}
