#!/usr/bin/env python3
"""What users with a GPU run first, vmaf.exe --self_test --gpu 0, on a driver whose kernels compute on the processor. It lies where NVIDIA's does,
in the system's folder: that of a Wine prefix that this test makes.

usage: self_test.py PATH-OF-VMAF.EXE FOLDER-OF-VMAF.DLL PATH-OF-NVCUDA.DLL
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

WINE = os.environ.get('WINE', '/usr/lib/wine/wine64')


def main(tool, libraries, driver):
    others = os.environ.get('WINEPATH')
    os.environ['WINEPATH'] = ';'.join(['Z:' + os.path.abspath(libraries)] + ([others] if others else []))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as prefix: # Wine's server may still write there
        os.environ['WINEPREFIX'] = prefix
        without = subprocess.run([WINE, tool, '--self_test', '--gpu', '0'], check=False).returncode
        shutil.copy(driver, Path(prefix) / 'drive_c' / 'windows' / 'system32' / 'nvcuda.dll')
        done = subprocess.run([WINE, tool, '--self_test', '--gpu', '0'], check=False).returncode
    print('exit status %d without a driver, %d with one' % (without, done))
    return 1 if without == 0 or done != 0 else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
