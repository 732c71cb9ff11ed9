#!/usr/bin/env python3
"""Tests that no text of a case, a subject or a recording becomes code. Usage: no_code_from_data_test.py <folder of the programs>."""

import json
import os
import sys
import types

import driver

# Text that would be code if it were not quoted; `planted` is called if it ever runs.
TEXTS = ('"""\nplanted()\n"""', '"""+planted()+"""', "'''\nplanted()\n'''", '"+planted()+"', "\\", '\\"\nplanted()\n#', "\\N", "\\N{x", "\\x", "\\u12", "\\U",
         "\r\nplanted()", "\0", "\x1b[2J\x7f", "\x85\u2028\u202e\nplanted()", "\udc80", "\U0010ffff", "{planted()}", "%(planted())s", "##[error]\n::error::planted()",
         "); planted(", "](planted())[", "(, ", ", )", "None; planted()", "\t", "#", "\f\nplanted()")
# Names and references that are not names of the protocol.
NAMES = ("$0] if 0 else __import__('os').system('planted')", "x; planted()", "x\nplanted()", "x=planted()", "x)", "x y", "$", "", "x\0", "é", "x" * 200)
# Names that the protocol allows, and Python or the script uses otherwise.
TAKEN = ("None", "def", "sys", "torch", "print", "differences", "check", "import", "lambda", "True", "__import__", "$0", "$x", "$0.a", "x.y", "x#1", "x-1", "1", "args", "global", "eval", "exec", "open",
         "getattr", "__builtins__")
# Paths that Python would follow from `torch.ops` to something else than an operator.
NO_OPERATORS = ("load_library::__func__.__builtins__.get", "load_library::__call__", "load_library::x", "import_module::x", "__dir__::__class__.__call__", "aten::mm.__class__",
                "aten::mm.op.__globals__", "aten::mm.a.b", "aten.mm::a", "aten::lambda", "aten::", "::mm", "aten::mm.")
SUBJECT = '''
import json, os, sys
for line in sys.stdin:
    command = json.loads(line)
    reply = {"ok": {"uncleaned": []}}
    if command["do"] == "hello":
        reply = {"ok": {"protocol": 1, "name": os.environ["NAME"], "version": os.environ["VERSION"], "devices": [{"device": "cpu"}], "areas": ["core", "dispatch", "optim", "module", "autocast"],
                        "threads": False, "release": "2.11", "device_rules": "cpu", "deviations": "compat"}}
    elif command["do"] != "reset":
        reply = json.loads(os.environ["REPLY"])
    print(json.dumps({"id": command["id"], **reply}), flush=True)
'''


class Anything:
    """Takes the place of PyTorch."""

    def __call__(self, *args, **named):
        return Anything()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __getitem__(self, key):
        if isinstance(key, int) and key > 9:
            raise IndexError(key)
        return Anything()

    def __enter__(self):
        return self

    def __exit__(self, *end):
        return True

    def __setattr__(self, name, value):
        pass


