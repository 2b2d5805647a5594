#!/usr/bin/env python3
"""Checks that a library of loops shares nothing with code for other processors (adr/0002). All symbols that its objects define for
others are in the namespace of the target. None is weak, as shared inline functions are. Nothing runs by itself when the program starts.

usage: target_symbols.py TARGET LIBRARY...
"""
import re
import subprocess
import sys


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def definitions(library):
    for line in output_of('nm', '--defined-only', '--extern-only', '--format=posix', library).splitlines():
        fields = line.split()
        if len(fields) > 1:
            yield fields[0], fields[1]


def main(target, *libraries):
    own = re.compile(r'_ZNK?4vmaf%d%s' % (len(target), target))
    found, problems = 0, []
    for library in libraries:
        for name, kind in definitions(library):
            found += 1
            if kind in 'VWuvw':
                problems.append('%s: %s could be shared' % (library, name))
            elif not own.match(name):
                problems.append('%s: %s is outside of the target' % (library, name))
        if re.search(r'\.(init_array|ctors)\b', output_of('readelf', '--wide', '--sections', library)):
            problems.append('%s: has static constructors' % library)
    if not found:
        problems.append('no symbols at all')
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
