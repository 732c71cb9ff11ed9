#!/usr/bin/env python3
"""The loops of devices, from outside and on simulated devices: what they leave, what they count, that none has a time, and that
no lie gets one. No test looks at a time. Usage: bench_device_test.py <folder of the programs>."""

import functools
import itertools
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import driver  # noqa: E402

PROGRAM = driver.BIN / "assay-cuda-on-cpu"
NOTHING = driver.BIN / "assay-cuda-on-nothing"
QUICK = ["--quick", "--samples", "3", "--min-time", "0.001"]
DEVICE = [word for clock in ("launch", "submit", "sync", "graph", "device") for word in ("--filter", clock)]
# Sizes near the numbers' period, and far below it.
SIZES = (1, 1000, 70000)
END = 65536
LAUNCHES = {**dict.fromkeys(("copy", "copy_in", "copy_out", "memset", "update_scale_launch"), 0), "step": 3, "scaler_unscale": 2,
            "scaler_step": 3}
RUNGS = ("launch", "check", "arguments", "choice", "dispatch", "boxing")
FACTOR = 6364136223846793005


@functools.cache
def element(index, dtype, sign=1):
    """The bytes of the value; minus zero differs from zero."""
    number = sign * ((index * 40503 % 65536 - 32768) / 1024)
    if dtype == "f16":
        return struct.pack("<e", number)
    data = struct.pack("<f", number)
    if dtype == "f32":
        return data
    word, = struct.unpack("<I", data)
    return struct.pack("<H", (word + 0x7fff + (word >> 16 & 1)) >> 16)


def as_f32(data, dtype):
    return struct.pack("<f", *struct.unpack("<e", data)) if dtype == "f16" else b"\0\0" + data


@functools.cache
def stepped(index, is_odd):
    """A parameter after this many steps: adds and removes the sign of its gradient, which had the same initial value."""
    number = (index * 40503 % 65536 - 32768) / 1024
    return struct.pack("<f", number + is_odd * ((number > 0) - (number < 0)))


def left(loop, n, axes):
    """The final contents of each tensor, element by element."""
    if loop == "kernel" or loop.startswith("update_scale"):
        return [[struct.pack("<f", 1)], [struct.pack("<i", n)]]
    if loop == "arguments":
        return [[struct.pack("<i", n if axes["bytes"] else 0)]]
    sizes = axes.get("sizes") or (axes["N"],) * axes.get("tensors", 1)
    if loop == "memset":
        return [[b"\x5a" * 4] * size for size in sizes]
    if loop == "scaler_step" and axes["optimizer"] == "sgd":
        return [[struct.pack("<f", (1 + n % 2) * ((i * 40503 % 65536 - 32768) / 1024)) for i in range(size)] for size in sizes]
    if loop in ("step", "scaler_step"):
        return [[stepped(i % 65536, n % 2) for i in range(size)] for size in sizes]
    dtype = axes.get("dtype", "f32")
    sign = -1 if loop in ("unscale", "scaler_unscale") and n % 2 else 1
    tensors = [[element(i % 65536, dtype, sign) for i in range(size)] for size in sizes]
    if loop == "cast_from":
        tensors = [[as_f32(data, dtype) for data in tensor] for tensor in tensors]
    return tensors


@functools.cache
def crc(loop, n, axes, whole):
    tensors = left(loop, n, dict(axes))
    parts = tensors if whole else [tensors[0][:END], tensors[-1][-END:]]
    return zlib.crc32(b"".join(b"".join(part) for part in parts))


def whole_number(value):
    """Numbers too large for JSON are strings."""
    return value if isinstance(value, int) else int(*value.values())


COPIES = dict.fromkeys(("copy", "copy_in", "copy_out", "cast_to", "cast_from"), 1)


def launches(loop):
    """What counts: a launch that is not checked does not."""
    return LAUNCHES.get(loop, 1)


