"""Three GPUs that nobody has built, as records of `assay bench`: what compares GPUs is tried with them. Usage, to look at their
page: imaginary_gpus.py <folder>, then `assay report <folder>/*.json -o page.html`."""

import json
import pathlib
import random
import sys

# Bandwidth of memory and of the L2 cache in bytes per nanosecond, size of that cache, minimum nanoseconds of a launch and of a kernel, and
# nanoseconds of a call through a pointer on the host; the device's clock in megahertz.
GPUS = {"Imaginary One": (1500, 4000, 20 << 20, 2600, 2200, 2.0, 1000), "Imaginary Two": (3000, 9000, 50 << 20, 2300, 1900, 1.2, 2000),
        "Imaginary Three": (6000, 9500, 120 << 20, 2900, 1700, 2.5, 1500)}
SIZES = (1 << 10, 1 << 18, 1 << 22, 1 << 26)
BUILD = {"tool": "0.0.0", "revision": "imaginary", "dirty": False, "build_type": "Release", "compiler": "none", "flags": ""}
PROCESSES = 10


def cases(gpu):
    """Case, axes, quantity, bytes, nanoseconds: a roofline model with the slopes of cache and memory."""
    memory, cache, cache_bytes, launch, least, *_ = GPUS[gpu]
    yield "launch/kernel", {"stream": "default"}, "host.launch_ns", None, launch
    yield "sync/kernel", {"stream": "default"}, "e2e.sync_ns", None, launch + 2 * least
    yield "graph/kernel", {}, "graph.node_ns", None, least * 0.6
    for elements in SIZES:
        for case, axes, width, share in (("device/copy", {}, 8, 1), ("device/unscale", {"dtype": "f16", "tensors": 1}, 4, 0.93)):
            size = width * elements
            rate = share * (cache if size < cache_bytes else memory)
            yield case, {**axes, "N": elements, "l2": "hot"}, "device.exec_ns", size, least + size / rate


def measurement(case, axes, quantity, size, ns, *, gpu, draw):
    *_, call_ns, clock_mhz = GPUS[gpu]
    medians = [ns * draw.lognormvariate(0, 0.004) for _ in range(PROCESSES)]
    center = sorted(medians)[PROCESSES // 2]
    return {"case": case, "axes": axes, "quantity": quantity, "unit": "ns", "bytes": size, "better": "lower", "exact": False,
            "subject": "cuda", "checked": True, "status": "measured", "reason": None, "center": center,
            "interval": {"low": min(medians), "high": max(medians), "confidence": 0.95},
            "null_calls": {"center": center / call_ns, "interval": None},
            "processes": [{"index": index, "order": index, "median": median, "samples": [median], "iterations": 100,
                           "checksum_ok": True, "load": 0.1, "null_call_ns": call_ns, "sm_clock_mhz": clock_mhz} for index, median in enumerate(medians)]}


def record(gpu, seed=1):
    draw = random.Random(f"{gpu} {seed}")
    none = dict.fromkeys(("timer_cost_ns", "timer_resolution_ns", "empty_loop_ns", "null_call_ns"))
    return {"schema": "assay.bench/1", "synthetic": True,
            "meta": {**BUILD, "argv": ["imaginary_gpus.py"], "started": "2026-11-24T11:00:00Z", "seconds": 1, "seed": seed, "quick": False,
                     "complete": True, "interrupted": False, "processes": PROCESSES, "min_time_ns": 1000, "samples": 1, "exit": 0,
                     "line": "PASS, imaginary"},
            "environment": {"machine": "an imaginary machine", "cpu": "none", "cores": 1, "kernel": "none", "virtual": "none",
                            "governor": None, "smt": None, "aslr": None, "load_start": None, "load_end": None, "driver": "0",
                            "devices": [{"name": gpu}]},
            "calibration": none,
            "subjects": [{"id": "cuda", "subject": "cuda", "name": "imaginary", "version": "0", "contract": "2.11/cuda/strict",
                          "via": "c++", "copy_of": None, "build": None}],
            "measurements": [measurement(*case, gpu=gpu, draw=draw) for case in cases(gpu)], "noise_floor": None, "warnings": []}


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for gpu in GPUS:
        (folder / f"{gpu.lower().replace(' ', '_')}.json").write_text(json.dumps(record(gpu), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
