"""Lists of the library, and its C functions."""

from __future__ import annotations

import ctypes
import re
import subprocess
from pathlib import Path

import pytest

import libvmaf as vm
from libvmaf import _lists, capi

#: Folder of the tests in the source tree.
HEADERS = Path(__file__).parents[2] / "include" / "libvmaf"


def test_models_can_be_loaded():
    assert "vmaf_v0.6.1" in vm.models()
    for version, info in vm.models().items():
        assert vm.Model(version).name == "vmaf"
        assert set(info.features) <= set(vm.features())


def test_features_can_be_registered_with_their_defaults():
    for name, feature in vm.features().items():
        options = {option.name: option.default for option in feature.options.values() if option.default}
        vm.Session(features={name: options}, threads=0).close()
    assert vm.features()["cambi"].options["full_ref"].type == "bool"
    assert "psnr_y" in vm.features()["psnr"].outputs


def test_the_option_that_is_the_frame_rate():
    found = {name: feature.option_with("frame_rate") for name, feature in vm.features().items()}
    asked = {name: (option.name, option.least, option.most, option.default) for name, option in found.items() if option}
    assert asked["xpsnr"] == ("fps", 0, 1e6, "0") and asked["cvvdp"] == ("fps", 1, 240, "25")
    assert found["psnr"] is None


def test_outputs_are_described():
    scores = vm.features()["psnr"].scores
    assert (scores["psnr_y"].better, scores["psnr_y"].unit, scores["psnr_y"].of_clip) == ("higher", "dB", False)
    assert scores["mse_y"].better == "lower" and scores["mse_y"].option == "enable_mse" and scores["apsnr_y"].of_clip
    assert vm.features()["vif"].scores["integer_vif_scale0"].stored_name == "VMAF_integer_feature_vif_scale0_score"
    assert [model.version for model in vm.models().values() if model.is_default] == ["vmaf_v0.6.1"]


@pytest.mark.skipif(not HEADERS.is_dir(), reason="outside of the source tree")
def test_which_scores_are_better():
    assert [vm.better(name) for name in ("vmaf", "psnr_y", "integer_adm2_egl_1", "vmaf_ci_p95_lo")] == ["higher"] * 4
    assert [vm.better(name) for name in ("cambi", "cambi_full_reference", "butteraugli_3norm", "mse_y")] == ["lower"] * 4
    assert [vm.better(name) for name in ("integer_motion2", "vmaf_stddev")] == [None] * 2
    for feature in vm.features().values():
        for name, score in feature.scores.items():
            assert vm.better(name) == score.better, name


def test_roles_and_directions_are_the_headers():
    """The numbers mean the same words in both."""
    text = (HEADERS / "libvmaf_ext.h").read_text()
    roles = re.findall(r"VMAF_ROLE_(\w+) = (\d+)", text)
    assert [(name.lower(), int(number)) for name, number in roles][1:] == [
        (role, number) for number, role in enumerate(_lists._ROLES) if role
    ]
    directions = re.findall(r"VMAF_DIRECTION_(\w+) = (\d+)", text)
    assert [name.lower() for name, _ in directions][1:] == list(_lists._DIRECTIONS[1:])


def test_the_version_is_the_librarys():
    assert vm.version() == capi.vmaf_version().decode()


def exported_functions():
    symbols = subprocess.run(["nm", "-D", "--defined-only", "-P", capi.library._name], capture_output=True, text=True)
    if symbols.returncode:
        pytest.skip("no nm")
    return {line.split()[0] for line in symbols.stdout.splitlines()}


def test_capi_has_every_function():
    assert set(capi.functions) == exported_functions()
    with pytest.raises(AttributeError):
        capi.vmaf_no_such_function


@pytest.mark.skipif(not HEADERS.is_dir(), reason="outside of the source tree")
def test_capi_has_the_headers_arguments():
    text = "".join(re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL) for path in sorted(HEADERS.glob("*.h")))
    declared = dict(re.findall(r"^(?:int|void|const \w+) \*?(vmaf_\w+)\((.*?)\);$", text, re.MULTILINE | re.DOTALL))
    assert set(declared) == set(capi.functions)
    for name, arguments in declared.items():
        without_callbacks = re.sub(r"\(\*(\w+)\)\([^)]*\)", r"\1", arguments)
        count = 0 if without_callbacks == "void" else without_callbacks.count(",") + 1
        assert len(capi.functions[name].argtypes) == count, name


def test_structures_have_the_headers_sizes():
    """Sizes as in test/abi/layout.c on 64-bit machines."""
    assert ctypes.sizeof(capi.VmafPicture) == 96
    assert ctypes.sizeof(capi.VmafConfiguration) == 32
    assert ctypes.sizeof(capi.VmafModelCollectionScore) == 40
    foreign = capi.VmafForeignPicture(struct_size=ctypes.sizeof(capi.VmafForeignPicture))
    assert capi.vmaf_picture_wrap(None, capi.VmafPicture(), foreign) < 0


def test_a_session_and_the_c_functions_meet():
    with vm.Session(features=["motion"], threads=0) as session:
        before, after = ctypes.c_uint(), ctypes.c_uint()
        assert capi.vmaf_segment_overlap(session.handle, before, after) == 0
        assert (before.value, after.value) == session.segment_overlap == (1, 1)
    with pytest.raises(ValueError, match="closed"):
        session.handle
