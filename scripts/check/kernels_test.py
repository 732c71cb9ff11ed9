#!/usr/bin/env python3
"""Tests that kernels.py finds what nvcc must not make of kernels, with a stand-in for cuobjdump that prints given text."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).with_name("kernels.py")
STAND_IN = """#!/bin/sh
case $1 in -ptx) cat "$2.ptx" ;; *) cat "$2.usage" ;; esac
"""
HEAD = "# Of PTX 9.0 and code for 9.0.\n"
ADD, MULTIPLY = "_ZN5assay4cuda3addEPf", "_ZN5assay4cuda8multiplyI6__halfEEvPT_"
TABLE = HEAD + "kernel instances registers stack fused\nadd 1 16 0 0\nmultiply 2 32 8 1 # CORE-22: rounded once\n"
PTX = """
Fatbin ptx code:
================
arch = sm_90
.version 9.0
.target sm_90
.visible .entry {add}(
.param .u64 {add}_param_0
)
{{
.loc 1 12 3
ld.param.u64 %rd1, [{add}_param_0];
@%p1 bra $L__BB0_2;
{line}
$L__BB0_2:
ret;
}}
.visible .entry {multiply}()
{{
.loc 2 5 1, function_name $L__info_string0, inlined_at 1 30 3
fma.rn.f32 %f3, %f1, %f2, %f3;
}}
.file 1 "/home/somebody/build/../cuda_impl/kernels/add.cu"
.file 2 "/home/somebody/cuda_impl/kernels/multiply.cuh"
"""
USAGE = """
Fatbin elf code:
================
arch = sm_90
Resource usage:
 Common:
  GLOBAL:0
 Function {add}:
  REG:{registers} STACK:{stack} SHARED:0 LOCAL:0 CONSTANT[0]:8 TEXTURE:0 SURFACE:0 SAMPLER:0
 Function {multiply}:
  REG:30 STACK:8 SHARED:1024 LOCAL:0 CONSTANT[0]:8 TEXTURE:0 SURFACE:0 SAMPLER:0
