#!/usr/bin/env python3
"""Tests of clients.py: typed calls that follow from a table, and errors in tables."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).with_name("clients.py")


class Clients(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def write(self, said, table=None):
        path = self.folder / "toy.json"
        path.write_text(json.dumps(table or {"title": "Toys", "objects": {"top": "Top", "box": "Ref"},
                                             "commands": {"toy.spin": said}}))
        return subprocess.run([sys.executable, SCRIPT, self.folder / "out", path], capture_output=True, text=True)

    def made(self, said):
        done = self.write(said)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.folder / "out/toy.hpp").read_text(), (self.folder / "out/calls.cpp").read_text()

    def declared(self, said):
        return [line.strip() for line in self.made(said)[0].splitlines() if line.endswith(") const;")]

    def test_arguments_come_in_order_and_those_that_may_be_absent_last(self):
        self.assertEqual(self.declared({"with": {"fast?": "bool", "top": "ref", "times": "int"}, "ok": {"result": "[dict]"}}),
                         ["std::vector<Dict> spin(const Value& top, std::int64_t times, std::optional<bool> fast = {}) const;"])

    def test_fields_are_sent_in_the_order_of_the_table(self):
        code = self.made({"with": {"fast?": "bool", "times": "int"}})[1]
        self.assertIn('put(with, "fast", fast);\n  put(with, "times", times);\n  session().send("toy.spin"', code)

    def test_many_that_may_be_absent_are_a_struct(self):
        given = {"top": "ref", "a?": "int", "b?": "string", "namespace?": "ref|none"}
        self.assertEqual(self.declared({"with": given}), ["void spin(const Value& top, const SpinOptions& options = {}) const;"])
        header, code = self.made({"with": given, "client": "{*How}"})
        self.assertIn("struct How {\n  Value top = {};\n  std::optional<std::int64_t> a = {};\n", header)
        self.assertIn("  void spin(const How& options) const;\n", header)
        self.assertIn('put(with, "namespace", options.ns);', code)

    def test_an_object_has_functions_of_its_own(self):
        header, code = self.made({"with": {"by": "real", "top": "ref"}, "ok": {"result": "float"}, "client": "top.turn"})
        self.assertIn("class TopCalls : public NamedObject {\n public:\n  using NamedObject::NamedObject;\n  double turn(double by) const;",
                      header)
        self.assertIn('put(with, "top", Ref{this->name()});', code)

    def test_a_new_object_gets_a_name(self):
        header, code = self.made({"ok": {"result": "object"}, "client": "make ->top"})
        self.assertIn("class Top;", header)
        self.assertIn('Top ToyClientCalls::make() const {\n  Fields with;\n  return make_object<Top>("top", "toy.spin"', code)

    def test_a_reply_is_read_as_a_field_or_a_struct(self):
        given = {"ok": {"result": "int", "size?": "int|none", "words": "strings"}}
        self.assertEqual(self.declared(given | {"client": ">words"}), ["std::vector<std::string> spin() const;"])
        self.assertEqual(self.declared(given | {"client": ":Number"}), ["Number spin() const;"])
        header, code = self.made(given | {"client": "=Spun"})
        self.assertIn("  std::optional<std::int64_t> size = {};\n", header)
        self.assertIn('made.size = field_to<std::optional<std::int64_t>>(reply, "size");', code)
        header, code = self.made(given | {"client": "~Spun"})
        self.assertNotIn("struct Spun {", header)
        self.assertIn("return read_reply<Spun>(", code)

    def test_what_is_written_by_hand_is_left_out(self):
        self.assertEqual(self.declared({"client": "-"}), [])
        self.assertEqual(self.write({}, {"title": "Toys", "commands": {"toy.spin": {}}}).returncode, 0)
        self.assertFalse((self.folder / "out/toy.hpp").exists() and "spin" in (self.folder / "out/toy.hpp").read_text())

    def test_what_makes_no_sense_is_one_line_with_its_place(self):
        for said, place in [({"client": "->tpo"}, "there is no object 'tpo'"), ({"client": "tpo.spin"}, "there is no object 'tpo'"),
                            ({"ok": {"result": "object"}}, "it makes an object: name the object's kind with ->KIND"),
                            ({"ok": {"a": "int"}, "client": ">b"}, "the reply has no 'b': name its field with >FIELD, or return all fields with =STRUCT")]:
            done = self.write(said)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"{self.folder}/toy.json: toy.spin, client: {place}\n")


if __name__ == "__main__":
    unittest.main()
