#!/usr/bin/env python3
"""Prints a C file that defines every function of the headers, with an empty body. abidw reads the library that is compiled from it: the
interface and nothing behind it. Enums are variables too, because clients pass the values of some only as int. The compiler and the test
exported_symbols check that the real library has these functions with these types.

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
