"""The adapter answers as the waist says, with whatever PyTorch a Python here has."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PLACES = (os.environ.get("ASSAY_PYTHON"), "python3", "/usr/bin/python3")


def python_with_torch():
    """The first interpreter that can import PyTorch, or None."""
    for python in filter(None, PLACES):
        try:
            if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0:
                return python
        except OSError:
            continue
    return None


class Talk:
    """A session with the adapter."""

    def __init__(self, python, *options):
        path = {**os.environ, "PYTHONPATH": str(HERE)}  # where the pretended backend is
        self.process = subprocess.Popen([python, "-B", HERE, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=path)
        self.last = 0

    def reply(self, do, name=None, members=None, **given):
        self.last += 1
        command = {"id": self.last, "do": do, **(members or {})}
        command.update({"with": given} if given else {}, **({"as": name} if name else {}))
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def ok(self, do, name=None, members=None, **given):
        answer = self.reply(do, name, members, **given)
        if "unsupported" in answer:
            raise unittest.SkipTest(answer["unsupported"])
        assert "ok" in answer, answer
        return answer["ok"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def matrix(dtype="float32", bits="3f800000"):
    return {"tensor": {"dtype": dtype, "shape": [2, 2], "bits": " ".join([bits] * 4)}}


def ref(name):
    return {"ref": name}


def dicts(entries):
    return [dict(entry["dict"]) for entry in entries]


class Adapter(unittest.TestCase):
    def setUp(self):
        self.talk = TALK
        self.assertEqual(self.talk.ok("reset"), {"uncleaned": []})

    def operator(self):
        self.talk.ok("dispatch.def", "def", schema="adapter::f(Tensor x, int n=3) -> Tensor")
        self.talk.ok("dispatch.kernel", "kernel", behaviour="return")
        self.talk.ok("dispatch.impl", "impl", op="adapter::f", kernel=ref("kernel"), key="CPU")


class Keys(Adapter):
    def test_sets_keep_the_backends_of_what_is_taken_away(self):
        left = self.talk.ok("dispatch.set", a=["CPU", "CUDA", "AutogradCPU"], operation="minus", b=["CUDA"])
        self.assertEqual(left["keys"], ["AutogradCPU", "AutogradCUDA"])

    def test_bits_and_names_are_one_set(self):
        bits = self.talk.ok("dispatch.set", a=["CPU", "AutogradCUDA"])["set"]
        self.assertEqual(self.talk.ok("dispatch.set", a=bits)["keys"], ["CPU", "CUDA", "AutogradCPU", "AutogradCUDA"])

    def test_devices_that_are_not_there_can_be_probed(self):
        self.talk.ok("dispatch.tensor", "probe", device="cuda")
        bits = self.talk.ok("dispatch.tensor_keys", of=ref("probe"))["result"]
        names = self.talk.ok("dispatch.set", a=bits)["keys"]
        self.assertEqual(names, ["CUDA", "ADInplaceOrView", "AutogradCUDA", "AutocastCUDA"])


class Operators(Adapter):
    def test_a_kernel_runs_and_is_written_down_with_its_defaults(self):
        self.operator()

        called = self.talk.ok("dispatch.call", op="adapter::f", args=[matrix(), 3])

        (entry,) = dicts(called["ran"])
        self.assertEqual((entry["kernel"], entry["key"], entry["arguments"]), ("kernel", "CPU", [{"dtype": "float32"}, 3]))

    def test_dropping_a_registration_deregisters(self):
        self.operator()

        self.talk.ok("drop", object=ref("impl"))

        self.assertEqual(self.talk.reply("dispatch.call", op="adapter::f", args=[matrix(), 3])["error"]["kind"],
                         "not_implemented")
        self.talk.ok("drop", object=ref("def"))
        self.assertFalse(self.talk.ok("dispatch.find", op="adapter::f")["result"])

    def test_a_reset_deregisters_everything(self):
        self.operator()

        self.talk.ok("reset")

        self.assertFalse(self.talk.ok("dispatch.find", op="adapter::f")["result"])


class Autocast(Adapter):
    def ran(self, op, *args):
        return [entry["arguments"] for entry in dicts(self.talk.ok("dispatch.call", op=op, args=list(args))["ran"])
                if entry["op"] == op]

    def test_composite_operators_show_what_reaches_them(self):
        self.talk.ok("autocast.set_enabled", device="cpu", value=True)
        for op, more in (("aten::mm", []), ("aten::linear", [None])):
            (arguments,) = self.ran(op, matrix(), matrix(), *more)
            self.assertEqual(arguments[:2], [{"dtype": "bfloat16"}] * 2, op)

    def test_rules_of_a_device_that_is_not_there(self):
        self.talk.ok("dispatch.tensor", "probe", device="cuda")
        self.talk.ok("autocast.set_enabled", device="cuda", value=True)

        self.assertEqual(self.ran("aten::mm", ref("probe"), ref("probe")), [[{"dtype": "float16"}] * 2])
        self.assertEqual(self.ran("aten::softmax.int", ref("probe"), 0, None),
                         [[{"dtype": "float32"}, 0, {"dtype": "float32"}]])

    def test_the_cache_gives_the_same_tensor(self):
        self.talk.ok("core.tensor", "w", value=matrix(), requires_grad=True)
        for name in ("first", "second"):
            self.talk.ok("autocast.cached_cast", name, to={"dtype": "bfloat16"}, value=ref("w"), device="cpu")

        self.assertTrue(self.talk.ok("same", a=ref("first"), b=ref("second"))["result"])
        self.assertEqual(self.talk.ok("autograd.node", tensor=ref("first")),
                         {"kind": "cast", "next": ["leaf"], "saved": []})

    def test_a_reset_turns_everything_off(self):
        self.talk.ok("autocast.construct", "region", device="cpu")
        self.talk.ok("autocast.enter", region=ref("region"))
        self.assertTrue(self.talk.ok("autocast.is_enabled", device="cpu")["result"])

        self.talk.ok("reset")

        self.assertFalse(self.talk.ok("autocast.is_enabled", device="cpu")["result"])
        self.assertEqual(self.talk.ok("autocast.nesting", by=1)["result"], 1)


class Backend(unittest.TestCase):
    """A device of a backend that is imported, and that has hardly anything."""

    @classmethod
    def setUpClass(cls):
        asked = "from torch.utils.backend_registration import _setup_privateuseone_for_python_backend"
        cls.is_named = subprocess.run([PYTHON, "-c", asked], capture_output=True).returncode == 0
        cls.name = "pretended" if cls.is_named else "privateuseone"  # an older PyTorch takes no name
        cls.talk = Talk(PYTHON, "--device", cls.name + ":0", "--import", "pretended_backend_test")
        cls.addClassCleanup(cls.talk.end)

    def setUp(self):
        self.assertEqual(self.talk.ok("reset"), {"uncleaned": []})

    def unsupported(self, do, name=None, **given):
        return self.talk.reply(do, name, **given)["unsupported"]

    def test_it_is_held_to_the_rules_that_it_computes_by_and_excused_from_what_is_of_cuda(self):
        hello = self.talk.ok("hello")

        self.assertEqual(hello["device_rules"], "cpu")
        self.assertEqual(hello["devices"], [{"device": self.name + ":0"}, {"device": "cpu"}])
        self.assertNotIn("runtime", hello["areas"])
        self.assertIn("sim", hello["without"])
        self.assertIn("graph.new", hello["without"])

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

    def test_a_region_without_what_autocast_asks_of_the_module_is_not_offered(self):
        if self.is_named:
            self.assertIn("get_amp_supported_dtype", self.unsupported("autocast.construct", "region", device=self.name))

    def test_the_name_that_its_devices_had_before_is_not_offered(self):
        reply = self.talk.reply("core.device", text="privateuseone:1")
        self.assertEqual("unsupported" in reply, self.is_named)

    def test_what_the_allocator_does_not_do_is_not_offered(self):
        self.assertIn("empties no cache" if self.is_named else "has no empty_cache", self.unsupported("memory.empty_cache"))

    def test_devices_and_streams_are_those_of_every_device(self):
        self.assertIn("for CUDA alone", self.unsupported("runtime.capture_begin", stream=ref("s")))
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


# A device of which there are two, and the first is current.
OF_TWO_DEVICES = """
from types import SimpleNamespace
import accelerator_area, backend
accelerator_area.kind_of = lambda subject: "npu"
backend.current = lambda kind: "npu:0"
backend.offered = lambda kind, *names: lambda stream: print("set", stream.device)
for device in ("npu:0", "npu:1"):
    try:
        accelerator_area.set_current(None, {"stream": SimpleNamespace(device=device)})
    except accelerator_area.Unsupported as reason:
        print(device, reason)
