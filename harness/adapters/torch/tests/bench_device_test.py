"""Tests the data left by device loops, for every clock. The CPU takes the place of a device; times are ignored."""

import contextlib
import functools
import os
import struct
import sys
import unittest
import zlib

sys.dont_write_bytecode = True
from talk import ADAPTER, python_or_skip

try:
    import torch
except ImportError:  # in an interpreter that has it
    found = python_or_skip()
    os.execvp(found, [found, "-B", *sys.argv])

sys.path.insert(0, str(ADAPTER))
from loops import device, device_works
from loops.checksum import SUM
from waist.wire import Invalid, Unsupported

FACTOR, MASK = 6364136223846793005, (1 << 64) - 1
CLOCKS = (("launch", "hot"), ("submit", "hot"), ("sync", "hot"), ("device", "hot"), ("device", "cold"))


class Event:
    def record(self):
        pass

    def synchronize(self):
        pass

    def elapsed_time(self, other):
        return 0.5


class Machine:
    """The CPU, which has no queue: a graph repeats its calls. Records its calls."""

    def __init__(self):
        self.device, self.busy_bytes, self.waits, self.streams, self.graphs = torch.device("cpu"), 4096, 0, [], []

    def wait(self):
        self.waits += 1

    def event(self):
        return Event()

    def graph(self, work, length):
        self.graphs.append(length)

        def replay():
            for _ in range(length):
                work()
        return replay

    def stream(self, kind):
        self.streams.append(kind)
        return contextlib.nullcontext()

    def cache_bytes(self):
        return 4096


def number(index):
    return (index * 40503 % 65536 - 32768) / 1024


@functools.cache
def element(index, dtype, sign=1):
    if dtype == "f16":
        return struct.pack("<e", sign * number(index))
    data = struct.pack("<f", sign * number(index))
    if dtype == "f32":
        return data
    word, = struct.unpack("<I", data)
    return struct.pack("<H", (word + 0x7FFF + (word >> 16 & 1)) >> 16)


def stepped(index, times):
    value = number(index)
    return struct.pack("<f", value + (times % 2) * ((value > 0) - (value < 0)))


def left(loop, times, given):
    """The final contents of each tensor."""
    if loop in ("kernel", "update_scale"):
        return [struct.pack("<f", 1), struct.pack("<i", times)]
    sizes = given.get("sizes") or [given["N"]] * given.get("tensors", 1)
    if loop == "step":
        return [b"".join(stepped(index, times) for index in range(size)) for size in sizes]
    dtype = given.get("dtype", "f32")
    sign = -1 if loop == "unscale" and times % 2 else 1
    made = [[element(index, dtype, sign) for index in range(size)] for size in sizes]
    if loop == "cast_from":
        wide = {"f16": lambda data: struct.pack("<f", *struct.unpack("<e", data)), "bf16": lambda data: b"\0\0" + data}[dtype]
        made = [[wide(data) for data in tensor] for tensor in made]
    return [b"".join(tensor) for tensor in made]


LOOPS = [("kernel", {}), ("update_scale", {}), ("copy", {"N": 1000}), ("copy", {"N": 70000}), ("copy", {"N": 33, "alignment": 4}),
         ("copy_in", {"N": 1000}), ("copy_out", {"N": 1000}), ("step", {"sizes": [3, 1000]}), ("step", {"N": 5, "tensors": 2}),
         *((loop, {"dtype": dtype, "N": 1000, "alignment": 4}) for loop in ("cast_to", "cast_from") for dtype in ("f16", "bf16")),
         ("unscale", {"dtype": "f32", "tensors": 3, "N": 70}), ("unscale", {"dtype": "f32", "sizes": [5, 1, 70000]}),
         ("unscale", {"dtype": "f16", "tensors": 1, "N": 100, "alignment": 2})]


