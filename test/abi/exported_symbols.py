#!/usr/bin/env python3
"""The shared library exports what its version script lists and the headers declare, nothing else, and needs only the C
and C++ runtimes.

usage: exported_symbols.py LIBRARY VERSION_SCRIPT HEADER...
"""
import re
import subprocess
import sys

SONAME = 'libvmaf.so.3'
RUNTIME = re.compile(r'(libc|libm|libpthread|libdl|libstdc\+\+|libgcc_s|ld-linux-[\w-]+)\.so\.\d+')


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def listed_functions(script_path):
    with open(script_path) as script:
        text = re.sub(r'#.*', '', script.read())
    return set(re.search(r'global:(.*)local:', text, re.DOTALL).group(1).replace(';', ' ').split())


def declared_functions(header_path):
    with open(header_path) as header:
        return set(re.findall(r'^(?:int|void|const char) \*?(vmaf_\w+)\(', header.read(), re.MULTILINE))


def exported_symbols(library):
    return set(line.split()[0] for line in output_of('nm', '-D', '--defined-only', '--format=posix', library).splitlines())


def dynamic_entries(library, tag):
    return re.findall(r'\(%s\).*\[(.*)\]' % tag, output_of('readelf', '-d', library))


def main(library, script_path, *headers):
    problems = []
    listed, exported = listed_functions(script_path), exported_symbols(library)
    declared = set().union(*map(declared_functions, headers))
    problems += ['listed but not declared: ' + name for name in sorted(listed - declared)]
    problems += ['declared but not listed: ' + name for name in sorted(declared - listed)]
    problems += ['listed but not exported: ' + name for name in sorted(listed - exported)]
    problems += ['exported but not listed: ' + name for name in sorted(exported - listed)]
    problems += ['needs ' + name for name in dynamic_entries(library, 'NEEDED') if not RUNTIME.fullmatch(name)]
    if dynamic_entries(library, 'SONAME') != [SONAME]:
        problems.append('soname is not ' + SONAME)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