"""


class SetStream(unittest.TestCase):
    def test_a_stream_of_another_device_is_left_out_since_python_would_switch_the_device(self):
        done = subprocess.run([PYTHON, "-B", "-c", OF_TWO_DEVICES], cwd=HERE, capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), ["set npu:0", "npu:1 Python's set_stream switches the device as well"], done.stderr)


# A device that is not there: nothing of it is touched.
AFTER_STREAMS = """
import torch
from subject import TorchSubject, reset
subject = TorchSubject("cpu")
print(reset(subject, {}))
for verb in ("core.tensor", "memory.allocate", "graph.begin"):
    subject.handler_of(verb)
subject.device = torch.device("cuda")
print(reset(subject, {}))
"""


class Reset(unittest.TestCase):
    def test_a_real_device_whose_memory_or_graphs_were_used_takes_a_new_process(self):
        done = subprocess.run([PYTHON, "-B", "-c", AFTER_STREAMS], cwd=HERE, capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), ["{'uncleaned': []}", "{'uncleaned': ['graph', 'memory']}"], done.stderr)


class Start(unittest.TestCase):
    def refusal(self, *options):
        result = subprocess.run([PYTHON, "-B", HERE, *options], input="", capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        return result.stderr

    def test_a_module_that_cannot_be_imported_is_named(self):
        self.assertIn("cannot import nonesuch, which --import names", self.refusal("--import", "nonesuch"))

    def test_a_device_that_nobody_brought_asks_for_a_module(self):
        self.assertIn("--import names the module", self.refusal("--device", "nonesuch"))


del Adapter  # a base has no tests of its own

if __name__ == "__main__":
    PYTHON = python_with_torch()
    if PYTHON is None:
        print("skipped: neither ASSAY_PYTHON nor python3 nor /usr/bin/python3 can import torch")
        sys.exit(77)
    TALK = Talk(PYTHON)
    try:
        unittest.main()
    finally:
        TALK.end()
