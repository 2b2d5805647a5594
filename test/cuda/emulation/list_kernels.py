#!/usr/bin/env python3
"""Writes the files with which kernels/*/*.cu are compiled for the host.

list_kernels.py kernel NAME FILE.cu OUTPUT   the file that compiles one of them, with the list of its kernels
list_kernels.py all OUTPUT NAME...           all those lists
"""
import re
import sys


def kernel(name, source, output):
    with open(source, encoding="utf-8") as file:
        # A kernel by itself, or one that a macro defines from its name.
        kernels = re.findall(r"\b(vmaf_\w+)(?:\(const __grid_constant__|, \w[^()]*\)$)", file.read(), re.MULTILINE)
    with open(output, "w", encoding="utf-8") as file:
        file.write('#include "cuda/emulation/device.h"\n')
        file.write(f'#include "{name}/{name}.cu"\n')
        file.write('#include "cuda/emulation/entry.h"\n\n')
        file.write(f"vmaf::emulation::KernelList vmaf_emulated_{name}()\n{{\n")
        file.write("    using namespace vmaf;\n")
        file.write("    static const vmaf::emulation::Kernel list[] = {\n")
        for entry in kernels:
            file.write(f"        VMAF_EMULATED_KERNEL({entry}),\n")
        file.write("    };\n    return list;\n}\n")


def all_lists(output, *names):
    with open(output, "w", encoding="utf-8") as file:
        file.write("// One VMAF_EMULATED(NAME) for each file.\n")
        for name in names:
            file.write(f"VMAF_EMULATED({name})\n")


{"kernel": kernel, "all": all_lists}[sys.argv[1]](*sys.argv[2:])
