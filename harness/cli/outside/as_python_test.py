"""Tests `assay replay --as python`: scripts need only PyTorch and show the same as the cases."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "adapters" / "torch" / "tests"))
from talk import python_with_torch

SAMPLE = ("core/geometry/an_expanded_dimension_has_stride_zero", "core/error/an_error_ends_its_block_and_keeps_its_kind",
          "core/promotion/promotion_is_associative", "module/cast/type_casts_integral_tensors_too",
          "module/walk/empty_slots_are_skipped", "autocast/rule/cpu_lowers_mm",
          "optim/sgd/every_group_is_stepped")
NEWER = ("amp/unscale/raises_the_flag_for_each_kind_of_non_finite", "amp/update_scale/refuses_growth_to_either_infinity_and_to_nan",
         "autocast/region/leaving_restores_everything",
         "scaler/unscale/the_missing_scale_is_found_before_an_entry_is_made")


def assay(*arguments):
    done = subprocess.run([FOLDER / "assay", *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def script_of(case, release="2.11"):
    code, text, problem = assay("replay", case, "--as", "python", "--release", release)
    assert code == 0, problem
    return text


class Refusals(unittest.TestCase):
    def test_what_python_cannot_say_is_named(self):
        code, text, problem = assay("replay", "dispatch/set/has_all_is_the_superset", "--as", "python")
        self.assertEqual((code, text), (2, ""))
        self.assertIn("has no form in Python", problem)

    def test_a_transcript_is_no_case(self):
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
            code, _, problem = assay("replay", file.name, "--as", "python")
        self.assertEqual(code, 2)
        self.assertIn("takes the id of a case", problem)

    def test_a_script_does_not_say_where_it_comes_from(self):
        self.assertNotIn("assay", script_of(NEWER[0]).lower())


class Words(unittest.TestCase):
    """The source of the replies that a script expects."""

    CASE = "amp/update_scale/counts_in_integers"
    OTHER = "core/promotion/promotion_is_associative"

    def said(self, case, *more):
        code, text, problem = assay("replay", case, "--as", "python", *more)
        self.assertEqual(code, 0, problem)
        return text, text.split("Expected is ")[1].split(".\n")[0]

    def wrong(self):
        return ["--subject", f"{sys.executable} {pathlib.Path(__file__).resolve().parent / 'toy_subject.py'} wrong"]

    def test_a_recordings_where_there_is_one_even_for_a_faulty_subject(self):
        for case in (self.CASE, self.OTHER):
            text, whose = self.said(case)
            self.assertRegex(whose, r"^what PyTorch 2\.15\.0\S* did on the CPU \(recording 2\.15\.0-cpu\)$")
            self.assertEqual(self.said(case, *self.wrong())[0], text)
        _, whose = self.said(self.CASE, "--release", "2.4")
        self.assertRegex(whose, r"PyTorch 2\.4\.1.*2\.4\.1-cpu")

    def test_the_subjects_where_that_is_asked_for(self):
        recorded, _ = self.said(self.CASE)
        text, whose = self.said(self.CASE, "--expect", "subject", *self.wrong())
        self.assertEqual(whose, "what the subject toy 1 replied under the rules of PyTorch 2.15 on the CPU; this is not a reply of PyTorch")
        self.assertNotEqual(text.split("import", 1)[1], recorded.split("import", 1)[1])
        _, whose = self.said(self.CASE, "--expect", "subject")
        self.assertTrue(whose.startswith("what a reference implementation does under the rules of PyTorch 2.15 on the CPU"), whose)

    def test_a_subject_that_answers_nothing_makes_no_script(self):
        mute = self.wrong()[1].replace(" wrong", " unsupported")
        code, text, problem = assay("replay", self.CASE, "--as", "python", "--expect", "subject", "--subject", mute)
        self.assertEqual((code, text), (2, ""), problem)
        self.assertIn(f"answers no command of {self.CASE}, so the script would check nothing", problem)

    def test_the_references_where_no_recording_has_the_case(self):
        _, whose = self.said(self.CASE, "--deviations", "strict")
        self.assertTrue(whose.startswith("what a reference implementation does"), whose)


class Scripts(unittest.TestCase):
    def setUp(self):
        self.python = python_with_torch()
        if self.python is None:
            self.skipTest("no Python has PyTorch here")
        asked = "import torch; print(torch.__version__.split('.')[:2])"
        found = subprocess.run([self.python, "-c", asked], capture_output=True, text=True).stdout
        major, minor = (int(part) for part in eval(found))
        contracts = ((2, 15), (2, 14), (2, 13), (2, 12), (2, 11), (2, 4), (1, 13))
        self.release = "{}.{}".format(*next(each for each in contracts if each <= (major, minor)))

    def run_script(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write(text)
            file.flush()
            done = subprocess.run([self.python, file.name], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_pytorch_does_in_each_what_the_case_expects(self):
        for case in SAMPLE + (NEWER if self.release != "1.13" else ()):
            with self.subTest(case):
                code, text = self.run_script(script_of(case, self.release))
                self.assertEqual(code, 0, text)
                self.assertIn("as expected", text)

    def test_a_difference_is_shown_and_ends_with_1(self):
        text = script_of("module/walk/empty_slots_are_skipped", self.release)
        wrong = text.replace("torch.float64", "torch.float32")
        self.assertNotEqual(wrong, text)
        code, shown = self.run_script(wrong)
        self.assertEqual(code, 1, shown)
        self.assertIn("DIFFERENT", shown)


if __name__ == "__main__":
    unittest.main()
