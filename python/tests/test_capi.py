"""capi has what the C headers have: each function with its parameters, each structure with its fields at their offsets."""

from __future__ import annotations

import ctypes
import inspect
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from libvmaf import capi

INCLUDE = Path(__file__).parents[2] / "include"
HEADERS = sorted((INCLUDE / "libvmaf").glob("*.h"))
COMPILER = shutil.which("c++")

FUNCTION = re.compile(r"^(?:int|void|const \w+) \*?(vmaf_\w+)\(", re.MULTILINE)

#: A program that prints the types of functions and the layouts of structures.
PROGRAM = """
#include <cstddef>
#include <cstdio>
#include <type_traits>
{includes}
template <class T> void kind()
{{
    if constexpr (std::is_void_v<T>)
        std::printf(" void");
    else
        std::printf(" %s%zu", std::is_pointer_v<T> ? "pointer" : std::is_floating_point_v<T> ? "real" : std::is_class_v<T> ? "struct" : "integer", sizeof(T));
}}
template <class Result, class... Arguments> void show(const char *name, Result (*)(Arguments...))
{{
    std::printf("%s", name);
    kind<Result>();
    (kind<Arguments>(), ...);
    std::printf("\\n");
}}
using VmafPictureParameters = decltype(VmafPictureConfiguration::pic_params); // which has no name in C
int main()
{{
{statements}
}}
"""

needs_headers = pytest.mark.skipif(not HEADERS, reason="the headers are not beside the tests")
needs_compiler = pytest.mark.skipif(not HEADERS or COMPILER is None, reason="no headers, or no compiler")


def declared():
    return {name for header in HEADERS for name in FUNCTION.findall(header.read_text())}


def kind(type_):
    """The type's name as the program prints it."""
    if type_ is None:
        return "void"
    if issubclass(type_, ctypes.Structure):
        word = "struct"
    elif type_ is ctypes.c_double:
        word = "real"
    elif issubclass(type_, (ctypes._Pointer, ctypes._CFuncPtr, ctypes.c_void_p, ctypes.c_char_p)):
        word = "pointer"
    else:
        word = "integer"
    return f"{word}{ctypes.sizeof(type_)}"


def structures():
    return dict(inspect.getmembers(capi, lambda member: inspect.isclass(member) and issubclass(member, ctypes.Structure) and member is not ctypes.Structure))


@needs_headers
def test_every_function_is_there():
    assert len(declared()) > 40
    assert set(capi.functions) == declared()
    for name in declared():
        assert getattr(capi, name) is capi.functions[name]


@pytest.mark.skipif(shutil.which("nm") is None, reason="no nm")
def test_what_the_library_exports_is_there():
    listed = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--format=posix", capi.library._name], check=True, capture_output=True, text=True
    ).stdout
    assert set(capi.functions) == {line.split()[0] for line in listed.splitlines() if len(line.split()) > 1 and line.split()[1] == "T"}


@needs_compiler
def test_parameters_and_layouts_are_the_headers(tmp_path):
    collection = {"bagging_score": "bootstrap.bagging_score", "stddev": "bootstrap.stddev", "ci_p95_lo": "bootstrap.ci.p95.lo", "ci_p95_hi": "bootstrap.ci.p95.hi"}  # fmt: skip
    statements, expected = [], []
    for name, function in sorted(capi.functions.items()):
        statements.append(f'    show("{name}", &{name});')
        expected.append(" ".join([name, kind(function.restype), *map(kind, function.argtypes)]))
    for name, structure in structures().items():
        statements.append(f'    std::printf("{name} %zu\\n", sizeof({name}));')
        expected.append(f"{name} {ctypes.sizeof(structure)}")
        for field, type_ in structure._fields_:
            there = collection.get(field, field) if name == "VmafModelCollectionScore" else field
            statements.append(
                f'    std::printf("{name}.{field} %zu %zu\\n", offsetof({name}, {there}), sizeof(static_cast<{name} *>(nullptr)->{there}));'
            )
            expected.append(f"{name}.{field} {getattr(structure, field).offset} {ctypes.sizeof(type_)}")
    includes = "".join(f"#include <libvmaf/{header.name}>\n" for header in HEADERS)
    source = tmp_path / "layout.cpp"
    source.write_text(PROGRAM.format(includes=includes, statements="\n".join(statements)))
    subprocess.run(
        # The program uses the functions' addresses and calls none.
        [COMPILER, "-std=c++17", "-w", f"-I{INCLUDE}", "-o", tmp_path / "layout", source, capi.library._name,
         f"-Wl,-rpath,{Path(capi.library._name).parent}"],
        check=True,
    )  # fmt: skip
    said = subprocess.run([tmp_path / "layout"], check=True, capture_output=True, text=True).stdout
    assert said.splitlines() == expected
