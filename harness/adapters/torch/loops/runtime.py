"""Area bench: loops of streams, events, guards and memory. A context manager provides the function to call."""

import contextlib

import torch

from loops.checksum import SUM
from waist.wire import Unsupported


def need_devices(count):
    if not torch.cuda.is_available():
        raise Unsupported("this PyTorch has no CUDA device here")
    if torch.cuda.device_count() < count:
        raise Unsupported("there are fewer than two CUDA devices")


@contextlib.contextmanager
def event():
    need_devices(1)
    first, second, made = torch.cuda.Stream(), torch.cuda.Stream(), torch.cuda.Event()

    def once():
        made.record(first)
        made.wait(second)
        SUM.step(1)

    yield once


@contextlib.contextmanager
def event_create():
    need_devices(1)
    stream = torch.cuda.Stream()

    def once():
        torch.cuda.Event().record(stream)
        SUM.step(1)

    yield once


@contextlib.contextmanager
def event_record():
    need_devices(1)
    stream, made = torch.cuda.Stream(), torch.cuda.Event()

    def once():
        made.record(stream)
        SUM.step(1)

    yield once


@contextlib.contextmanager
def event_query():
    need_devices(1)
    made = torch.cuda.Event()
    made.record()
    made.synchronize()
    yield lambda: SUM.step(int(made.query()))


@contextlib.contextmanager
def stream_from_pool():
    need_devices(1)
    before = [torch.cuda.Stream()]

    def once():
        made = torch.cuda.Stream()
        SUM.step(int(made != before[0]))
        before[0] = made

    yield once


@contextlib.contextmanager
def stream_guard():
    need_devices(1)
    stream = torch.cuda.Stream()

    def once():
        with torch.cuda.stream(stream):
            SUM.step(int(torch.cuda.current_stream() == stream))

    yield once


@contextlib.contextmanager
def device_guard():
    need_devices(2)

    def once():
        with torch.cuda.device(1):
            SUM.step(torch.cuda.current_device())

    with torch.cuda.device(0):
        yield once


def taken():
    return torch.empty(512, dtype=torch.uint8, device="cuda:0")


@contextlib.contextmanager
def allocate_hit():
    need_devices(1)
    before = [taken().data_ptr()]

    def once():
        address = taken().data_ptr()
        SUM.step(int(address == before[0]))
        before[0] = address

    yield once


@contextlib.contextmanager
def allocate_miss():
    need_devices(1)
    torch.cuda.empty_cache()

    def once():
        SUM.step(int(taken().data_ptr() != 0))
        torch.cuda.empty_cache()

    yield once


@contextlib.contextmanager
def allocate_crossed():
    need_devices(1)
    user = torch.cuda.Stream()

    def once():
        memory = taken()
        memory.record_stream(user)
        SUM.step(int(memory.data_ptr() != 0))

    yield once


LOOPS = {
    "event": event,
    "event_create": event_create,
    "event_record": event_record,
    "event_query": event_query,
    "stream_from_pool": stream_from_pool,
    "stream_guard": stream_guard,
    "device_guard": device_guard,
    "allocate_hit": allocate_hit,
    "allocate_miss": allocate_miss,
    "allocate_crossed": allocate_crossed,
}
