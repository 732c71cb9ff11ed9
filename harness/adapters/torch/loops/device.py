"""Loops on a device, timed with the clock of the host or the device."""

import contextlib
import time
import zlib

import torch

from loops.checksum import SUM
from loops.device_works import WORKS
from waist.wire import Invalid, Unsupported, bytes_of

END = 65536
MOST_QUEUED, LONGEST_GRAPH = 128, 64


class Cuda:
    """The device functions that the clocks use; tests replace them."""

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
        """A graph of this many iterations, to be replayed."""
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


def on_host(machine, work, times, at_once, with_waits):
    """Runs `times` iterations and waits after every `at_once`; the waits are timed or not."""
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
    """Nanoseconds between two events around each iteration, after overwriting the L2 cache."""
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
    SUM.begin()
    if clock == "activity":
        raise Unsupported("activity records of the profiler are not read")
    if l2 not in ("hot", "cold") or (l2 == "cold" and clock != "device"):
        raise Invalid("'l2' is hot, or by the device's clock cold")
    if clock == "device":
        return (flushed if l2 == "cold" else replayed)(machine, work, times)
    if clock not in ("launch", "submit", "sync"):
        raise Invalid(f"there is no clock '{clock}'")
    at_once = {"launch": MOST_QUEUED, "submit": times, "sync": 1}[clock]
    return on_host(machine, work, times, at_once, clock != "launch")


def result_of(tensors, whole):
    """The CRC-32 of everything, or of the first elements of the first tensor and the last elements of the last."""
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
