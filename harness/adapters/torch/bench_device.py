"""Area bench: loops on a device, by the clocks of the host and of the device."""

import contextlib
import functools
import time
import zlib

import torch

from bench_sum import SUM
from wire import Invalid, Unsupported, bytes_of

PERIOD = END = 65536
MOST_QUEUED, LONGEST_GRAPH = 128, 64
NEVER = (1 << 31) - 1
DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


class Cuda:
    """What the clocks need of a device; tests have another."""

    busy_bytes = 64 << 20  # writing so many keeps a device busy until the host has queued the first replays

    def __init__(self):
        if not torch.cuda.is_available():
            raise Unsupported("this PyTorch has no CUDA device here")
        self.device = torch.device("cuda", 0)

    def wait(self):
        torch.cuda.current_stream().synchronize()

    def event(self):
        return torch.cuda.Event(enable_timing=True)

    def graph(self, work, length):
        """What so many iterations queue, to be replayed."""
        made = torch.cuda.CUDAGraph()
        with torch.cuda.graph(made):
            for _ in range(length):
                work()
        return made.replay

    def stream(self, kind):
        if kind == "default":
            return contextlib.nullcontext()
        return torch.cuda.stream(torch.cuda.Stream(priority=-1 if kind == "high" else 0))

    def cache_bytes(self):
        return getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 64 << 20)


# -- work: what an iteration does, and what it leaves ------------------------------------------------------------------

