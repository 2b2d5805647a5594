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
    file.write('#pragma once\n\n#include <string_view>\n\nnamespace vmaf::tool {\n\n'
               f'constexpr std::string_view kReportPage = R"page({text})page";\n\n}} // namespace vmaf::tool\n')
