"""Tests a device provided by a module, as far as PyTorch and the module support what a case needs."""

import os
import subprocess
import sys
import unittest
import unittest.mock

sys.dont_write_bytecode = True
from talk import ADAPTER, Talk, dicts, matrix, python_or_skip, ref


def takes_names():
    asked = "from torch.utils.backend_registration import _setup_privateuseone_for_python_backend"
    return subprocess.run([PYTHON, "-c", asked], capture_output=True).returncode == 0


class Backend(unittest.TestCase):
    """An imported backend's device with minimal features."""

    @classmethod
    def setUpClass(cls):
        cls.is_named = takes_names()
        cls.name = "pretended" if cls.is_named else "privateuseone"  # an older PyTorch takes no name
        cls.talk = Talk(PYTHON, "--device", cls.name + ":0", "--import", "pretended_backend")
        cls.addClassCleanup(cls.talk.end)

    def setUp(self):
        self.assertEqual(self.talk.ok("reset"), {"uncleaned": []})

    def unsupported(self, do, name=None, **given):
        return self.talk.reply(do, name, **given)["unsupported"]

    def test_it_is_held_to_the_rules_that_it_computes_by_and_excused_from_what_is_of_cuda_alone(self):
        hello = self.talk.ok("hello")

        self.assertEqual(hello["device_rules"], "cpu")
        self.assertEqual(hello["devices"], [{"device": self.name + ":0"}, {"device": "cpu"}])
        self.assertNotIn("runtime", hello["areas"])
        self.assertNotIn("sim", hello["areas"])
        for verb in ("runtime.backend", "runtime.kernel", "memory.allocate", "memory.segments"):
            self.assertIn(verb, hello["without"])

    def test_what_this_pytorch_offers_every_device_is_asked_and_what_a_release_has_not_yet_is_excused(self):
        without = self.talk.ok("hello")["without"]
        offered = dict(line.split() for line in subprocess.run([PYTHON, "-c", WHAT_IS_OFFERED], capture_output=True, text=True).stdout.splitlines())
        self.assertEqual({verb: verb in without for verb in offered}, {verb: there == "False" for verb, there in offered.items()})

    def test_the_part_of_the_backend_that_is_missing_is_named_without_the_command(self):
        if not self.is_named:
            self.skipTest("this PyTorch has no torch.accelerator")
        for verb in ("memory.stats", "memory.reset_peak", "memory.reset_accumulated", "memory.empty_cache"):
            self.assertEqual(self.unsupported(verb), "the allocator of pretended is no c10::DeviceAllocator: it keeps no statistics and empties no cache")
        stream = self.talk.ok("runtime.new_stream", "s", device={"device": "pretended:0"})
        self.assertEqual(stream["device"], {"device": "pretended:0"})
        self.assertEqual(self.unsupported("runtime.handle", stream=ref("s")), "the device guard of pretended does not offer getting stream native handle")
        if "graph.new" not in self.talk.ok("hello")["without"]:
            self.assertIn("registers no graph of pretended (REGISTER_GRAPH_IMPL)", self.unsupported("graph.new", "g"))

    def test_its_streams_and_memory_go_by_rules_of_cuda_where_these_are_wished_for(self):
        release = self.talk.ok("hello")["release"]

        hello = self.talk.ok("hello", release=release, device_rules="cuda", deviations="compat")
        self.assertEqual((hello["device_rules"], hello["areas"]), ("cuda", ["runtime", "memory", "graph"]))
        hello = self.talk.ok("hello", release=release, device_rules="cuda", deviations="strict")
        self.assertEqual(hello["device_rules"], "cpu")

    def test_tensors_are_on_it_and_a_kernel_that_is_missing_is_named(self):
        self.talk.ok("core.tensor", "x", value=matrix())

        self.assertEqual(self.talk.ok("core.info", tensor=ref("x"))["device"], {"device": self.name + ":0"})
        self.assertEqual(self.unsupported("core.fill_", tensor=ref("x"), value=3),
                         "the backend has no kernel of aten::fill_.Scalar")

    def test_sparse_tensors_are_missing_where_the_backend_makes_none(self):
        sparse = {"sparse": {"shape": [2], "indices": {"dtype": "int64", "shape": [1, 1], "bits": "0000000000000001"},
                             "values": {"dtype": "float32", "shape": [1], "bits": "3f800000"}, "coalesced": False}}
        self.assertIn("no kernel of aten::_sparse_coo_tensor" if self.is_named else "no device guard", self.unsupported("core.tensor", "s", value=sparse))

    def test_its_kernels_compute(self):
        self.talk.ok("core.tensor", "x", value=matrix())

        self.talk.ok("core.add_", "y", tensor=ref("x"), other=ref("x"))
        self.talk.ok("core.to", "z", tensor=ref("y"), dtype={"dtype": "float16"})

        read = self.talk.ok("core.read", tensor=ref("z"))["result"]["tensor"]
        self.assertEqual((read["device"], read["bits"]), (self.name + ":0", "4000 4000 4000 4000"))

    def test_what_autocast_casts_elsewhere_and_the_backend_has_no_rule_for_is_not_offered(self):
        self.talk.ok("core.tensor", "x", value=matrix())
        result = self.talk.ok("dispatch.call", op="aten::mm", args=[ref("x"), ref("x")])["result"]
        self.assertEqual(result["tensor"]["dtype"], "float32")

        self.talk.ok("autocast.set_enabled", device=self.name, value=True)

        self.assertIn("the backend has no autocast rule of aten::mm", self.unsupported("dispatch.call", op="aten::mm",
                                                                                    args=[ref("x"), ref("x")]))

    def test_a_cast_is_seen_by_an_operator_with_a_rule_alone(self):
        reason = self.unsupported("autocast.cached_cast", value=matrix(), to={"dtype": "float16"}, device=self.name)
        if self.is_named:
            self.assertIn("no autocast rule of aten::mm for pretended", reason)

    def test_a_region_without_what_autocast_asks_of_the_module_is_not_offered(self):
        if self.is_named:
            self.assertIn("get_amp_supported_dtype", self.unsupported("autocast.construct", "region", device=self.name))

    def test_the_name_that_its_devices_had_before_is_not_offered(self):
        for do, asked in (("core.device", {"text": "privateuseone:1"}), ("autocast.construct", {"device": "privateuseone"})):
            reply = self.talk.reply(do, **asked)
            self.assertEqual("privateuseone has another name here" in reply.get("unsupported", ""), self.is_named, reply)

    def test_what_the_allocator_does_not_do_is_not_offered(self):
        self.assertIn("empties no cache" if self.is_named else "has no torch.accelerator.empty_cache", self.unsupported("memory.empty_cache"))

    def test_devices_and_streams_are_those_of_every_device(self):
        self.assertIn("of CUDA alone", self.unsupported("memory.allocate", size=1))
        self.assertEqual(self.talk.ok("core.current_device")["result"], {"device": self.name + ":0"})
        current = self.talk.ok("runtime.current_stream")
        self.assertEqual((current["device"], current["id"]), ({"device": self.name + ":0"}, 0))

    def test_a_backward_shows_what_ran_on_the_device_s_own_thread(self):
        if not self.is_named:
            self.skipTest("this PyTorch runs no backward on a device without streams")
        self.talk.ok("core.tensor", "x", value=matrix(), requires_grad=True)
        self.talk.ok("dispatch.call", "y", op="aten::mm", args=[ref("x"), ref("x")])
        self.talk.ok("dispatch.trace", "trace")

        self.talk.ok("autograd.backward", tensor=ref("y"), gradient=matrix())

        ran = [entry["op"] for entry in dicts(self.talk.ok("dispatch.traced", trace=ref("trace"))["result"])]
        self.assertEqual(ran.count("aten::mm"), 2)
        self.assertNotIn("aten::empty.memory_format", ran)  # of the gradient, which the adapter has made


