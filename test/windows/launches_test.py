#!/usr/bin/env python3
"""Every launch on the driver double under Wine must have the grid, the block and, byte for byte, the arguments that it has on this system.
VMAF_NATIVE_LAUNCHES is the same program for this system; without it the test is skipped.

usage: launches_test.py PATH-OF-LAUNCHES.EXE FOLDER-OF-VMAF.DLL
"""
import itertools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WINE = os.environ.get('WINE', '/usr/lib/wine/wine64')
SKIPPED = 77
FEWEST = 1000 # launches


def launches(command, place, environment):
    done = subprocess.run([*command, place], env={**os.environ, **environment}, check=False, timeout=280)
    if done.returncode != 0:
        sys.exit('%s: exit status %d' % (command[-1], done.returncode))
    return Path(place).read_text(encoding='ascii').splitlines()


def differences(windows, native):
    session = ''
    for number, (one, other) in enumerate(itertools.zip_longest(windows, native, fillvalue=''), 1):
        if other.startswith('=='):
            session = other
        if one == other:
            continue
        words, others = one.split(' '), other.split(' ')
        first = next((i for i, (a, b) in enumerate(zip(words, others)) if a != b), min(len(words), len(others)))
        yield 'line %d, %s, %s: word %d is %s under Wine, %s here' % (
            number, session, others[0], first, words[first:first + 1], others[first:first + 1])


def main(windows, libraries):
    native = os.environ.get('VMAF_NATIVE_LAUNCHES')
    if not native:
        print('VMAF_NATIVE_LAUNCHES is not set')
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        here = launches([native], folder + '/native', {'LD_LIBRARY_PATH': os.path.dirname(native)})
        there = launches([WINE, windows], folder + '/windows', {'WINEPATH': 'Z:' + libraries})
    different = list(differences(there, here))
    print('\n'.join(different[:40]))
    count = sum(not line.startswith('==') for line in here)
    print('%d launches, %d lines differ' % (count, len(different)))
    return 1 if different or count < FEWEST else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
