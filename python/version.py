"""Prints the version of the package: that of the library, as the root project has it. A wheel's version has no part behind "+" in an index."""
import pathlib
import re

root = pathlib.Path(__file__).parent / "subprojects" / "libvmaf" / "meson.build"
api, own = re.search(r"version: '([\d.]+)\+([\d.]+)'", root.read_text()).groups()
print(f"{api}+{own}")