# Commands, and whether this PyTorch has what they ask.
WHAT_IS_OFFERED = """
import torch
accelerator = getattr(torch, "accelerator", None)
for verb, owner, name in (("graph.new", accelerator, "Graph"), ("runtime.capture_begin", accelerator, "Graph"),
                          ("graph.is_capturing", getattr(torch, "Stream", None), "is_capturing"),
                          ("runtime.handle", getattr(torch, "Stream", None), "native_handle"),
                          ("memory.stats", accelerator, "memory_stats"), ("memory.reset_peak", accelerator, "reset_peak_memory_stats"),
                          ("memory.record_tensor_stream", torch.Tensor, "record_stream"),
                          ("runtime.priority", getattr(torch, "Stream", None), "priority")):
    print(verb, hasattr(owner, name))
"""


class TakenName(unittest.TestCase):
    """A backend may take the name of a device type of PyTorch's own."""

    def test_the_type_that_had_the_name_is_not_offered(self):
        if not takes_names():
            self.skipTest("this PyTorch takes no name")
        with unittest.mock.patch.dict(os.environ, {"PRETENDED_BACKEND": "fpga"}):
            talk = Talk(PYTHON, "--device", "fpga:0", "--import", "pretended_backend")
        self.addCleanup(talk.end)
        reply = talk.reply("dispatch.tensor", "t", device="fpga")

        self.assertIn("the backend has taken fpga", reply["unsupported"])
        self.assertIn("ok", talk.reply("dispatch.tensor", "u", device="vulkan"))


# The first of two devices is current.
OF_TWO_DEVICES = """
from types import SimpleNamespace
from areas import accelerator_streams as accelerator
from devices import backend
accelerator.kind_of = lambda subject: "npu"
backend.current = lambda kind: "npu:0"
backend.offered = lambda kind, *names: lambda stream: print("set", stream.device)
for device in ("npu:0", "npu:1"):
    try:
        accelerator.set_current(None, {"stream": SimpleNamespace(device=device)})
    except accelerator.Unsupported as reason:
        print(device, reason)
"""


