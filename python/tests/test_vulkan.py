"""Vulkan devices, on Mesa's software driver, in a process that sees no other one."""

import os
import platform
import subprocess
import sys

import pytest

import libvmaf as vm

# As Debian 12 and 13 name the file.
DRIVERS = [f"/usr/share/vulkan/icd.d/lvp_icd.{platform.machine()}.json", "/usr/share/vulkan/icd.d/lvp_icd.json"]
DRIVER = ":".join(DRIVERS)


def python(code, driver=DRIVER):
    """Output of a process whose only Vulkan driver is that one."""
    environment = os.environ | {"VK_DRIVER_FILES": driver, "VK_ICD_FILENAMES": driver}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


needs_driver = pytest.mark.skipif(
    not any(map(os.path.exists, DRIVERS)) or not python("import libvmaf as vm; print(*vm.vulkan_devices())").strip(),
    reason="there is no software Vulkan device (Debian: mesa-vulkan-drivers)",
)

SCORED = """
import numpy as np
import libvmaf as vm
frames = np.random.default_rng(1).integers(0, 256, (3, 36, 64), dtype=np.uint8)
with vm.Session(models="vmaf_v0.6.1", gpu={gpu}) as session:
    print(session.gpu)
    for frame in frames:
        session.read(frame, frame // 2)
    print(session.finish().frames["vmaf"].tolist())
"""


@needs_driver
def test_a_named_device_has_the_cpus_scores():
    device, scores = python(SCORED.format(gpu="'vk0'")).splitlines()
    nothing, expected = python(SCORED.format(gpu=None)).splitlines()
    assert (device, nothing) == ("vk0", "None")
    assert scores == expected


@needs_driver
def test_devices_are_listed_with_their_type():
    assert "llvmpipe" in python("import libvmaf as vm; print(vm.vulkan_devices()[0].name)")
    assert python("import libvmaf as vm; print(vm.vulkan_devices()[0].type)") == "software\n"


@needs_driver
@pytest.mark.skipif(bool(vm.gpus()), reason="CUDA's device is chosen")
def test_a_software_device_is_never_chosen():
    assert python("import libvmaf as vm; print(vm.Session(features='psnr', gpu='auto').gpu)") == "None\n"


def test_without_a_driver_there_is_no_device():
    missing = "/nonexistent.json"
    assert python("import libvmaf as vm; print(vm.vulkan_devices())", missing) == "[]\n"
    code = "import libvmaf as vm\ntry: vm.Session(features='psnr', gpu='vk0')\nexcept vm.DeviceError as error: print(repr(error))"
    assert "DeviceError" in python(code, missing)
