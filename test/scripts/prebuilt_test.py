#!/usr/bin/env python3
"""Checks that compiled kernels are refused if they do not fit.

prebuilt_test.py PREBUILT.PY    uses made-up folders; scripts/test --sanitize builds with real ones
"""
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
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

    def find(self, place):
        """What `prebuilt.py find` prints in a source with an archive in the folder PLACE."""
        source = self.folder / "source"
        (source / "kernels").mkdir(parents=True, exist_ok=True)
        script = shutil.copy(SCRIPT, source / "kernels")
        (source / "meson.build").write_text("project(\n  'libvmaf',\n  version: '3.2.0+1',\n)\n")
        (source / place).mkdir(parents=True, exist_ok=True)
        with tarfile.open(source / place / "libvmaf-3.2.0+1-kernels.tar.xz", "w:xz") as archive:
            archive.add(self.folder / "motion.fatbin", "prebuilt-kernels/motion.fatbin")
        done = subprocess.run([script, "find"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, source / "prebuilt-kernels" / "motion.fatbin"

    def test_an_archive_beside_the_source(self):
        said, kernel = self.find("..")
        self.assertEqual((said, kernel.read_bytes()), ("prebuilt-kernels\n", b"code"))
        self.assertGreater(kernel.stat().st_mtime_ns, (self.folder / "motion.fatbin").stat().st_mtime_ns)

    def test_an_archive_of_scripts_release(self):
        said, kernel = self.find("build-release/libvmaf-3.2.0+1")
        self.assertEqual((said, kernel.read_bytes()), ("prebuilt-kernels\n", b"code"))

    def test_an_archive_elsewhere(self):
        self.assertEqual(self.find("build")[0], "build\n")

    def test_what_is_in_the_source_stays(self):
        _, kernel = self.find("..")
        kernel.write_bytes(b"own")
        self.assertEqual(self.find("..")[0], "prebuilt-kernels\n")
        self.assertEqual(kernel.read_bytes(), b"own")


if __name__ == "__main__":
    unittest.main()