class NoCodeFromData(driver.ProgramTest):
    def script(self, command, reply, name="mine", version="1", expected=None):
        """The script of a case with this command, as the subject replied, or nothing if it was refused."""
        own = self.folder / "own"
        own.mkdir(exist_ok=True)
        program = {"case": "core/mine/planted", "exchanges": [[{"id": 1, **command}, {"id": 1, **(expected or reply)}]]}
        (own / "mine.jsonl").write_text('{"transcript": 1}\n' + json.dumps(program) + "\n", encoding="utf-8")
        subject = self.write("subject.py", SUBJECT)
        surroundings = os.environ | {"NAME": name.replace("\0", "?").encode("utf-8", "replace").decode(), "VERSION": version.replace("\0", "?").encode("utf-8", "replace").decode(),
                                     "REPLY": json.dumps(reply)}
        done = driver.run("replay", "core/mine/planted", "--cases", str(own), "--as", "python", "--expect", "subject",
                          "--subject", f"{sys.executable} {subject}", env=surroundings)
        self.assertIn(done.returncode, (0, 2), done.stdout + done.stderr)
        return done.stdout if done.returncode == 0 else None

    def harmless(self, script):
        """It parses, and does not run what is planted, whatever else it does."""
        ran = []
        code = compile(script, "script", "exec")
        fake = types.ModuleType("torch")
        fake.__getattr__ = lambda name: Anything()
        kept = sys.modules.get("torch")
        sys.modules["torch"] = fake
        system, os.system = os.system, lambda text: ran.append(text)
        output, sys.stdout = sys.stdout, open(os.devnull, "w", encoding="utf-8")
        try:
            exec(code, {"planted": lambda: ran.append("planted"), "__name__": "script"})
        except (SystemExit, Exception):  # PyTorch is not there, so a script may fail
            pass
        finally:
            sys.stdout.close()
            sys.stdout, os.system = output, system
            sys.modules.pop("torch")
            if kept is not None:
                sys.modules["torch"] = kept
        self.assertEqual(ran, [], script)

    def both(self, command, reply, **more):
        script = self.script(command, reply, **more)
        if script is not None:
            self.harmless(script)
        return script

    def test_the_name_and_version_of_a_subject_stay_text(self):
        command, reply = {"do": "core.promote_types", "with": {"a": {"dtype": "float32"}, "b": {"dtype": "float16"}}}, {"ok": {"result": {"dtype": "float32"}}}
        for text in TEXTS:
            with self.subTest(text=text):
                self.assertIsNotNone(self.both(command, reply, name=text))
                self.assertIsNotNone(self.both(command, reply, version=text))

    def test_texts_of_commands_and_replies_stay_text(self):
        for text in TEXTS:
            with self.subTest(text=text):
                made = self.both({"do": "core.device", "with": {"text": text}}, {"ok": {"type": "cpu", "index": 0, "text": text}})
                self.assertEqual(made is None, text == "\udc80", "half a surrogate pair is no text of JSON")
                self.both({"do": "core.op", "with": {"name": text, "args": []}}, {"ok": {"result": text}})
                self.both({"do": "dispatch.call", "with": {"op": "aten::" + text, "args": []}}, {"ok": {"result": 1, "ran": []}})
                self.both({"do": "dispatch.call", "with": {"op": text + "::mm", "args": [], "kwargs": {"dict": [[text, 1]]}}}, {"ok": {"result": 1, "ran": []}})
                self.both({"do": "optim.get", "with": {"optimizer": {"ref": "o"}, "name": text}}, {"ok": {"present": True, "result": 1}})
                self.both({"do": "raise", "with": {"kind": "value", "message": text}}, {"error": {"kind": "value", "message": text}})
                self.both({"do": "on", "with": {"thread": text}, "body": [{"do": "core.device", "with": {"text": text}}]},
                          {"ok": {}, "replies": [{"ok": {"type": text, "index": 0, "text": text}}]})

    def test_only_the_name_of_an_operator_is_one(self):
        for name in NO_OPERATORS:
            with self.subTest(name=name):
                self.assertIsNone(self.script({"do": "dispatch.call", "with": {"op": name, "args": ["planted"]}}, {"ok": {"result": 1, "ran": []}}))
        for name in ("aten::mm", "aten::softmax.int", "aten::_amp_update_scale_", "mine::sum.input"):
            script = self.script({"do": "dispatch.call", "with": {"op": name, "args": [1]}}, {"ok": {"result": 1, "ran": []}})
            self.assertIn("torch.ops." + name.replace("::", ".") + "(1)", script)

    def test_a_reference_calls_no_function_of_python(self):
        for name in ("eval", "exec", "__import__", "compile", "getattr", "breakpoint"):
            script = self.script({"do": "autocast.call", "with": {"function": {"ref": name}, "args": ["planted"]}}, {"ok": {"result": 1}})
            self.assertNotRegex(script, rf"\b{name}\(")

    def test_names_are_refused_or_stay_names(self):
        for name in NAMES + TAKEN:
            with self.subTest(name=name):
                for command in ({"do": "core.detach", "with": {"tensor": {"ref": name}}}, {"do": "core.detach", "with": {"tensor": {"ref": "x"}}, "as": name},
                                {"do": "callback", "as": name, "body": [{"do": "core.detach", "with": {"tensor": {"ref": "$0"}}}]}):
                    script = self.both(command, {"ok": {"result": {"ref": name if "as" in command else "x"}}})
                    if name in NAMES:
                        self.assertIsNone(script)

    def test_a_reference_in_a_reply_is_no_code(self):
        command = {"do": "core.detach", "with": {"tensor": {"ref": "x"}}}
        for name in NAMES:
            with self.subTest(name=name):
                self.both(command, {"ok": {"result": {"ref": name}}}, expected={"ok": {"result": {"ref": "x"}}})

    def test_no_path_of_a_module_reaches_more_than_what_it_holds(self):
        for path in ("forward.__globals__", "__class__", "__init__.__globals__.sys", "a.b"):
            script = self.both({"do": "module.parameter", "with": {"module": {"ref": "m"}, "path": path}, "as": "x"}, {"ok": {"result": {"ref": "x"}}})
            names = {}
            exec(script.partition("def held_in")[1] + script.partition("def held_in")[2].split("\n\n")[0], names)
            module = types.SimpleNamespace(_parameters={"w": 1}, _buffers={"b": 2}, _modules={})
            module._modules["child"] = types.SimpleNamespace(_parameters={"w": 3}, _buffers={}, _modules={}, forward=self.both)
            self.assertEqual([names["held_in"](module, held) for held in ("w", "b", "child.w")], [1, 2, 3])
            with self.assertRaises((AttributeError, KeyError)):
                names["held_in"](module, path)
            with self.assertRaises((AttributeError, KeyError)):
                names["held_in"](module, "child." + path)

    def test_the_planted_text_would_be_seen(self):
        with self.assertRaises(AssertionError):
            self.harmless("planted()")
        with self.assertRaises(AssertionError):
            self.harmless("import os\nos.system('planted')")


if __name__ == "__main__":
    driver.main()
