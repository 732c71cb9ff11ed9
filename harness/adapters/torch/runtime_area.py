"""Area runtime: streams, what is put into them, and devices."""

import ctypes
import warnings

import torch

import simulated
from runtime_events import COMMANDS as EVENT_COMMANDS
from wire import Unsupported


def index_of(device):
    """What torch.cuda takes: a device, or None for the current one."""
    if device is not None and device.type != "cuda":
        raise Unsupported(f"no streams of {device.type} in Python")
    return device


def described(stream):
    return {"result": stream, "device": stream.device, "id": stream.stream_id}


def is_device(device):
    return device is None or device.index is None or device.index < torch.cuda.device_count()


def external(subject, given):
    if given["handle"] == 0 or not is_device(given["device"]):
        raise Unsupported("Python takes a null handle for none, and sets the device first")
    return described(torch.cuda.ExternalStream(given["handle"], given["device"]))


def wrapped(subject, given):
    if given.get("unchecked", False):
        raise Unsupported("Python has no unchecked way")
    return described(as_cuda(given["stream"]))


def as_cuda(stream):
    """The stream of CUDA with the same device and id."""
    if isinstance(stream, torch.cuda.Stream):
        return stream
    return torch.cuda.Stream(stream_id=stream.stream_id, device_index=stream.device_index,
                             device_type=stream.device_type)


def runtime_library():
    """The CUDA runtime that PyTorch uses."""
    if simulated.is_there():
        return simulated.LIBRARY
    return ctypes.CDLL(f"libcudart.so.{torch.version.cuda.partition('.')[0]}")


# -- devices ---------------------------------------------------------------------------------------------------------

def device_count(subject, given):
    if given.get("type", "cuda") != "cuda":
        raise Unsupported("counts CUDA devices alone")
    if given.get("ensure", False):
        if not torch.backends.cuda.is_built():
            raise Unsupported("this PyTorch was built without CUDA")
        torch.cuda.init()
    return {"result": torch.cuda.device_count()}


def get_device(subject, given):
    if given["type"] != "cuda":
        raise Unsupported("knows the current device of CUDA alone")
    return {"result": torch.device("cuda", torch.cuda.current_device())}


def set_device(subject, given):
    if given.get("unchecked", False):
        raise Unsupported("Python has no unchecked setter")
    device = index_of(given["device"])
    if device.index is None:
        set_no_device()
    else:
        torch.cuda.set_device(device)
    return {}


def set_no_device():
    """torch.cuda.set_device() looks at the index first; this is the setter below it."""
    try:
        torch._C._cuda_setDevice(-1)
    except UnicodeDecodeError as error:
        # 2.4 prints the index as a character, which no text of Python's can be made of.
        raise RuntimeError(error.object.decode("latin-1")) from None


def exchange_device(subject, given):
    before = torch.cuda._exchange_device(index_of(given["device"]).index)
    return {"result": torch.device("cuda", before)}


# -- streams ---------------------------------------------------------------------------------------------------------

TYPE_NUMBERS = {"cpu": 0, "cuda": 1, "hip": 6, "xpu": 12, "mps": 13, "meta": 14}


def by_numbers(**numbers):
    if not hasattr(torch, "Event"):
        raise Unsupported("this PyTorch makes no stream of three numbers")
    return described(torch.Stream(**numbers))


def query(subject, given):
    asked = given["object"]
    if isinstance(asked, torch.Stream) and asked.device.type == "cuda" and subject.device.type == "cpu":
        raise Unsupported("this PyTorch may have been built for CUDA, and has no driver here")
    return {"result": asked.query()}


def stream_of(subject, given):
    device = given["device"]
    if device.type not in TYPE_NUMBERS:
        raise Unsupported(f"no number for {device.type} here")
    index = -1 if device.index is None else device.index
    return by_numbers(stream_id=given["id"], device_index=index, device_type=TYPE_NUMBERS[device.type])


def set_current(subject, given):
    stream = as_cuda(given["stream"])
    if stream.device_index != torch.cuda.current_device():
        raise Unsupported("Python's set_stream switches the device as well")
    torch.cuda.set_stream(stream)
    return {}


def from_pool(subject, given):
    if "high" in given or "non_capturing" in given:
        raise Unsupported("Python asks the pool by a number")
    if not is_device(given.get("device")):
        raise Unsupported("Python sets the device first, which fails")
    return described(torch.cuda.Stream(index_of(given.get("device")), **given.some("priority")))