def period():
    index = torch.arange(PERIOD, dtype=torch.int64)
    return (index * 40503 % PERIOD - PERIOD // 2).to(torch.float32) / 1024


def fill(tensor):
    numbers = period().to(tensor.dtype).to(tensor.device)
    for at in range(0, tensor.numel(), PERIOD):
        tensor[at:at + PERIOD].copy_(numbers[:tensor.numel() - at])


def placed(count, dtype, device, alignment):
    """A tensor whose address is an odd multiple of so many bytes."""
    width = torch.empty((), dtype=dtype).element_size()
    if alignment < 1 or alignment > 256 or alignment & (alignment - 1):
        raise Invalid("'alignment' must be a power of two up to 256")
    if alignment % width:
        raise Unsupported(f"elements of {width} bytes are not aligned to {alignment}")
    room = torch.empty(count * width + 768, dtype=torch.uint8, device=device)
    first = -room.data_ptr() % 512 + alignment
    return room[first:first + count * width].view(dtype)


class Scale:
    """The scale stays 1, and the tracker counts."""

    def __init__(self, device, given):
        self.scale = torch.ones((), device=device)
        self.tracker = torch.zeros((), dtype=torch.int32, device=device)
        self.found_inf = torch.zeros((), device=device)

    def restore(self):
        self.tracker.zero_()

    def queue(self):
        torch._amp_update_scale_(self.scale, self.tracker, self.found_inf, 2.0, 0.5, NEVER)

    def results(self):
        return [self.scale, self.tracker]


class Kernel(Scale):
    """The smallest launch that PyTorch has."""

    def queue(self):
        self.tracker.add_(1)


def sizes_of(given):
    if "sizes" in given:
        return given["sizes"]
    return [given["N"]] * given.get("tensors", 1)


class Unscale:
    """Every iteration turns the signs."""

    def __init__(self, device, given):
        dtype, alignment = dtype_of(given), given.get("alignment", 256)
        self.grads = [placed(size, dtype, device, alignment) for size in sizes_of(given)]
        self.found_inf, self.inv_scale = torch.zeros((), device=device), torch.full((), -1.0, device=device)

    def restore(self):
        for grad in self.grads:
            fill(grad)

    def queue(self):
        torch._amp_foreach_non_finite_check_and_unscale_(self.grads, self.found_inf, self.inv_scale)

    def results(self):
        return self.grads


class Copy:
    def __init__(self, device, given, source=torch.float32, target=torch.float32):
        alignment = given.get("alignment", 256)
        self.source = placed(given["N"], source, device, alignment)
        self.target = placed(given["N"], target, device, alignment)
        fill(self.source)

    def restore(self):
        self.target.zero_()

    def queue(self):
        self.target.copy_(self.source)

    def results(self):
        return [self.target]


class AcrossTheBus(Copy):
    """One side is page-locked memory of the host."""

    def __init__(self, device, given, into_device):
        on_device = torch.empty(given["N"], device=device)
        on_host = torch.empty(given["N"], pin_memory=device.type == "cuda")
        self.source, self.target = (on_host, on_device) if into_device else (on_device, on_host)
        fill(self.source)

    def queue(self):
        self.target.copy_(self.source, non_blocking=True)


class Step:
    """The scale is -1, so gradients turn their signs; Adam without memory adds their sign to the parameters, or takes it."""

    def __init__(self, device, given):
        make = getattr(torch.amp, "GradScaler", None)
        make = functools.partial(make, device.type) if make else torch.cuda.amp.GradScaler
        self.scaler = make(init_scale=-1.0, growth_interval=NEVER)
        self.params = [torch.empty(size, device=device, requires_grad=True) for size in sizes_of(given)]
        for param in self.params:
            param.grad = torch.empty_like(param)
        self.optimizer = torch.optim.Adam(self.params, lr=1.0, betas=(0.0, 0.0), eps=2.0**-40, fused=True, capturable=True)
        self.scaler.scale(torch.ones((), device=device))  # makes the scale's tensor
        self.restore()
        self.queue()  # makes the optimizer's state

    @torch.no_grad()
    def restore(self):
        for param in self.params:
            fill(param)
            fill(param.grad)

    def queue(self):
        self.scaler.unscale_(self.optimizer)
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def results(self):
        return self.params


def dtype_of(given):
    if given["dtype"] not in DTYPES:
        raise Unsupported(f"there is no dtype {given['dtype']} for loops")
    return DTYPES[given["dtype"]]


WORKS = {
    "kernel": Kernel,
    "update_scale": Scale,
    "unscale": Unscale,
    "cast_to": lambda device, given: Copy(device, given, target=dtype_of(given)),
    "cast_from": lambda device, given: Copy(device, given, source=dtype_of(given)),
    "copy": Copy,
    "copy_in": lambda device, given: AcrossTheBus(device, given, True),
    "copy_out": lambda device, given: AcrossTheBus(device, given, False),
    "step": Step,
}


# -- clocks ------------------------------------------------------------------------------------------------------------

def on_host(machine, work, times, at_once, with_waits):
    """Iterates until `times`, and waits after every `at_once` of them; with the waits or without."""
    elapsed, left = 0, times
    work.restore()
    machine.wait()
    while left > 0:
        now = min(left, at_once)
        begin = time.perf_counter_ns()
        for _ in range(now):
            work.queue()
            SUM.step(1)
        if with_waits:
            machine.wait()
        elapsed += time.perf_counter_ns() - begin
        machine.wait()
        left -= now
    return elapsed


def nanoseconds(first, last):
    last.synchronize()
    return round(first.elapsed_time(last) * 1e6)


def replayed(machine, work, times):
    """Nanoseconds between two events around replays of a graph."""
    length = min(times, LONGEST_GRAPH)
    work.restore()
    work.queue()  # what is made at the first call is not captured
    machine.wait()
    many = machine.graph(work.queue, length)
    rest = machine.graph(work.queue, times % length) if times % length else lambda: None
    busy = torch.empty(machine.busy_bytes, dtype=torch.uint8, device=machine.device)
    many()
    rest()
    work.restore()
    first, last = machine.event(), machine.event()
    busy.zero_()
    first.record()
    for _ in range(times // length):
        many()
    rest()
    last.record()
    for _ in range(times):
        SUM.step(1)
    return nanoseconds(first, last)


def flushed(machine, work, times):
    """Nanoseconds between two events around each iteration, before which as much was written as the L2 cache holds."""
    cache = torch.empty(machine.cache_bytes(), dtype=torch.uint8, device=machine.device)
    elapsed = 0
    work.restore()
    for at in range(0, times, LONGEST_GRAPH):
        pairs = [(machine.event(), machine.event()) for _ in range(min(LONGEST_GRAPH, times - at))]
        for first, last in pairs:
            cache.zero_()
            first.record()
            work.queue()
            last.record()
            SUM.step(1)
        elapsed += sum(nanoseconds(first, last) for first, last in pairs)
    return elapsed


def time_on(machine, clock, l2, work, times):
    SUM.value = 0
    if l2 not in ("hot", "cold") or (l2 == "cold" and clock != "device"):
        raise Invalid("'l2' is hot, or by the device's clock cold")
    if clock == "device":
        return (flushed if l2 == "cold" else replayed)(machine, work, times)
    if clock not in ("launch", "submit", "sync"):
        raise Invalid(f"there is no clock '{clock}'")
    at_once = {"launch": MOST_QUEUED, "submit": times, "sync": 1}[clock]
    return on_host(machine, work, times, at_once, clock != "launch")


def result_of(tensors, whole):
    """CRC-32 of all, or of the first elements of the first and the last ones of the last."""
    parts = tensors if whole else [tensors[0].reshape(-1)[:END], tensors[-1].reshape(-1)[-END:]]
    total = 0
    for part in parts:
        total = zlib.crc32(bytes_of(part), total)
    return total


def run(subject, given, name, times, machine=None):
    whole, clock, l2, stream = given.get("whole", False), given["clock"], given.get("l2", "hot"), given.get("stream", "default")
    if stream not in ("default", "pool", "high"):
        raise Invalid(f"there is no stream '{stream}'")
    machine = machine or Cuda()
    with machine.stream(stream):
        try:
            work = WORKS[name](machine.device, given)
            elapsed = time_on(machine, clock, l2, work, times)
        except (RuntimeError, NotImplementedError) as problem:
            if " not implemented for '" in str(problem):
                raise Unsupported(str(problem)) from problem
            raise
        return {"ns": elapsed, "result": result_of(work.results(), whole)}