"""


class Kernels(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = pathlib.Path(self.holder.name)
        self.cuobjdump = self.folder / "cuobjdump"
        self.cuobjdump.write_text(STAND_IN, encoding="utf-8")
        os.chmod(self.cuobjdump, 0o755)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")
        return self.folder / name

    def program(self, line="add.rn.f32 %f3, %f1, %f2;", registers=16, stack=0, change=lambda text: text):
        names = {"add": ADD, "multiply": MULTIPLY}
        self.write("program.ptx", change(PTX.format(line=line, **names)))
        self.write("program.usage", change(USAGE.format(registers=registers, stack=stack, **names)))
        return self.folder / "program"

    def run_with(self, program, table=TABLE, *words):
        path = self.write("table.txt", table)
        done = subprocess.run([sys.executable, CHECK, self.cuobjdump, program, path, *words], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def test_code_within_the_table_is_accepted(self):
        code, lines = self.run_with(self.program(registers=12))

        self.assertEqual((code, lines), (0, ["2 kernels in PTX, their registers and stacks are as they should be"]))

    def test_each_instruction_that_computes_otherwise_is_found_with_its_line(self):
        for instruction, wrong in {
            "add.ftz.f32": "flushes subnormal numbers", "add.rn.ftz.f32": "flushes subnormal numbers",
            "ex2.approx.f32": "approximates", "div.full.f32": "approximates",
            "mul.f32": "leaves its rounding open, so that ptxas may fuse it", "sub.f16x2": "leaves its rounding open, so that ptxas may fuse it",
            "add.sat.f32": "leaves its rounding open, so that ptxas may fuse it", "mul.f32x2": "leaves its rounding open, so that ptxas may fuse it",
            "atom.global.add.f32": "adds in any order, and flushes subnormal numbers",
            "red.relaxed.gpu.global.add.f64": "adds in any order, and flushes subnormal numbers",
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32": "multiplies matrices with roundings that no clause has",
        }.items():
            with self.subTest(instruction):
                code, lines = self.run_with(self.program(f"@!%p2 {instruction} %f3, %f1, %f2;"))

                self.assertEqual(code, 1)
                self.assertEqual(lines, [f"add: {instruction} {wrong}: cuda_impl/kernels/add.cu:12, in PTX for 90, 1 times"])

    def test_integers_may_be_added_and_multiplied(self):
        for instruction in ("mad.lo.s32", "mul.wide.u32", "atom.global.add.u32", "add.s64", "max.f64"):
            self.assertEqual(self.run_with(self.program(f"{instruction} %r1, %r2, %r3;"))[0], 0, instruction)

    def test_a_multiply_add_that_the_table_does_not_have_is_found(self):
        code, lines = self.run_with(self.program("fma.rn.f32 %f3, %f1, %f2, %f3;"))

        self.assertEqual(code, 1)
        self.assertIn("add: fused 1, and the table has 0", lines)

    def test_registers_and_stack_beyond_the_table_are_found(self):
        self.assertEqual(self.run_with(self.program(registers=17)), (1, ["add: registers 17, and the table has 16"]))
        self.assertEqual(self.run_with(self.program(stack=4)),
                         (1, ["add: stack 4, and the table has 0: registers are spilled, or a local array is new"]))

    def test_kernels_of_the_program_and_of_the_table_are_the_same(self):
        code, lines = self.run_with(self.program(), HEAD + "multiply 1 32 8 1 # a reason\nremoved 1 8 0 0\n")

        self.assertEqual((code, lines), (1, ["add: it is not in the table", "removed: the table has it, and the program does not"]))

    def test_fused_multiply_adds_need_a_reason(self):
        code, lines = self.run_with(self.program(), TABLE.replace("# CORE-22: rounded once", ""))

        self.assertEqual((code, lines), (1, ["multiply: the table has no reason for its fused multiply-adds"]))

    def test_code_of_another_nvcc_or_gpu_is_held_to_the_zeros_of_the_table(self):
        other = self.program(registers=200, change=lambda text: text.replace("sm_90", "sm_120"))
        self.assertEqual(self.run_with(other)[0], 0)
        newer = self.program("fma.rn.f32 %f3, %f1, %f2, %f3;", stack=4, change=lambda text: text.replace(".version 9.0", ".version 9.1"))
        self.assertEqual(self.run_with(newer), (1, ["add: 1 fused multiply-adds in PTX for 90, and the table has none",
                                                    "add: a stack of 4 bytes in code for 90, and the table has none"]))

    def test_a_program_without_ptx_is_not_accepted(self):
        program = self.program()
        self.write("program.ptx", "")

        self.assertEqual(self.run_with(program),
                         (1, ["the program has no PTX: it was built for devices alone (ASSAY_CUDA_ARCHITECTURES)"]))

    def test_a_new_table_has_the_numbers_of_the_program_and_the_old_reasons(self):
        self.assertEqual(self.run_with(self.program(registers=20), TABLE, "--renew")[0], 0)

        lines = (self.folder / "table.txt").read_text(encoding="utf-8").splitlines()
        self.assertEqual([line.split() for line in lines[2:]],
                         [["add", "1", "20", "0", "0"], ["multiply", "1", "30", "8", "1", "#", "CORE-22:", "rounded", "once"]])

    def test_a_missing_tool_is_named_and_is_a_failure(self):
        self.cuobjdump.unlink()
        code, lines = self.run_with(self.program())

        self.assertEqual(code, 2)
        self.assertIn("There is no cuobjdump", lines[0])

    def test_a_program_that_cannot_be_read_is_a_failure(self):
        self.assertEqual(self.run_with(self.folder / "absent")[0], 2)


if __name__ == "__main__":
    unittest.main()