def loops():
    """Each loop with every kind of argument."""
    yield from (("kernel", {}), ("update_scale", {}), ("kernel", {"stream": "pool"}), ("unscale", {"dtype": "f32", "tensors": 2,
                 "N": 10, "stream": "high"}))
    yield from (("arguments", {"bytes": size}) for size in (0, 8, 1024, 4096, 32760))
    yield "unscale", {"dtype": "f32", "sizes": (5, 1, 70000), "alignment": 4}
    yield from (("unscale", {"dtype": "f16", "tensors": 2, "N": 100, "alignment": alignment}) for alignment in (2, 16))
    yield from ((loop, {"dtype": "bf16", "N": 100, "alignment": 4}) for loop in ("cast_to", "cast_from"))
    yield from (("step", {"sizes": (3, 1000)}), ("step", {"tensors": 3, "N": 5}), ("scaler_unscale", {"tensors": 3, "N": 5}))
    yield from (("scaler_step", {"optimizer": optimizer, "tensors": 3, "N": 5}) for optimizer in ("adam", "sgd"))
    yield from ((f"update_scale_{rung}", {}) for rung in RUNGS)
    for size in SIZES:
        yield from ((loop, {"N": size}) for loop in ("copy", "copy_in", "copy_out", "memset"))
        for dtype in ("f16", "bf16"):
            yield from ((loop, {"dtype": dtype, "N": size}) for loop in ("cast_to", "cast_from"))
        yield from (("unscale", {"dtype": dtype, "tensors": 1, "N": size}) for dtype in ("f32", "f16"))
    yield "unscale", {"dtype": "f16", "tensors": 200, "N": 33}


# A profiler, which replaces NVTX's functions.
PROFILER = r"""
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
struct callbacks { size_t size; int (*functions)(int module, void**** table, unsigned* size); };
enum { CALLBACKS = 1, CORE = 1, PUSH = 9, POP = 11 };
static void write_line(const char* text) {
  FILE* file = fopen(getenv("SEEN"), "a");
  fprintf(file, "%s\n", text);
  fclose(file);
}
static int push(const char* text) { write_line(text); return 0; }
static int pop(void) { write_line("end"); return 0; }
int InitializeInjectionNvtx2(const struct callbacks* (*table_of)(unsigned)) {
  void*** table;
  unsigned size;
  table_of(CALLBACKS)->functions(CORE, &table, &size);
  *table[PUSH] = (void*)push;
  *table[POP] = (void*)pop;
  return 1;
}
"""


