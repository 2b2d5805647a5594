#!/usr/bin/env python3
"""Prints a C file that defines every function that the headers declare, with nothing in it: what abidw reads of the library that is compiled from
it is the interface, and nothing of what is behind it. Enums are variables too, for some are only in the values that a client passes as an int. (That the library has these functions, with these types, its compiler and the test
exported_symbols see to.)

usage: describe.py HEADER...
"""
import os
import re
import sys

PROTOTYPE = re.compile(r'^(?:int|void|const \w+) \*?vmaf_\w+\([^;]*\);', re.MULTILINE)
ENUM = re.compile(r'^enum (Vmaf\w+) \{', re.MULTILINE)


def main(*headers):
    print('#pragma GCC diagnostic ignored "-Wunused-parameter"')
    for header in headers:
        print('#include "libvmaf/%s"' % os.path.basename(header))
    for header in headers:
        with open(header) as file:
            text = file.read()
        for prototype in PROTOTYPE.findall(text):
            print(prototype.removesuffix(';') + ' { __builtin_trap(); }')
        for enum in ENUM.findall(text):
            print('enum %s enum_%s;' % (enum, enum))


if __name__ == '__main__':
    main(*sys.argv[1:])
