#!/usr/bin/env python3
"""Tests of the mechanical mutants: which changes are made of a text, that they come again, and whom the compiler's errors name."""

import pathlib
import sys
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/cmake"))

import mutants
import mutations
import programs


def source(text):
    return mutants.Source("toy.cpp", textwrap.dedent(text))


def made(text):
    """{kind: what the function becomes}"""
    of = source(text)
    found = {}
    for each in mutations.mutations_of(of):
        changed = of.text[:each.start] + each.text + of.text[each.end:]
        found.setdefault(each.kind, []).append(" ".join(changed.split()))
    return found


class Kinds(unittest.TestCase):
    def becomes(self, text, kind, *wanted):
        self.assertEqual(sorted(made(text).get(kind, [])), sorted(wanted))

    def test_statements_are_deleted(self):
        self.becomes("void f() { first(); last(); }", "delete", "void f() { ; last(); }", "void f() { first(); ; }")

    def test_an_if_is_deleted_once_with_all_that_it_controls(self):
        self.becomes("void f() { if (a) g(); }", "delete", "void f() { ; }")

    def test_an_else_is_deleted_and_both_sides_too(self):
        self.becomes("void f() { if (a) g(); else h(); }", "delete", "void f() { if (a) ; else h(); }", "void f() { if (a) g(); else ; }")

    def test_conditions_are_negated(self):
        self.becomes("void f() { if (int a = 1; a == b) g(); }", "negate", "void f() { if (int a = 1; !(a == b)) g(); }")
        self.becomes("int f() { return a < b ? 1 : 2; }", "negate", "int f() { return !(a < b) ? 1 : 2; }")

    def test_operands_are_dropped_and_references_are_none(self):
        self.becomes("bool f() { return a(1, 2) && b; }", "operand", "bool f() { return b; }", "bool f() { return a(1, 2) ; }")
        self.becomes("void f() { T&& a = b; }", "operand")

    def test_loops_end_after_one_round(self):
        self.becomes("void f() { for (int i : all) g(i); }", "once", "void f() { for (int i : all) { g(i); break; } }")
        self.becomes("void f() { while (a) { g(); } }", "once", "void f() { while (a) { g(); break; } }")

    def test_bounds_are_off_by_one_and_templates_have_none(self):
        self.becomes("bool f() { return g<int>(a) < b + 1; }", "bound",
                     "bool f() { return g<int>(a) <= b + 1; }", "bool f() { return g<int>(a) < b ; }")

    def test_neighbouring_arguments_are_swapped(self):
        self.becomes("void f() { g(a, b(c), a); }", "swap", "void f() { g(b(c), a, a); }", "void f() { g(a, a, b(c)); }")
        self.becomes("void f() { g(a, a); }", "swap")

    def test_members_are_not_set(self):
        self.becomes("T f() { return {.a = 1, .b = g(2, 3)}; }", "member", "T f() { return { .b = g(2, 3)}; }", "T f() { return {.a = 1}; }")

    def test_functions_and_lambdas_return_halfway(self):
        self.becomes("void f() { g(); h(); }", "return", "void f() { g(); return; h(); }")
        self.becomes("void f() { g([&] { h(); return 1; }); }", "return", "void f() { return; g([&] { h(); return 1; }); }")
        self.becomes("int f() { g(); h(); return 1; }", "return", "int f() { g(); return {}; h(); return 1; }")

    def test_a_device_is_the_first_one(self):
        self.becomes("void f() { g(a.at(1)->device().index); }", "device", "void f() { g(0); }")
        self.becomes("void f() { g(a.device); }", "device", "void f() { g((a.device.is_cuda() ? Device{DeviceType::kCuda, 0} : a.device)); }")

    def test_nothing_is_undone_after_a_failure(self):
        self.becomes("void f() { try { g(); } catch (...) { undo(); throw; } }", "catch", "void f() { try { g(); } catch (...) { throw; } }")

    def test_loops_are_left_otherwise(self):
        self.becomes("void f() { for (;;) { if (a) break; continue; } }", "exit", "void f() { for (;;) { if (a) continue; continue; } }",
                     "void f() { for (;;) { if (a) break; break; } }")

    def test_statements_inside_lambdas_are_seen(self):
        self.assertIn("void f() { g(1, [&](int a) { ; h(); }); }", made("void f() { g(1, [&](int a) { b += a; h(); }); }")["delete"])


class Draws(unittest.TestCase):
    def test_names_differ_and_a_draw_comes_again(self):
        of = source("void f() { g(1, 2, 3); h(); i(a && b && c); }\n")
        every = mutations.mutations_of(of)
        self.assertEqual(len({each.name for each in every}), len(every))
        self.assertEqual(mutations.drawn(every, 4, 7), mutations.drawn(list(reversed(every)), 4, 7))
        self.assertEqual(mutations.drawn(every, 4, 7), mutations.drawn(every, 5, 7)[:4])
        self.assertNotEqual(mutations.drawn(every, 4, 7), mutations.drawn(every, 4, 8))

    def test_the_sources_of_the_reference_are_read(self):
        paths = mutations.sources_under(ROOT, ["reference/memory"])
        every = [each for path in paths for each in mutations.mutations_of(mutations.source_of(ROOT, path))]
        self.assertGreater(len(every), 500)
        self.assertFalse([path for path in paths if path.endswith("_test.cpp")])


class Compilation(unittest.TestCase):
    def test_a_function_that_returns_a_value_must_not_end(self):
        for text, wanted in (("int f() { return 1; }", True), ("void f() { return g(); }", False), ("void f() { g([] { return 1; }); }", False),
                             ("template <typename T> inline T* f() { if (a) return b; throw c; }", True)):
            of = source(text)
            self.assertEqual(mutations.must_not_end(of, of.functions[0]), wanted, text)

    def test_errors_name_mutants(self):
        messages = textwrap.dedent("""\
            mutant/reference/a.cpp:3:delete:4:7: error: 'x' was not declared
            mutant/reference/a.cpp:5:swap.2:5:7: warning: nothing
            /usr/include/c++/12/bits/vector.h: In instantiation of 'f()':
            mutant/reference/a.cpp:9:swap:9:3:   required from here
            /usr/include/c++/12/bits/vector.h:1:2: error: no match
            reference/b.cpp:1:2: error: of no mutant
            """)
        self.assertEqual(programs.blamed(messages), {"reference/a.cpp:3:delete", "reference/a.cpp:9:swap"})

    def test_a_program_numbers_its_functions_and_forgets_what_does_not_compile(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "a.cpp").write_text("void f() { g(); h(); }\nint i() { return 1 + 1; }\n")
            every = mutations.mutations_of(mutations.source_of(root, "a.cpp"))
            program = programs.Program(root, root / "program", every)
            program.write()
            text = (program.sources / "a.cpp").read_text()
            self.assertIn("switch (::assay::mutant::fault_in(0))", text)
            self.assertIn("switch (::assay::mutant::fault_in(1))", text)
            self.assertIn('#line 1 "mutant/a.cpp:1:delete"', text)
            self.assertEqual(text.count("runs_off();"), 2)  # of the two mutants of i()
            self.assertEqual(program.drop("mutant/a.cpp:1:delete:1:12: error: no\n"), ["a.cpp:1:delete"])
            again = programs.Program(root, root / "program", every)
            self.assertEqual([each.name for each in again.mutants], [each.name for each in every if each.name != "a.cpp:1:delete"])


if __name__ == "__main__":
    unittest.main()
