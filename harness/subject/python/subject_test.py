#!/usr/bin/env python3
"""Tests `assay.subject`: values, names, arguments, and whose error is whose."""

import contextlib
import io
import json
import math
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from assay.subject import Invalid, Subject, Tensor, Unsupported, float32, int32, library  # noqa: E402

# Each comes back as it went in.
VALUES = [None, True, 1, -(1 << 53), {"i": "9223372036854775807"}, {"f": "0x1.8000000000000p+1"}, {"f": "inf"}, {"f": "-inf"}, {"f": "nan"},
          {"f": "nan:7ff8000000000001"}, {"f": "-0x0.0p+0"}, {"c": ["0x1.0000000000000p+0", "nan"]}, "text", [1, ["a"]], {"tuple": [1, {"tuple": []}]},
          {"dict": [["a", 1], [2, {"dict": []}]]},
          *({"tensor": {"dtype": dtype, "shape": [2, 1], "device": "cpu", "bits": bits}} for dtype, bits in (
              ("float64", "3ff0000000000000 fff8000000000001"), ("float32", "3f800000 ffc00001"), ("float16", "7e01 0001"), ("bfloat16", "7fc1 8000"),
              ("int64", "ffffffffffffffff 0000000000000000"), ("int32", "80000000 00000001"), ("int16", "8000 0001"), ("int8", "80 01"), ("uint8", "ff 00"),
              ("bool", "00 01")))]


class Library:
    """What is tested: it counts, and fails where it should."""

    def __init__(self, start):
        self.count = start

    def add(self, number):
        if number < 0:
            raise IndexError("negative")
        self.count += number


def made():
    me = Subject("counter", "1", areas=["core"])

    @me.answers("counter.new")
    def new(start: int = 0):
        return {"result": Library(start)}

    @me.answers("counter.add")
    def add(counter: Library, number: int):
        with library():
            counter.add(number)
        return {"count": counter.count}

    @me.answers("counter.break")
    def break_(counter: Library):
        return {"count": counter.cuont}

    @me.answers("value", "other")
    def value(value):
        return {"result": value}

    @me.answers("typed")
    def typed(real: float, tensor: Tensor = None, **rest):
        return {"rest": sorted(rest)}

    @me.answers("lacks")
    def lacks():
        with library():
            raise Unsupported("not here")

    @me.answers("refuses")
    def refuses():
        with library():
            raise Invalid("no sense")
    return me


