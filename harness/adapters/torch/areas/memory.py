"""Area memory: the caching allocator through its public interface, and pinned memory."""

import contextlib
import ctypes

import torch

from areas.runtime_streams import as_cuda, index_of
from devices import simulated
from waist.wire import Unsupported


class Block:
    """A block of device memory: the memory of a byte tensor, until it is freed."""

    def __init__(self, tensor):
        self.tensor, self.address, self.requested = tensor, tensor.data_ptr(), tensor.numel()
        self.device = tensor.device


def named_device(given):
    """As PyTorch's functions take it: None for the current one, and one that is not of CUDA is for them to refuse."""
    return given.get("device")


def device_index(given):
    device = index_of(named_device(given))
    return torch.cuda.current_device() if device is None or device.index is None else device.index


def allocate(subject, given):
    stream = as_cuda(given["stream"]) if "stream" in given else None
    named = given.get("device")
    if named is not None and named.type != "cuda":
        torch.cuda.caching_allocator_alloc(given["size"], named)  # raises what PyTorch says of it
    device = stream.device if stream is not None else named or torch.device("cuda")
    with torch.cuda.stream(stream) if stream is not None else contextlib.nullcontext():
        block = Block(torch.empty(given["size"], dtype=torch.uint8, device=device))
    return {"result": block, "null": block.address == 0}


def found(address):
    """The segment and the block that contain the address."""
    for segment in torch.cuda.memory_snapshot():
        start = segment["address"]
        if start <= address < start + segment["total_size"]:
            place = start
            for block in segment["blocks"]:
                if place == address:
                    return segment, block
                place += block["size"]
    raise Unsupported("no block of the snapshot begins there")


def block_facts(subject, given):
    block = given["block"]
    segment, piece = found(block.address)
    return {"address": block.address, "size": piece["size"], "requested": block.requested,
            "segment": segment["address"], "offset": block.address - segment["address"]}


def pin(subject, given):
    block = Block(torch.empty(given["size"], dtype=torch.uint8, pin_memory=True))
    return {"result": block, "null": block.address == 0}


def free(subject, given):
    block = given["block"]
    if block.tensor is None:  # it was freed before
        torch.cuda.caching_allocator_delete(block.address)
    block.tensor = None
    return {}


def record_block(subject, given):
    block = given["block"]
    if block.tensor is None:
        raise Unsupported("Python can record a stream only for a tensor, and the tensor is gone")
    block.tensor.record_stream(as_cuda(given["stream"]))
    return {}


def free_address(subject, given):
    owners = [held for held in list(subject.names.values())
              if isinstance(held, Block) and held.address == given["address"] and held.tensor is not None]
    if not owners:
        torch.cuda.caching_allocator_delete(given["address"])
    for owner in owners:
        owner.tensor = None
    return {}


def record_tensor(subject, given):
    if not given["tensor"].is_cuda:
        raise Unsupported("Python cannot record a stream for host memory")
    given["tensor"].record_stream(as_cuda(given["stream"]))
    return {}


def flat(numbers, prefix=""):
    for name, value in numbers.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        elif isinstance(value, int):
            yield prefix + name, value


COUNTERS = {"allocation", "segment", "active", "inactive_split", "allocated_bytes", "reserved_bytes", "active_bytes",
            "inactive_split_bytes", "requested_bytes", "num_alloc_retries", "num_ooms", "num_sync_all_streams",
            "num_device_alloc", "num_device_free", "oversize_allocations", "oversize_segments", "max_split_size"}


def counted(numbers):
    """The counters of the protocol by their full names, from nested or flat ones."""
    return {name: number for name, number in sorted(flat(numbers)) if name.partition(".")[0] in COUNTERS}


def stats(subject, given):
    torch.cuda.init()
    return {"result": counted(torch.cuda.memory_stats_as_nested_dict(named_device(given)))}


def id_of(subject, handle):
    """The id of the stream with the handle given in the snapshot."""
    if handle == 0:
        return 0
    for held in subject.names.values():
        if isinstance(held, torch.cuda.Stream) and held.cuda_stream == handle:
            return held.stream_id
    return handle


def after_init(function):
    def answer(subject, given):
        torch.cuda.init()
        function(named_device(given))
        return {}
    return answer


STATES = {"active_allocated": "allocated", "active_awaiting_free": "pending",
          "active_pending_free": "pending", "inactive": "free"}


def segments(subject, given):
    wanted, listed = device_index(given), []
    for segment in sorted(torch.cuda.memory_snapshot(), key=lambda one: one["address"]):
        if segment["device"] != wanted:
            continue
        blocks, place = [], 0
        for block in segment["blocks"]:
            blocks.append({"offset": place, "size": block["size"], "state": STATES[block["state"]]})
            place += block["size"]
        listed.append({"address": segment["address"], "size": segment["total_size"],
                       "stream": id_of(subject, segment["stream"]),
                       "pool": segment["segment_type"], "blocks": blocks})
    return {"result": listed}


def configure(subject, given):
    if given.get("source", "call") != "call":
        raise Unsupported("the environment variables were already read")
    if simulated.is_there() and "expandable_segments:True" in given["options"]:
        raise Unsupported("a simulated machine has no virtual memory to expand into")
    newer = getattr(torch._C, "_accelerator_setAllocatorSettings", None)
    (newer or torch.cuda.memory._set_allocator_settings)(given["options"])
    return {}


def info(subject, given):
    free, total = torch.cuda.mem_get_info(named_device(given))
    return {"free": free, "total": total}


def empty_host_cache(subject, given):
    """torch.accelerator has the function since 2.12, and then not before the accelerator is used."""
    if not hasattr(torch._C, "_host_emptyCache"):
        raise Unsupported("this PyTorch has no function that empties the cache of pinned memory")
    torch._C._host_emptyCache()
    return {}


def set_fraction(subject, given):
    torch.cuda.set_per_process_memory_fraction(given["fraction"], named_device(given))
    return {}


def write(subject, given):
    block, offset = given["block"], given.get("offset", 0)
    stream = as_cuda(given["stream"]) if "stream" in given else torch.cuda.current_stream(block.device)
    count = given.get("count", block.requested - offset)
    with torch.cuda.device(stream.device):
        simulated.controls().assay_cudart_fill(stream.cuda_stream, block.address + offset, bytes([given["byte"]]), 1,
                                               count)
    return {}


def read(subject, given):
    block, count = given["block"], given.get("count", 16)
    if not simulated.is_there():
        raise Unsupported("only a simulated device lets its memory be read by address")
    torch.cuda.synchronize(block.device)
    return {"result": ctypes.string_at(block.address + given.get("offset", 0), count).hex()}


COMMANDS = {
    "memory.allocate": allocate,
    "memory.block": block_facts,
    "memory.free": free,
    "memory.free_address": free_address,
    "memory.record_stream": record_block,
    "memory.record_tensor_stream": record_tensor,
    "memory.read": read,
    "memory.write": write,
    "memory.empty_cache": lambda subject, given: torch.cuda.empty_cache(),
    "memory.info": info,
    "memory.set_fraction": set_fraction,
    "memory.stats": stats,
    "memory.reset_peak": after_init(torch.cuda.reset_peak_memory_stats),
    "memory.reset_accumulated": after_init(torch.cuda.reset_accumulated_memory_stats),
    "memory.segments": segments,
    "memory.configure": configure,
    "memory.pin": pin,
    "memory.pin_memory": lambda subject, given: {"result": given["tensor"].pin_memory()},
    "memory.is_pinned": lambda subject, given: {"result": given["tensor"].is_pinned()},
    "memory.empty_host_cache": empty_host_cache,
}