class SetStream(unittest.TestCase):
    def test_a_stream_of_another_device_is_left_out_since_python_would_switch_the_device(self):
        done = subprocess.run([PYTHON, "-B", "-c", OF_TWO_DEVICES], cwd=ADAPTER, capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), ["set npu:0", "npu:1 Python's set_stream switches the device as well"], done.stderr)


# A backend that registers no hooks and takes PyTorch's guard for devices without streams, events and indices.
OF_A_BARE_GUARD = """
import torch
from types import SimpleNamespace
from areas import accelerator_streams as accelerator
from devices import backend
from waist.wire import Unsupported

for problem in (RuntimeError("Please register PrivateUse1HooksInterface by `RegisterPrivateUse1HooksInterface` first."),
                RuntimeError("npu backend doesn't support events."),
                RuntimeError("Backend doesn't support create a new Stream."),
                NotImplementedError("You should register `PrivateUse1HooksInterface`by `RegisterPrivateUse1HooksInterface`"),
                NotImplementedError("You should register `PrivateUse1HooksInterface`by `RegisterPrivateUse1HooksInterface` and "
                                    "implement `getPinnedMemoryAllocator` at the same time for PrivateUse1."),
                RuntimeError("CUDA error: CUDA driver version is insufficient for CUDA runtime version"),
                NotImplementedError("Could not run 'aten::_copy_from_and_resize' with arguments from the 'CPU' backend."),
                NotImplementedError("Could not run 'aten::copy_' with arguments from the 'AutocastPrivateUse1' backend."),
                NotImplementedError("Could not run 'aten::coalesce' with arguments from the 'SparsePrivateUse1' backend."),
                NotImplementedError("Could not run 'aten::mm' with arguments from the 'SparseCPU' backend.")):
    print(backend.what_it_lacks(problem, "npu"))

def answer(generic, own):
    def offered(kind, name):
        value = generic if name.startswith(".") else own
        if value is None:
            raise Unsupported(f"no {name}")
        return lambda: value
    backend.offered = offered
    try:
        print(backend.current("cuda"))
    except Unsupported as reason:
        print(reason)

answer(generic=-1, own=0)
answer(generic=-1, own=None)
answer(generic=1, own=0)
try:
    accelerator.described(SimpleNamespace(device=torch.device("cuda")))
except Unsupported as reason:
    print(reason)

as_they_are = backend.nan_as_half
backend.nan_as_half = lambda device: 0x7FFF
print(backend.computes_like_cuda(torch.device("cpu")))
backend.nan_as_half = as_they_are

def without_kernel(*arguments, **named):
    raise NotImplementedError("Could not run 'aten::empty_strided' with arguments from the 'xpu' backend.")

torch.tensor = without_kernel
print(backend.computes_like_cuda(torch.device("xpu")))
"""


class BareGuard(unittest.TestCase):
    def test_what_it_lacks_is_not_offered(self):
        done = subprocess.run([PYTHON, "-B", "-c", OF_A_BARE_GUARD], cwd=ADAPTER, capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), [
            "the backend registers no PrivateUse1HooksInterface",
            "the device guard of npu has no events",
            "the device guard of npu does not offer create a new Stream",
            "the backend registers no PrivateUse1HooksInterface",
            "the backend registers no PrivateUse1HooksInterface with getPinnedMemoryAllocator",
            "this PyTorch asks CUDA for it, whatever npu is",
            "the backend has no kernel of aten::_copy_from_and_resize",
            "the backend registers no fallthrough for autocast, which aten::copy_ needs",
            "the backend has no kernel of aten::coalesce",
            "None",
            "cuda:0",
            "cuda does not say which device is current",
            "cuda:1",
            "the device guard of cuda has no streams",
            "False",
            "False",
        ], done.stderr)


# A backend whose autocast has one of the two half types.
OF_ONE_TYPE = """
import torch, pretended_backend
from areas import autocast
from waist.arguments import Arguments

torch.pretended.get_amp_supported_dtype = lambda: [torch.float16]
for options in ({"dtype": torch.float16}, {"dtype": torch.bfloat16}, {"dtype": torch.bfloat16, "enabled": False},
                {"dtype": torch.float64}):
    try:
        region = autocast.construct(None, Arguments({"device": "pretended", **options}, lambda value: value))["result"]
        print(region.fast_dtype, region._enabled)
    except autocast.Unsupported as reason:
        print(reason)
"""


class Autocast(unittest.TestCase):
    def test_a_type_that_the_module_does_not_name_is_not_offered(self):
        if not takes_names():
            self.skipTest("this PyTorch takes no name")
        with_tests = {**os.environ, "PYTHONPATH": os.path.join(ADAPTER, "tests")}
        done = subprocess.run([PYTHON, "-B", "-c", OF_ONE_TYPE], cwd=ADAPTER, capture_output=True, text=True, env=with_tests)
        self.assertEqual(done.stdout.splitlines(), [
            "torch.float16 True",
            "the module of pretended has no torch.bfloat16 in get_amp_supported_dtype",
            "torch.bfloat16 False",
            "torch.float64 False",
        ], done.stderr)


if __name__ == "__main__":
    PYTHON = python_or_skip()
    unittest.main()
