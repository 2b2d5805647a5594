#!/usr/bin/env python3
"""Checks that compiled kernels are refused if they do not fit.

prebuilt_test.py PREBUILT.PY    uses made-up folders; scripts/test --sanitize builds with real ones
"""
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)).resolve()
SOURCE = "kernels/embed.S"


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Prebuilt(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "motion.fatbin").write_bytes(b"code")
        self.manifest = {
            "format": 1, "compilers": ["nvcc"], "architectures": ["compute_120", "sm_120", "sm_75"],
            "sources": {SOURCE: digest(SCRIPT.parents[1] / SOURCE)},
            "kernels": {"motion.fatbin": digest(self.folder / "motion.fatbin")},
        }

    def check(self):
        (self.folder / "manifest.json").write_text(json.dumps(self.manifest))
        return subprocess.run([SCRIPT, "check", self.folder], capture_output=True, text=True)

    def refusal(self):
        done = self.check()
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_what_fits_is_described(self):
        done = self.check()
        self.assertEqual((done.returncode, done.stdout.split()), (0, ["75", SOURCE]), done.stderr)

    def test_another_source(self):
        self.manifest["sources"][SOURCE] = digest(self.folder / "motion.fatbin")
        refusal = self.refusal()
        self.assertIn(f"{SOURCE} is not what they were made of", refusal)
        self.assertIn("-Dkernels=build", refusal)

    def test_a_source_that_is_gone(self):
        self.manifest["sources"]["kernels/nothing.cu"] = "0"
        self.assertIn("nothing.cu is not what they were made of", self.refusal())

    def test_another_kernel(self):
        (self.folder / "motion.fatbin").write_bytes(b"cope")
        self.assertIn("motion.fatbin is not what they were made as", self.refusal())

    def test_another_format(self):
        self.manifest["format"] = 2
        self.assertIn("of another format", self.refusal())

    def test_no_manifest(self):
        done = subprocess.run([SCRIPT, "check", self.folder], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("has no manifest of compiled kernels", done.stderr)


if __name__ == "__main__":
    unittest.main()