class DeviceLoops(unittest.TestCase):
    def answered(self, loop, given, times, machine=None):
        """The reply, or None if this PyTorch has no such CPU operator."""
        try:
            return device.run(None, given, loop, times, machine or Machine())
        except (Unsupported, NotImplementedError) as problem:
            self.assertIn(loop, ("update_scale", "unscale", "step"), problem)
        except RuntimeError as problem:
            self.assertIn("FusedAdam requires", str(problem))

    def test_what_is_left_is_right_by_every_clock(self):
        answered = set()
        for loop, given in LOOPS:
            tensors = {times: left(loop, times, given) for times in (1, 2, 70)}
            for clock, l2 in CLOCKS:
                for times, whole in ((1, True), (2, True), (70, True), (1, False)):
                    with self.subTest(loop=loop, given=given, clock=clock, l2=l2, times=times):
                        reply = self.answered(loop, {**given, "clock": clock, "l2": l2, "whole": whole}, times)
                        if reply is None:
                            continue
                        width = 2 if given.get("dtype", "f32") != "f32" and loop != "cast_from" else 4
                        ends = [tensors[times][0][:65536 * width], tensors[times][-1][-65536 * width:]]
                        self.assertEqual(reply["result"], zlib.crc32(b"".join(tensors[times] if whole else ends)))
                        self.assertEqual(SUM.value, functools.reduce(lambda total, _: (total * FACTOR + 1) & MASK, range(times), 0))
                        answered.add(loop)
        self.assertLessEqual({"kernel", "copy", "copy_in", "copy_out", "cast_to", "cast_from"}, answered)

    def test_a_seed_moves_the_numbers(self):
        SUM.seed = MASK  # one before the first
        try:
            reply = self.answered("copy", {"N": 3, "clock": "sync", "whole": True}, 1)
        finally:
            SUM.seed = 0
        self.assertEqual(reply["result"], zlib.crc32(b"".join(element(index, "f32") for index in (65535, 0, 1))))

    def test_a_queue_is_never_long_and_a_graph_is_cut(self):
        machine = Machine()
        self.answered("kernel", {"clock": "launch", "stream": "high"}, 300, machine)
        self.assertEqual((machine.waits, machine.streams), (1 + 3, ["high"]))
        self.answered("kernel", {"clock": "device"}, 150, machine)
        self.assertEqual(machine.graphs, [64, 22])

    def test_time_is_what_the_device_says(self):
        self.assertEqual(self.answered("kernel", {"clock": "device"}, 100)["ns"], 500000)
        self.assertEqual(self.answered("kernel", {"clock": "device", "l2": "cold"}, 100)["ns"], 100 * 500000)

    def test_tensors_are_aligned_as_asked_and_no_better(self):
        for alignment in (2, 16, 256):
            address = device_works.placed(10, torch.float16, torch.device("cpu"), alignment).data_ptr()
            self.assertEqual((address % alignment, address % (2 * alignment)), (0, alignment))

    def test_what_makes_no_sense_is_refused(self):
        for given, problem in (({"clock": "wall"}, Invalid), ({"clock": "launch", "l2": "cold"}, Invalid),
                               ({"clock": "device", "l2": "warm"}, Invalid), ({"clock": "sync", "stream": "side"}, Invalid)):
            with self.subTest(given=given), self.assertRaises(problem):
                device.run(None, given, "kernel", 1, Machine())
        for given, problem in (({"alignment": 3}, Invalid), ({"alignment": 512}, Invalid), ({"alignment": 2}, Unsupported)):
            with self.subTest(given=given), self.assertRaises(problem):
                device.run(None, {"clock": "sync", "N": 4, **given}, "copy", 1, Machine())
        for given, loop in (({"clock": "sync", "N": 4, "dtype": "f64"}, "cast_to"), ({"clock": "activity"}, "kernel")):
            with self.subTest(given=given), self.assertRaises(Unsupported):
                device.run(None, given, loop, 1, Machine())


if __name__ == "__main__":
    unittest.main()
