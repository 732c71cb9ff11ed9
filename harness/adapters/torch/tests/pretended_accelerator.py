"""The pretended backend with what PyTorch offers for every accelerator: streams and events, an allocator's statistics, graphs.

A device guard, an allocator and graphs can be registered in C++ alone, so this replaces the functions of PyTorch that ask them.
The device does its work as late as it may: when the host waits for it. PRETENDED_PARTS says which parts the backend has
(`streams memory graphs`), PRETENDED_MISTAKE what it does wrong.
"""

import os
import threading
import weakref

import torch

import pretended_backend
from pretended_backend import KERNELS, LIBRARY, NAME, Pretended, held_in, operator_called

PARTS = os.environ.get("PRETENDED_PARTS", "streams memory graphs").split()
MISTAKE = os.environ.get("PRETENDED_MISTAKE", "")
DEVICE = torch.device(NAME, 0)
PRIVATE_USE_1 = 20  # the number of the device type
HERE = threading.local()  # the current stream of a thread
OF_PYTORCH = torch.Stream


# -- streams ---------------------------------------------------------------------------------------------------------

class Stream:
    """Work that waits, in order."""

    known = {}

    def __new__(cls, device=None, *, priority=0, stream_id=None, device_index=0, device_type=PRIVATE_USE_1):
        if device_type != PRIVATE_USE_1:
            return OF_PYTORCH(stream_id=stream_id, device_index=device_index, device_type=device_type)
        number = len(cls.known) if stream_id is None else stream_id
        if number not in cls.known:
            made = cls.known[number] = super().__new__(cls)
            made.stream_id, made.waiting, made.graph, made.before = number, [], None, []
        return cls.known[number]

    device, device_index, device_type = DEVICE, 0, PRIVATE_USE_1
    native_handle = property(lambda self: 0x1000 + self.stream_id)

    def add(self, work):
        if self.graph is not None and MISTAKE != "a capture runs":
            self.graph.work.append(work)
        else:
            self.waiting.append(work)

    def run(self):
        while self.waiting:
            self.waiting.pop(-1 if MISTAKE == "the latest work first" else 0)()

    def query(self):
        return not self.waiting

    def synchronize(self):
        if MISTAKE != "no wait for a stream":
            self.run()

    def record_event(self, event=None):
        event = event or Event(DEVICE)
        event.record(self)
        return event

    def wait_event(self, event):
        event.wait(self)

    def wait_stream(self, other):
        if MISTAKE != "no wait of a stream for another":
            self.wait_event(other.record_event())

    def is_capturing(self):
        return self.graph is not None

    def __enter__(self):
        self.before.append(current_stream())
        HERE.stream = self
        return self

    def __exit__(self, *problem):
        HERE.stream = self.before.pop()


class Event:
    """A place in a stream: `upto` does the work before it."""

    event_id = 1
    device = DEVICE

    def __init__(self, device=None, *, enable_timing=False, blocking=False, interprocess=False):
        self.upto, self.timing = lambda: None, enable_timing

    def record(self, stream=None):
        if MISTAKE == "an event keeps its first place" and hasattr(self, "mark"):
            return
        stream = stream or current_stream()
        mark = threading.Event()
        stream.waiting.append(mark.set)

        def upto():
            while not mark.is_set() and stream.waiting:
                stream.waiting.pop(0)()

        self.upto, self.mark = upto, mark

    def query(self):
        return not hasattr(self, "mark") or self.mark.is_set()

    def synchronize(self):
        if MISTAKE != "no wait for an event":
            self.upto()

    def elapsed_time(self, other):
        if not (self.timing and other.timing):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if not (hasattr(self, "mark") and hasattr(other, "mark")):
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return 0.0

    def wait(self, stream=None):
        upto = self.upto  # a later record is no matter
        if MISTAKE != "no wait of a stream for an event":
            (stream or current_stream()).waiting.append(upto)


DEFAULT = Stream()


def current_stream(device=None):
    return getattr(HERE, "stream", DEFAULT)


def set_stream(stream):
    if MISTAKE != "the current stream stays":
        HERE.stream = stream


def synchronize(device=None):
    for stream in [DEFAULT] if MISTAKE == "only the default stream is waited for" else list(Stream.known.values()):
        stream.run()


def copy_from(source, target, non_blocking=False):
    held, into = held_in(source), held_in(target)
    if into is target or held is source:  # between device and host
        current_stream().run()
        into.copy_(held)
    else:
        current_stream().add(lambda: into.copy_(held))
    return target


def at_once(kernel):
    def run(*arguments, **named):
        current_stream().run()
        return kernel(*arguments, **named)
    return run