def new_stream(subject, given):
    return described(torch.Stream(given["device"], **given.some("priority")))


def raw_stream(subject, given):
    device = index_of(given.get("device")) or torch.device("cuda", torch.cuda.current_device())
    handle = ctypes.c_void_p()
    with torch.cuda.device(device):
        flags = 0 if given.get("blocking", False) else 1
        code = runtime_library().cudaStreamCreateWithPriority(ctypes.byref(handle), flags, given.get("priority", 0))
    if code != 0:
        raise RuntimeError(f"the driver made no stream: {code}")
    return {**described(torch.cuda.ExternalStream(handle.value, device)), "handle": handle.value}


def destroy_raw(subject, given):
    runtime_library().cudaStreamDestroy(ctypes.c_void_p(given["stream"].cuda_stream))
    return {}


def priority_range(subject, given):
    least, greatest = torch.cuda.Stream.priority_range()
    return {"least": least, "greatest": greatest}


def packed(subject, given):
    stream = given["stream"]
    return {"id": stream.stream_id, "device_index": stream.device_index, "device_type": stream.device_type}


def unpacked(subject, given):
    if "text" in given:
        raise Unsupported("this PyTorch packs into three numbers")
    return by_numbers(stream_id=given["id"], device_index=given["device_index"], device_type=given["device_type"])


def stream_info(subject, given):
    stream = given["stream"]
    return {"device": stream.device, "id": stream.stream_id, "blind": ["hash", "text"]}


def handle(subject, given):
    return {"result": as_cuda(given["stream"]).cuda_stream, "blind": ["kind", "level", "index"]}


def synchronize(subject, given):
    given["object"].synchronize()
    return {}


def wait(subject, given):
    given["stream"].wait_event(given["event"])
    return {}


# -- work ------------------------------------------------------------------------------------------------------------

def target_of(given, device=None):
    return as_cuda(given["stream"]) if "stream" in given else torch.cuda.current_stream(device)


class DriverFailed(RuntimeError):
    """The driver refused what was asked of it directly."""

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
    """Stands in a stream until it is opened."""

    def __init__(self, stream, timeout_ms):
        with torch.cuda.device(stream.device):
            self.held = simulated.controls().assay_cudart_gate(stream.cuda_stream, timeout_ms)
        if self.held is None:
            raise RuntimeError("the stream takes no gate")

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
    "runtime.device_count": device_count,
    "runtime.get_device": get_device,
    "runtime.set_device": set_device,
    "runtime.exchange_device": exchange_device,
    "runtime.synchronize_device": lambda subject, given: torch.cuda.synchronize(index_of(given.get("device"))),
    "runtime.sync_debug_mode": sync_debug,
    "runtime.stream": stream_of,
    "runtime.default_stream": lambda subject, given: described(
        torch.cuda.default_stream(index_of(given.get("device")))),
    "runtime.current_stream": lambda subject, given: described(
        torch.cuda.current_stream(index_of(given.get("device")))),
    "runtime.set_current_stream": set_current,
    "runtime.pool_stream": from_pool,
    "runtime.new_stream": new_stream,
    "runtime.raw_stream": raw_stream,
    "runtime.destroy_raw_stream": destroy_raw,
    "runtime.external_stream": external,
    "runtime.wrap": wrapped,
    "runtime.stream_info": stream_info,
    "runtime.handle": handle,
    "runtime.priority": lambda subject, given: {"result": as_cuda(given["stream"]).priority},
    "runtime.priority_range": priority_range,
    "runtime.pack": packed,
    "runtime.unpack": unpacked,
    "runtime.equal": lambda subject, given: {"result": given["a"] == given["b"]},
    "runtime.query": query,
    "runtime.synchronize": synchronize,
    "runtime.wait": wait,
    "runtime.kernel": kernel,
    "runtime.store": store,
    "runtime.load": load,
    "runtime.gate": gate,
    "runtime.open": open_gate,
    "runtime.gate_state": lambda subject, given: {"result": given["gate"].state()},
    "runtime.capture_begin": capture_begin,
    "runtime.capture_end": capture_end,
    "runtime.last_error": lambda subject, given: {"result": runtime_library().cudaGetLastError()},
    "runtime.peek_last_error": lambda subject, given: {"result": runtime_library().cudaPeekAtLastError()},
    **EVENT_COMMANDS,
}