COUNTING_MALLOC = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
static long calls;
void* malloc(size_t bytes) {
  static void* (*next)(size_t);
  if (!next) next = (void* (*)(size_t))dlsym(RTLD_NEXT, "malloc");
  __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  return next(bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  static void* (*next)(size_t, size_t);
  if (!next) next = (void* (*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
  __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  return next(alignment, bytes);
}
__attribute__((destructor)) static void end(void) { fprintf(stderr, "%ld\n", calls); }
"""


@unittest.skipUnless(NOTHING.exists() and b"__asan_init" not in NOTHING.read_bytes() and b"__tsan_init" not in NOTHING.read_bytes(),
                     "the CUDA implementation was not built, or with a sanitizer's own malloc")
class LoopsWithoutRuntime(driver.ProgramTest):
    def test_no_call_of_a_scaler_takes_memory_of_the_heap(self):
        library = self.path("malloc.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, self.write("malloc.c", COUNTING_MALLOC), "-ldl"], check=True)

        def calls(loop, n, axes):
            command = {"id": 1, "do": "bench.run", "with": {"loop": loop, "clock": "launch", "n": n, "N": 16, **axes}}
            done = subprocess.run([NOTHING], input=json.dumps(command) + "\n", text=True, capture_output=True, check=True,
                                  env={**os.environ, "LD_PRELOAD": library})
            self.assertIn("checksum", json.loads(done.stdout)["ok"])
            return int(done.stderr)

        loops = (("unscale", {"dtype": "f32"}), ("scaler_unscale", {}), ("scaler_step", {"optimizer": "adam"}),
                 ("scaler_step", {"optimizer": "sgd"}))
        for (loop, axes), tensors in itertools.product(loops, (1, 10, 160, 1000, 10000)):
            with self.subTest(loop=loop, axes=axes, tensors=tensors):
                few, many = (calls(loop, n, {**axes, "tensors": tensors}) for n in (10, 40))
                self.assertGreater(few, tensors)
                self.assertEqual(many, few)


@unittest.skipUnless(PROGRAM.exists(), "the CUDA implementation was not built")
class DeviceLoops(driver.ProgramTest):
    def ask(self, commands):
        """All replies of one process."""
        lines = [json.dumps({"id": i, **command}) for i, command in enumerate(commands)]
        done = subprocess.run([PROGRAM], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=600, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_what_is_left_and_counted_is_right_by_every_clock(self):
        asked = [(loop, axes, clock, n, whole) for loop, axes in loops()
                 for clock, n, whole in itertools.product(("launch", "submit", "sync", "device"), (1, 5), (True, False))]
        asked += [("kernel", {}, clock, 200, True) for clock in ("launch", "submit", "sync", "device", "activity")]
        asked += [(loop, {**axes, "l2": "cold"}, "device", n, True) for loop, axes in loops() for n in (1, 5)]
        asked += [(loop, {**axes, "l2": l2}, "activity", 3, True) for loop, axes in loops() for l2 in ("hot", "cold")]
        asked += [("kernel", {"l2": "cold"}, clock, 150, True) for clock in ("device", "activity")]
        replies = self.ask([{"do": "bench.run", "count": True, "with": {"loop": loop, "clock": clock, "n": n, "whole": whole, **axes}}
                            for loop, axes, clock, n, whole in asked])
        self.assertEqual(len(replies), len(asked))
        for (loop, axes, clock, n, whole), reply in zip(asked, replies):
            with self.subTest(loop=loop, axes=axes, clock=clock, n=n, whole=whole):
                checksum = functools.reduce(lambda total, _: (total * FACTOR + 1) % 2**64, range(n), 0)
                self.assertEqual(whole_number(reply["ok"]["checksum"]) % 2**64, checksum)
                self.assertEqual(reply["ok"]["result"], crc(loop, n, tuple(axes.items()), whole))
                self.assertEqual(reply["ok"]["no_time"], "simulated")
                self.assertNotIn("ns", reply["ok"])
                self.assertEqual(reply["counts"]["host_reads"], 0)
                if clock != "device":
                    self.assertEqual((reply["counts"]["copies"], reply["counts"]["launches"]), (n * COPIES.get(loop, 0), n * launches(loop)))

    def test_loops_of_streams_and_events_answer_and_leave_nothing(self):
        names = ("event", "event_create", "event_record", "event_query", "stream_from_pool", "stream_guard", "device_guard",
                 "allocate_hit", "allocate_miss", "allocate_crossed")
        asked = [(loop, n) for loop in names for n in (1, 300)]
        replies = self.ask([{"do": "bench.run", "with": {"loop": loop, "n": n}} for loop, n in asked])
        replies += self.ask([{"do": "bench.run", "with": {"loop": "nothing", "n": 3, "clock": clock}} for clock in ("sync", "device")])
        for (loop, n), reply in zip([*asked, ("nothing", 3), ("nothing", 3)], replies):
            with self.subTest(loop=loop, n=n):
                checksum = functools.reduce(lambda total, _: (total * FACTOR + 1) % 2**64, range(n), 0)
                self.assertEqual(whole_number(reply["ok"]["checksum"]) % 2**64, checksum)
                self.assertEqual(reply["ok"]["no_time"], "simulated")
                self.assertNotIn("result", reply["ok"])

    def test_memory_comes_from_the_driver_where_nothing_is_cached_and_else_does_not(self):
        stats = {"do": "memory.stats", "with": {}}
        loop = [{"do": "bench.run", "with": {"loop": f"allocate_{name}", "n": 40}} for name in ("hit", "miss", "crossed")]
        replies = self.ask([stats, loop[1], stats, loop[0], stats, loop[0], stats, loop[2], stats])
        taken = [dict(reply["ok"]["result"]["dict"])["num_device_alloc"] for reply in replies[::2]]
        from_driver = [after - before for before, after in zip(taken, taken[1:])]
        self.assertGreaterEqual(from_driver[0], 40)
        self.assertEqual(from_driver[2], 0)
        self.assertLess(from_driver[3], 40)

    def test_what_it_does_not_have_is_unsupported_or_invalid(self):
        given = {"clock": "submit", "n": 1}
        replies = self.ask([{"do": "bench.run", "with": with_} for with_ in (
            {"loop": "nonsense", "n": 1}, {**given, "loop": "cast_to", "dtype": "f64", "N": 8},
            {**given, "loop": "copy", "N": 2**30}, {**given, "loop": "copy", "N": 0}, {"loop": "kernel", "n": 1, "clock": "wall"},
            {**given, "loop": "kernel", "colour": "red"}, {**given, "loop": "unscale", "dtype": "bf16", "tensors": 1, "N": 1},
            {**given, "loop": "unscale", "dtype": "f32", "sizes": [2**17, 2**17, 1]}, {**given, "loop": "step", "sizes": []},
            {**given, "loop": "step", "sizes": [1, 0]}, {**given, "loop": "arguments", "bytes": 16},
            {**given, "loop": "copy", "N": 4, "alignment": 2}, {**given, "loop": "copy", "N": 4, "alignment": 3},
            {**given, "loop": "kernel", "l2": "cold"}, {"loop": "kernel", "n": 1, "clock": "device", "l2": "warm"},
            {**given, "loop": "kernel", "stream": "side"}, {**given, "loop": "scaler_step", "tensors": 1, "N": 1, "optimizer": "rprop"})])
        self.assertEqual([next(key for key in reply if key != "id") for reply in replies],
                         ["unsupported", "unsupported", "unsupported", "invalid", "invalid", "unsupported",
                          "unsupported", "unsupported", "invalid", "invalid", "unsupported", "unsupported", "invalid", "invalid",
                          "invalid", "invalid", "invalid"])
        self.assertIn("takes too long", replies[2]["unsupported"])

    @unittest.skipUnless(PROGRAM.exists() and b"NVTX_INJECTION64_PATH" in PROGRAM.read_bytes(), "the program was built without NVTX's header")
    def test_profilers_see_which_loop_runs(self):
        library, seen = self.path("profiler.so"), self.path("seen")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", library, self.write("profiler.c", PROFILER)], check=True)
        command = {"id": 1, "do": "bench.run", "with": {"loop": "kernel", "clock": "sync", "n": 1}}
        subprocess.run([PROGRAM], input=json.dumps(command) + "\n", text=True, check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "NVTX_INJECTION64_PATH": library, "SEEN": seen})
        self.assertEqual((self.folder / "seen").read_text(), "kernel by the clock sync\nend\n")

    def bench(self, *words, subject="cuda_on_cpu"):
        done = driver.run("bench", *QUICK, "-o", self.path("r.json"), "--subject", subject, *words, timeout=900)
        return done, self.record()

    def test_every_loop_runs_and_none_has_a_time(self):
        families = [line.split()[:2] for line in driver.run("bench", "--list").stdout.splitlines()]
        wanted = {(name, quantity) for name, quantity in families
                  if name.split("/")[0] in ("launch", "submit", "sync", "graph", "device")}
        self.assertEqual({quantity for _, quantity in wanted},
                         {"host.launch_ns", "host.submit_ns", "e2e.sync_ns", "graph.node_ns", "device.exec_ns"})
        done, record = self.bench(*DEVICE, "--axis", "N=[1,1000,70000]", "--axis", "tensors=[1,3]", "--axis", "shrink=100000")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = record["measurements"]
        self.assertEqual({(row["case"], row["quantity"]) for row in rows}, wanted)
        # PyTorch's operator has no CUDA kernel for it.
        lacking = [row for row in rows if "unscale" in row["case"] and row["axes"].get("dtype") == "bf16"]
        for row in lacking:
            self.assertEqual((row["status"], row["checked"]), ("unsupported", False), row)
            self.assertIn("not implemented for 'BFloat16'", row["reason"])
        rows = [row for row in rows if row not in lacking]
        for row in rows:
            self.assertEqual((row["status"], row["reason"], row["center"], row["checked"], row["processes"]),
                             ("simulated", "simulated", None, True, []), row)
        self.assertTrue(driver.last_line(done).startswith(f"PASS 0 of {len(rows) + len(lacking)} measured, {len(rows)} simulated, "), done.stdout)

    def test_by_activity_only_what_has_the_devices_clock_runs(self):
        done, record = self.bench("--activity", "device/copy", "launch/kernel", "graph/kernel", "--axis", "N=1000")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([(row["axes"]["l2"], row["quantity"], row["status"]) for row in record["measurements"]],
                         [("hot", "device.exec_ns", "simulated"), ("cold", "device.exec_ns", "simulated")])
        self.assertEqual(record["meta"]["device_clock"], "activity")
        self.assertIn("without the gaps between them", done.stdout)
        for words, said in ((["launch/kernel"], "no selected case is timed by the device's clock"), (["--steps"], "takes no --steps or --count")):
            done = driver.run("bench", "--activity", *words)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(said, done.stderr)

    def lying(self, way, honest):
        return f"{sys.executable} {pathlib.Path(__file__).parent / 'lying_subject.py'} {way} {honest} {PROGRAM}"

    def test_where_there_is_a_device_its_loops_are_timed_by_themselves(self):
        shutil.copy(driver.ASSAY, self.folder / "assay")
        (self.folder / "assay-cuda").symlink_to(PROGRAM.resolve())
        done = driver.run("bench", *QUICK, "--filter", "sync/kernel/stream=default", "-o", self.path("r.json"), executable=str(self.folder / "assay"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual([(row["subject"], row["status"]) for row in self.record()["measurements"]],
                         [("pointer", "unsupported"), ("reference", "unsupported"), ("cuda", "simulated")])

    def test_with_a_time_they_are_measured(self):
        done, record = self.bench(*DEVICE, "--axis", "N=1000", "--axis", "tensors=1", "--axis", "dtype=f16",
                                  "--axis", "shrink=100000", subject=self.lying("time", 0))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        moved = {"device/unscale": 4000, "device/unscale_at": 4000, "device/unscale_list": 4000, "device/cast_to": 6000,
                 "device/cast_from": 6000, "device/cast_at": 6000, "device/copy": 8000, "device/copy_in": 4000, "device/copy_out": 4000,
                 "device/memset": 4000, "device/unscale_resnet50": 4 * 388, "device/unscale_transformer7b": 4 * 67487,
                 "device/step": 36 * 388}
        for row in record["measurements"]:
            self.assertEqual((row["status"], row["center"], len(row["processes"])), ("measured", 100, 2), row)
            self.assertEqual(row["bytes"], moved.get(row["case"]), row)
        self.assertLessEqual(set(moved), {row["case"] for row in record["measurements"]})
        self.assertIn(" 80.0 GB/s", done.stdout)

    def test_the_profile_of_a_fleet_chooses_cases_and_amounts(self):
        done = driver.run("bench", "--subject", PROGRAM, "--profile", "fleet", "--samples", "1", "-o", self.path("r.json"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        record = self.record()
        self.assertEqual((record["meta"]["processes"], record["meta"]["samples"], record["meta"]["min_time_ns"]), (7, 1, 1e6))
        cases = {row["case"] for row in record["measurements"]}
        self.assertLessEqual({"device/copy", "device/copy_in", "device/memset", "device/cast_to", "device/event_pair", "launch/kernel",
                              "sync/kernel", "graph/kernel"}, cases)
        caches = {row["axes"].get("l2") for row in record["measurements"] if str(row["axes"].get("N")) == str(1 << 26)}
        self.assertIn("hot", caches)
        self.assertNotIn("cold", caches)

    def test_the_profile_of_a_fleet_refuses_other_choices(self):
        for words in (["launch"], ["--filter", "launch"], ["--exclude", "launch"], ["--axis", "N=1000"]):
            self.refused("bench", "--profile", "fleet", *words, says=["--profile chooses the cases"])
        for word in ("--quick", "--count", "--steps"):
            self.refused("bench", "--profile", "fleet", word, says=["--profile is for times to compare"])

    def test_a_lie_at_the_check_is_an_error_and_no_time(self):
        self.assert_found(honest=0)

    def test_a_lie_after_the_check_is_an_error_and_no_time(self):
        self.assert_found(honest=2)

    def assert_found(self, honest):
        said = {"checksum": r"after \d+ iterations the checksum is \d+, not \d+",
                "result": r"after \d+ iterations what is left on the device has the CRC-32 \d+, not \d+",
                "launches": r"after \d+ iterations \d+ launches are counted, not \d+ or more",
                "waits": r"after \d+ iterations the host has waited for 1 values of the device"}
        for way, words in said.items():
            with self.subTest(way=way):
                done, record = self.bench("--filter", "launch/unscale/dtype=f16/tensors=1", subject=self.lying(way, honest))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                row, = record["measurements"]
                self.assertEqual((row["status"], row["center"], row["checked"], row["processes"]), ("failed", None, False, []))
                self.assertRegex(row["reason"], words)


if __name__ == "__main__":
    driver.main()