def fill(target, value):
    number = value.item() if isinstance(value, torch.Tensor) else value
    held = held_in(target)
    stream = DEFAULT if MISTAKE == "a fill runs in the default stream" else current_stream()
    stream.add(lambda: held.fill_(number))
    return target


# -- memory ----------------------------------------------------------------------------------------------------------

class Counter:
    def __init__(self):
        self.current = self.peak = self.allocated = self.freed = 0

    def add(self, size_bytes):
        self.current += size_bytes
        self.allocated += size_bytes
        self.peak = max(self.peak, self.current)

    def take(self, size_bytes):
        self.current -= size_bytes
        self.freed += 0 if MISTAKE == "freed bytes are not counted" else size_bytes


USED, RESERVED = Counter(), Counter()
BLOCKS = weakref.WeakValueDictionary()  # by address


class Block:
    """The memory of a tensor and its views. What is freed stays reserved until the cache is emptied."""

    def __init__(self, size_bytes):
        self.size_bytes = (size_bytes + 255) // 256 * 256
        USED.add(self.size_bytes)
        RESERVED.add(max(USED.current - RESERVED.current, 0))

    def __del__(self):
        if MISTAKE != "nothing is given back":
            USED.take(self.size_bytes)


holding = Pretended.holding


def counted(held):
    made, storage = holding(held), held.untyped_storage()
    address = storage.data_ptr()
    if address:
        made.block = BLOCKS.get(address) or Block(storage.nbytes())
        BLOCKS[address] = made.block
    return made


def memory_stats(device=None):
    return {f"{name}.all.{face}": value for name, counter in (("allocated_bytes", USED), ("reserved_bytes", RESERVED))
            for face, value in vars(counter).items()}


def reset_peak(device=None):
    for counter in (USED, RESERVED):
        counter.peak = counter.peak if MISTAKE == "a peak stays for ever" else counter.current


def reset_accumulated(device=None):
    for counter in (USED, RESERVED):
        counter.allocated = counter.freed = 0
        counter.current = 0 if MISTAKE == "a reset forgets what is used" else counter.current


def empty_cache():
    RESERVED.take(RESERVED.current - (0 if MISTAKE == "an empty cache has nothing in use" else USED.current))


def memory_info(device=None):
    total = 1 << 30
    return total - (0 if MISTAKE == "all memory is always free" else RESERVED.current), total


# -- graphs ----------------------------------------------------------------------------------------------------------

class Graph:
    def __init__(self, keep_graph=False, *, pool=None, capture_error_mode="default"):
        self.work, self.state, self.graph_pool, self.capture_error_mode = [], "new", pool, capture_error_mode

    def capture_begin(self):
        if self.state != "new" or current_stream().graph is not None:
            raise RuntimeError("this graph has a capture already")
        self.state, self.stream = "captures", current_stream()
        self.stream.graph = self

    def capture_end(self):
        if self.state != "captures" or current_stream() is not self.stream:
            raise RuntimeError("this graph does not capture here")
        self.stream.graph, self.state = None, "ready"

    def replay(self):
        if self.state != "ready":
            raise RuntimeError("this graph has no capture")
        for work in reversed(self.work) if MISTAKE == "a replay runs backwards" else self.work:
            current_stream().waiting.append(work)
        if MISTAKE == "a graph is replayed once":
            self.work = []

    def reset(self):
        if MISTAKE != "a reset keeps the capture":
            self.work, self.state = [], "new"


def replace(owner, **functions):
    for name, function in functions.items():
        if hasattr(owner, name):  # this release offers it
            setattr(owner, name, function)


if "streams" in PARTS:
    torch.Stream, torch.Event = Stream, Event
    replace(torch.accelerator, current_stream=current_stream, set_stream=set_stream, synchronize=synchronize)
    for operator, kernel in list(KERNELS.items()):
        KERNELS[operator] = at_once(kernel)
    KERNELS[operator_called("_copy_from")] = copy_from
    KERNELS[operator_called("empty.memory_format")] = pretended_backend.empty
    KERNELS[operator_called("empty_strided")] = pretended_backend.empty_strided
    for name in ("fill_.Scalar", "fill_.Tensor"):
        LIBRARY.impl(name, fill, "PrivateUse1")
        KERNELS[operator_called(name)] = fill
    LIBRARY.impl("_copy_from", copy_from, "PrivateUse1", allow_override=True)
if "memory" in PARTS:
    Pretended.holding = staticmethod(counted)
    replace(torch.accelerator, memory_stats=memory_stats, reset_peak_memory_stats=reset_peak,
            reset_accumulated_memory_stats=reset_accumulated, empty_cache=empty_cache, get_memory_info=memory_info)
if "graphs" in PARTS:
    replace(torch.accelerator, Graph=Graph)
