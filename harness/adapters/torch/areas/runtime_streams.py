"""Area runtime: devices and streams."""

import ctypes

import torch

from devices import simulated
from waist.wire import Unsupported


def index_of(device):
    """An argument for torch.cuda: a device, or None for the current one."""
    if device is not None and device.type != "cuda":
        raise Unsupported(f"no streams of {device.type} in Python")
    return device


def described(stream):
    return {"result": stream, "device": stream.device, "id": stream.stream_id}


def is_device(device):
    return device is None or device.index is None or device.index < torch.cuda.device_count()


def external(subject, given):
    if given["handle"] == 0 or not is_device(given["device"]):
        raise Unsupported("Python reads a null handle as no handle, and sets the device first")
    return described(torch.cuda.ExternalStream(given["handle"], given["device"]))


def wrapped(subject, given):
    if given.get("unchecked", False):
        raise Unsupported("Python has no unchecked way")
    return described(as_cuda(given["stream"]))


def as_cuda(stream):
    """The CUDA stream with the same device and id."""
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
        raise Unsupported("this adapter counts CUDA devices only")
    if given.get("ensure", False):
        if not torch.backends.cuda.is_built():
            raise Unsupported("this PyTorch was built without CUDA")
        torch.cuda.init()
    return {"result": torch.cuda.device_count()}


def get_device(subject, given):
    if given["type"] != "cuda":
        raise Unsupported("this adapter shows the current device of CUDA only")
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
    """The setter without the index check of torch.cuda.set_device()."""
    try:
        torch._C._cuda_setDevice(-1)
    except UnicodeDecodeError as error:
        # 2.4 prints the index as a character, which cannot be decoded to a Python string.
        raise RuntimeError(error.object.decode("latin-1")) from None


def exchange_device(subject, given):
    before = torch.cuda._exchange_device(index_of(given["device"]).index)
    return {"result": torch.device("cuda", before)}


# -- streams ---------------------------------------------------------------------------------------------------------

TYPE_NUMBERS = {"cpu": 0, "cuda": 1, "hip": 6, "xpu": 12, "mps": 13, "meta": 14}


def by_numbers(**numbers):
    if not hasattr(torch, "Event"):
        raise Unsupported("this PyTorch cannot make a stream from three numbers")
    return described(torch.Stream(**numbers))


def query(subject, given):
    asked = given["object"]
    if isinstance(asked, torch.Stream) and asked.device.type == "cuda" and subject.device.type == "cpu":
        raise Unsupported("this PyTorch may have been built for CUDA, but finds no driver")
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
        raise Unsupported("Python requests a stream of the pool by its priority number")
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
        raise Unsupported("this PyTorch packs a stream into three numbers")
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


COMMANDS = {
    "runtime.device_count": device_count,
    "runtime.get_device": get_device,
    "runtime.set_device": set_device,
    "runtime.exchange_device": exchange_device,
    "runtime.synchronize_device": lambda subject, given: torch.cuda.synchronize(index_of(given.get("device"))),
    "runtime.can_access_peer": lambda subject, given: {"result": torch.cuda.can_device_access_peer(
        given["device"], given["peer"])},
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
    "runtime.last_error": lambda subject, given: {"result": runtime_library().cudaGetLastError()},
    "runtime.peek_last_error": lambda subject, given: {"result": runtime_library().cudaPeekAtLastError()},
}