class SubjectTest(unittest.TestCase):
    def setUp(self):
        self.subject, self.number = made(), 0

    def ask(self, do, given=None, **more):
        self.number += 1
        command = {"id": self.number, "do": do, **({} if given is None else {"with": given}), **more}
        with contextlib.redirect_stderr(io.StringIO()):
            reply = self.subject.answer(json.dumps(command))
        self.assertEqual(reply.pop("id"), self.number)
        json.dumps(reply, allow_nan=False)
        return reply

    def test_it_says_what_it_is(self):
        said = self.ask("hello", {"release": "1.13"})["ok"]
        self.assertEqual((said["name"], said["areas"], said["device_rules"], said["release"]), ("counter", ["core"], "cpu", "2.15"))
        self.assertNotIn("without", said)
        other = Subject("x", "2", areas=["amp"], device="npu:0", without=["amp.plan"]).hello
        self.assertEqual((other["device_rules"], other["without"], other["devices"]), ("cuda", ["amp.plan"], [{"device": "npu:0"}]))

    def test_every_value_comes_back_as_it_went_in(self):
        for value in VALUES:
            self.assertEqual(self.ask("value", {"value": value}), {"ok": {"result": value}}, value)
        for value, same in (({"dtype": "float32"}, "float32"), ({"f": "0x1p+1"}, {"f": "0x1.0000000000000p+1"}), (1.5, {"f": "0x1.8000000000000p+0"})):
            self.assertEqual(self.ask("value", {"value": value}), {"ok": {"result": same}})

    def test_a_name_is_the_object_until_it_is_dropped(self):
        for name in ("a", "b"):
            self.assertEqual(self.ask("counter.new", {}, **{"as": name}), {"ok": {"result": {"ref": name}}})
        self.assertEqual(self.ask("counter.add", {"counter": {"ref": "b"}, "number": 2}), {"ok": {"count": 2}})
        self.assertEqual(self.ask("counter.add", {"counter": {"ref": "a"}, "number": 1}), {"ok": {"count": 1}})
        self.assertEqual(self.ask("value", {"value": [{"ref": "b"}]}), {"ok": {"result": [{"ref": "b"}]}})
        self.assertEqual(self.ask("same", {"a": {"ref": "a"}, "b": {"ref": "b"}}), {"ok": {"result": False}})
        self.assertEqual(self.ask("same", {"a": {"ref": "a"}, "b": {"ref": "a"}}), {"ok": {"result": True}})
        self.assertEqual(self.ask("counter.new", {}, **{"as": "a"}), {"invalid": "the name 'a' is taken"})
        self.assertEqual(self.ask("drop", {"object": {"ref": "a"}}), {"ok": {}})
        self.assertEqual(self.ask("counter.add", {"counter": {"ref": "a"}, "number": 1}), {"invalid": "nothing is named 'a'"})
        self.assertEqual(self.ask("reset"), {"ok": {"uncleaned": []}})
        self.assertEqual(self.ask("value", {"value": {"ref": "b"}}), {"invalid": "nothing is named 'b'"})
        self.assertEqual(self.ask("counter.new"), {"ok": {"result": {"opaque": "Library"}}})

    def test_a_reset_also_resets_the_library(self):
        resets = []
        self.subject.resets(lambda: resets.append(1))
        self.ask("reset")
        self.ask("reset")
        self.assertEqual(resets, [1, 1])

    def test_what_the_library_raises_is_its_error_and_what_the_adapter_raises_is_not(self):
        self.ask("counter.new", {}, **{"as": "a"})
        self.assertEqual(self.ask("counter.add", {"counter": {"ref": "a"}, "number": -1}), {"error": {"kind": "index", "message": "negative"}})
        self.assertRegex(self.ask("counter.break", {"counter": {"ref": "a"}})["invalid"], "AttributeError: .*cuont")
        self.assertEqual(self.ask("lacks"), {"unsupported": "not here"})
        self.assertEqual(self.ask("refuses"), {"invalid": "no sense"})
        self.assertEqual(self.ask("counter.add", {"counter": {"ref": "a"}, "number": 1}), {"ok": {"count": 1}})
        for problem, kind in ((RuntimeError("x"), "error"), (NotImplementedError("x"), "not_implemented"), (KeyError("x"), "key"), (MemoryError("x"), "out_of_memory"),
                              (OverflowError("x"), "value"), (Exception("x"), "error"), (AssertionError("x"), "assertion"), (TypeError("x"), "type")):
            def raises(problem=problem):
                with library():
                    raise problem
            self.subject.functions["raises"] = lambda: raises()
            self.assertEqual(self.ask("raises")["error"]["kind"], kind)

    def test_what_a_function_does_not_take_is_unsupported(self):
        for do, given, why in (("nothing", {}, "no command nothing"), ("counter.add", {"number": 1}, "counter.add without the argument 'counter'"),
                               ("counter.new", {"start": 1, "end": 2}, "counter.new with the argument 'end'"), ("counter.new", {"start": True}, "counter.new with bool as 'start'"),
                               ("counter.new", {"start": {"f": "0x1p+0"}}, "counter.new with float as 'start'"), ("typed", {"real": 1}, "typed with int as 'real'"),
                               ("typed", {"real": {"f": "nan"}, "tensor": [1]}, "typed with list as 'tensor'"), ("value", {"value": {"callable": "x"}}, "no value of the kind 'callable'"),
                               ("value", {"value": {"tensor": {"dtype": "float32", "shape": [1], "recipe": {}}}}, "only tensors whose bits are given")):
            self.assertEqual(self.ask(do, given), {"unsupported": why})
        self.assertEqual(self.ask("typed", {"real": {"f": "nan"}, "more": 1}), {"ok": {"rest": ["more"]}})
        self.assertEqual(self.ask("other", {"value": 3}), {"ok": {"result": 3}})

    def test_a_line_that_is_no_command_is_invalid(self):
        with contextlib.redirect_stderr(io.StringIO()):
            for line in ("", "[1", "[]", '"x"', "{}", '{"id":1}'):
                self.assertIn("invalid", self.subject.answer(line))

    def test_numbers_are_rounded_to_the_dtype(self):
        self.assertEqual(Tensor.of("float32", [0.1, 1e39, -1e39]).bits, [0x3DCCCCCD, 0x7F800000, 0xFF800000])
        self.assertEqual(Tensor.of("float16", [65519.9, 65520.0, -1e6, math.inf]).bits, [0x7BFF, 0x7C00, 0xFC00, 0x7C00])
        self.assertEqual(Tensor.of("bfloat16", [1.00390625, 1.01171875, 3.4e38, math.nan, -2.0]).bits, [0x3F80, 0x3F82, 0x7F80, 0x7FC0, 0xC000])
        self.assertEqual(Tensor.of("int32", [-1], []).shape, [])
        for dtype in ("float64", "float32", "float16", "bfloat16"):
            self.assertEqual(Tensor.of(dtype, [1.5, -0.25]).values, [1.5, -0.25])
        self.assertEqual(Tensor.of("bool", [True, False]).values, [True, False])
        self.assertEqual((float32(0.1), int32(1 << 31)), (0.10000000149011612, -(1 << 31)))

    def test_what_the_runtime_prints_is_no_reply(self):
        program = f"""import sys; sys.path.insert(0, {str(HERE)!r})
from assay.subject import Subject
me = Subject("loud", "1", areas=["core"])
@me.answers("value")
def value(value):
    print("hello"); import os; os.system("echo again")
    return {{"result": value}}
me.serve()"""
        done = subprocess.run([sys.executable, "-c", program], input='{"id":1,"do":"value","with":{"value":7}}\n', capture_output=True, text=True)
        self.assertEqual((done.stdout, done.returncode), ('{"id": 1, "ok": {"result": 7}}\n', 0), done.stderr)
        self.assertIn("hello", done.stderr)
        self.assertIn("again", done.stderr)


if __name__ == "__main__":
    unittest.main()
