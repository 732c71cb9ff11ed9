#!/usr/bin/env python3
"""Tests of areas.py: generated output, and errors in tables."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("areas.py")
VALUES = {"definitions": {name: {} for name in ("any", "bool", "int", "list", "none", "object", "ref", "string")}}


def ref(name):
    return {"$ref": f"values.json#/definitions/{name}"}


class Areas(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def write(self, table):
        values, area = self.folder / "values.json", self.folder / "toy.json"
        values.write_text(json.dumps(VALUES))
        area.write_text(table if isinstance(table, str) else json.dumps({"title": "Toys", "commands": table}))
        return subprocess.run([sys.executable, SCRIPT, self.folder / "out", area, values], capture_output=True, text=True)

    def command(self, said):
        done = self.write({"toy.spin": said})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((self.folder / "out/areas/values.json").read_text()), VALUES)
        return json.loads((self.folder / "out/areas/toy.json").read_text())["definitions"]["toy.spin"]

    def test_arguments_are_required_unless_they_may_be_absent(self):
        self.assertEqual(self.command({"with": {"top": "ref", "times?": "int|none"}})["with"], {
            "type": "object", "properties": {"top": ref("ref"), "times": {"anyOf": [ref("int"), ref("none")]}},
            "required": ["top"], "additionalProperties": False})

    def test_a_command_without_fields_takes_and_gives_none(self):
        none = {"type": "object", "properties": {}, "additionalProperties": False}
        self.assertEqual(self.command({}), {"touches": "objects", "with": none, "ok": none})

    def test_what_a_command_touches_and_minds_is_in_its_schema(self):
        command = self.command({"touches": "thread", "minds": "device"})

        self.assertEqual((command["touches"], command["minds"]), ("thread", "device"))

    def test_a_command_minds_several_things_and_some_with_an_argument_alone(self):
        command = self.command({"with": {"times?": "int"}, "minds": "device failure:times"})

        self.assertEqual(command["minds"], "device failure:times")

    def test_types_are_names_words_lists_and_schemas(self):
        given = {"a": "[string]", "b": "'left'|'right'", "c": {"type": "array", "minItems": 2},
                 "$more": {"dependencies": {"a": ["b"]}}}
        made = self.command({"with": given})["with"]
        self.assertEqual(made["properties"], {"a": {"type": "array", "items": ref("string")},
                                              "b": {"enum": ["left", "right"]}, "c": {"type": "array", "minItems": 2}})
        self.assertEqual(made["dependencies"], {"a": ["b"]})

    def test_results_are_compared_as_their_type_is_unless_said(self):
        fields = {"a": "int", "b": "any", "c": "[list]", "d": "object", "e": "object|none", "f": "string tokens", "g": "list set"}
        made = self.command({"ok": fields})["ok"]["properties"]
        self.assertEqual([made[name]["compare"] for name in fields],
                         ["exact", "nan_class", "nan_class", "opaque", "opaque", "tokens", "set"])

    def test_python_forms_are_gathered_a_line_a_command(self):
        form = "= {top}.spin([{*times}]){way|left=|right=.back()}"
        self.command({"with": {"top": "ref", "times?": "list", "way": "'left'|'right'"}, "python": form})
        self.assertEqual((self.folder / "out/forms.txt").read_text(), f"toy.spin {form}\n")
        self.command({"with": {"top": "ref"}})
        self.assertEqual((self.folder / "out/forms.txt").read_text(), "")

    def test_functions_of_a_class_answer_an_areas_commands(self):
        self.assertEqual(self.write({"toy.spin": {}, "toy.new": {}}).returncode, 0)
        self.assertEqual((self.folder / "out/answers/toy.inc").read_text(),
                         "void toy_spin(Call& call) { ToyCommands::spin(call); }\n"
                         "void toy_new(Call& call) { ToyCommands::new_(call); }\n")

    def test_draws_name_every_argument_that_is_required(self):
        given = {"top": "ref", "is_left": "bool", "times?": "int", "way?": "string"}
        for draw, line in [(3, "3 top=top is_left=bool"),
                           ("1 cuda ->spun way=up|down", "1 cuda ->spun top=top is_left=bool way=up|down"),
                           ("2 is_left=true", "2 top=top is_left=true")]:
            self.command({"with": given, "draw": draw})
            self.assertEqual((self.folder / "out/draws.txt").read_text(), f"toy.spin {line}\n")
        self.command({"with": given})
        self.assertEqual((self.folder / "out/draws.txt").read_text(), "")

    def test_what_makes_no_sense_is_one_line_with_its_place(self):
        for said, place in [({"with": {"top": "tensr"}}, "toy.spin, with, top: there is no type 'tensr'"),
                            ({"ok": {"a": "int nearly"}}, "toy.spin, ok, a: 'nearly' is not a comparison"),
                            ({"with": {"a": "int exact"}}, "toy.spin, with, a: 'exact' is not a comparison"),
                            ({"ok": {"a": {"type": "string"}}}, "toy.spin, ok, a: \"compare\" is not one of"),
                            ({"with": {"top": "ref"}, "python": "= {tops}.spin()"}, "toy.spin, python: there is no argument 'tops'"),
                            ({"draw": "often"}, "toy.spin, draw: 'often' is not a weight"),
                            ({"draw": "1 top=left"}, "toy.spin, draw: there is no argument 'top'"),
                            ({"touches": "all"}, "toy.spin, touches: 'all' is none of objects, thread, process"),
                            ({"minds": "device weather"}, "toy.spin, minds: 'weather' is none of device, thread, failure"),
                            ({"minds": "failure:times"}, "toy.spin, minds: there is no argument 'times'"),
                            ({"give": {}}, "toy.spin: 'give' is not \"with\"")]:
            done = self.write({"toy.spin": said})
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"toy.json: {place}", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("toy.json: ", self.write("{").stderr)


if __name__ == "__main__":
    unittest.main()
