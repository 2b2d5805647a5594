#!/usr/bin/env python3
"""Joins the report's page, style and scripts into one C++ constant: embed.py PAGE STYLE SCRIPT... OUTPUT"""
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


page, style, *scripts, output = sys.argv[1:]
parts = {"style": read(style), "script": "\n".join(map(read, scripts))}
text = read(page)
for name, part in parts.items():
    mark = "{{" + name + "}}"
    if text.count(mark) != 1 or "{{" in part or "</script" in part:
        sys.exit(f"{page}: {mark} must be there once, and what takes its place must have no marks or ends of its own")
    text = text.replace(mark, part)
if ')page"' in text:
    sys.exit(f'{page}: )page" would end the C++ constant')
with open(output, "w", encoding="utf-8") as file:
    # No compiler that builds the tool has the limit of 65,536 characters that Clang warns of.
    file.write('#pragma once\n\n#include <string_view>\n\n'
               '#ifdef __clang__\n#pragma clang diagnostic ignored "-Woverlength-strings"\n#endif\n\nnamespace vmaf::tool {\n\n'
               f'constexpr std::string_view kReportPage = R"page({text})page";\n\n}} // namespace vmaf::tool\n')
