#!/usr/bin/env python3
"""Checks that the library exports what the version script lists and the headers declare, and nothing else: the shared one to
programs, the static one to other objects of a program. The shared library needs only the C and C++ runtimes. It calls none of its
own functions by name, because another libvmaf in the process could be called instead.

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
        return set(re.findall(r'^(?:int|void|const \w+) \*?(vmaf_\w+)\(', header.read(), re.MULTILINE))


def is_archive(library):
    return library.endswith('.a')


def exported_symbols(library):
    table = '--extern-only' if is_archive(library) else '--dynamic'
    lines = output_of('nm', table, '--defined-only', '--format=posix', library).splitlines()
    return set(line.split()[0] for line in lines if len(line.split()) > 1)


def dynamic_entries(library, tag):
    return re.findall(r'\(%s\).*\[(.*)\]' % tag, output_of('readelf', '-d', library))


def symbol_problems(library, script_path, headers):
    listed, exported = listed_functions(script_path), exported_symbols(library)
    declared = set().union(*map(declared_functions, headers))
    problems = ['listed but not declared: ' + name for name in sorted(listed - declared)]
    problems += ['declared but not listed: ' + name for name in sorted(declared - listed)]
    problems += ['listed but not exported: ' + name for name in sorted(listed - exported)]
    problems += ['exported but not listed: ' + name for name in sorted(exported - listed)]
    return problems


def calls_by_name(library):
    return set(re.findall(r'\b(vmaf_\w+) \+ ', output_of('readelf', '--relocs', '--wide', library)))


def loading_problems(library):
    problems = ['needs ' + name for name in dynamic_entries(library, 'NEEDED') if not RUNTIME.fullmatch(name)]
    problems += ['calls by name: ' + name for name in sorted(calls_by_name(library))]
    if dynamic_entries(library, 'SONAME') != [SONAME]:
        problems.append('soname is not ' + SONAME)
    return problems


def main(library, script_path, *headers):
    problems = symbol_problems(library, script_path, headers)
    if not is_archive(library):
        problems += loading_problems(library)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
