"""Tests that the adapter follows the protocol, with any PyTorch found in a Python here."""

import subprocess
import sys
import unittest

sys.dont_write_bytecode = True
from talk import ADAPTER, Talk, dicts, matrix, python_or_skip, ref


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

    def test_a_reset_ends_that_warnings_of_once_in_a_process_come_again(self):
        self.talk.ok("module.new", "module")
        self.talk.ok("reset")
        self.operator()
        self.talk.ok("dispatch.impl", "second", op="adapter::f", kernel=ref("kernel"), key="CPU")
        again = self.talk.reply("dispatch.impl", "third", op="adapter::f", kernel=ref("kernel"), key="CPU")
        always = self.talk.ok("hello")["release"] == "1.13"
        self.assertEqual("warnings" in again, always, again)

    def test_a_reset_deregisters_everything(self):
        self.operator()

        self.talk.ok("reset")

        self.assertFalse(self.talk.ok("dispatch.find", op="adapter::f")["result"])


class Half(Adapter):
    def test_a_kernel_that_an_old_pytorch_lacks_for_the_type_is_not_offered(self):
        self.talk.ok("core.tensor", "x", value=matrix("float16", "3c00"))
        self.talk.ok("core.set_grad", tensor=ref("x"), grad=matrix("float16", "3c00"))

        reply = self.talk.reply("optim.clip_grad_norm_", params=[ref("x")], max_norm={"f": "0x1p-1"})

        is_old = self.talk.ok("hello")["version"].startswith("1.")
        self.assertIn("not implemented for 'Half'" if is_old else "ok", reply.get("unsupported", reply))


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


# A device that is not there: nothing of it is touched.
AFTER_STREAMS = """
import torch
from session import reset
from subject import TorchSubject
subject = TorchSubject("cpu")
print(reset(subject, {}))
for verb in ("core.tensor", "memory.allocate", "graph.begin"):
    subject.handler_of(verb)
subject.device = torch.device("cuda")
print(reset(subject, {}))
"""


class Reset(unittest.TestCase):
    def test_a_real_device_whose_memory_or_graphs_were_used_takes_a_new_process(self):
        done = subprocess.run([PYTHON, "-B", "-c", AFTER_STREAMS], cwd=ADAPTER, capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines(), ["{'uncleaned': []}", "{'uncleaned': ['graph', 'memory']}"], done.stderr)


class Start(unittest.TestCase):
    def refusal(self, *options):
        result = subprocess.run([PYTHON, "-B", ADAPTER, *options], input="", capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        return result.stderr

    def test_a_module_that_cannot_be_imported_is_named(self):
        self.assertIn("cannot import nonesuch, which --import names", self.refusal("--import", "nonesuch"))

    def test_the_class_of_a_scaler_is_named_and_used(self):
        self.assertIn("cannot import nonesuch, which --scaler names", self.refusal("--scaler", "nonesuch:GradScaler"))
        for words in ("torch.cuda.amp:Nonesuch", "torch.cuda.amp", "torch:float32"):
            self.assertIn("expected MODULE:CLASS", self.refusal("--scaler", words))
        fsdp = "torch.distributed.fsdp.sharded_grad_scaler"  # which old releases cannot import in every Python
        has_fsdp = subprocess.run([PYTHON, "-c", f"import {fsdp}"], capture_output=True).returncode == 0
        for module, name in [("torch.cuda.amp.grad_scaler", "GradScaler")] + [(fsdp, "ShardedGradScaler")] * has_fsdp:
            talk = Talk(PYTHON, "--scaler", f"{module}:{name}")
            self.assertRegex(talk.ok("hello")["version"], rf" with torch\..*\.{name}$")
            self.assertIn("unsupported", talk.reply("scaler.new", "old", api="torch.cuda.amp"))
            self.assertEqual(talk.ok("scaler.new", "s", init_scale={"f": "0x1p+3"}, enabled=False), {"result": ref("s")})
            self.assertEqual(talk.ok("scaler.is_enabled", scaler=ref("s")), {"result": False})
            talk.end()

    def test_a_device_that_nobody_brought_asks_for_a_module(self):
        self.assertIn("--import names the module", self.refusal("--device", "nonesuch"))


del Adapter  # a base has no tests of its own

if __name__ == "__main__":
    PYTHON = python_or_skip()
    TALK = Talk(PYTHON)
    try:
        unittest.main()
    finally:
        TALK.end()
