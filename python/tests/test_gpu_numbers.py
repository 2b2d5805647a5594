"""Numbers of GPUs, on a stand-in for a driver with two devices. The second one in PCI order is the fastest, which CUDA counts first."""

import os
import subprocess
import sys

import pytest

import libvmaf as vm

PLAIN, FASTEST = 80 << 30, 141 << 30


def memory_of_gpus(first_use, **variables):
    """GPUs that a process lists after it did something else."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CUDA_")}
    code = f"import contextlib\nimport libvmaf as vm\n{first_use}\nprint(*(gpu.memory_bytes for gpu in vm.gpus()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment | {"VMAF_DOUBLE_DEVICES": "2", "VMAF_DOUBLE_FASTEST": "1"} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [int(memory) for memory in done.stdout.split()]


@pytest.mark.skipif(not any(gpu.name == "driver double" for gpu in vm.gpus()), reason="a driver, or none, that has not two devices")
@pytest.mark.parametrize("first_use", ["", "with contextlib.suppress(vm.DeviceError): vm.Session(features=['psnr'], gpu=1).close()"])
def test_are_those_of_the_tool(first_use):
    """docs/cuda.md, `--gpu N`: several_gpus_test.cpp expects the same of the tool."""
    assert memory_of_gpus(first_use) == [PLAIN, FASTEST]
    assert memory_of_gpus(first_use, CUDA_DEVICE_ORDER="FASTEST_FIRST") == [FASTEST, PLAIN]
    assert memory_of_gpus(first_use, CUDA_VISIBLE_DEVICES="1,0") == [PLAIN, FASTEST]
    assert memory_of_gpus(first_use, CUDA_VISIBLE_DEVICES="1,0", CUDA_DEVICE_ORDER="PCI_BUS_ID") == [FASTEST, PLAIN]
