"""The stubs of the compiled modules describe what these have."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from libvmaf import _core, _files


def stub_of(module):
    path = Path(module.__file__).with_name(module.__name__.rpartition(".")[2] + ".pyi")
    return ast.parse(path.read_text()).body


def members(body):
    return {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def arguments_of_stub(function):
    return [argument.arg for argument in function.args.args if argument.arg != "self"]


def arguments_of_binding(function):
    """Signature of a function: its docstring begins with it."""
    signature = re.match(r".*", function.__doc__ or "").group()
    parsed = ast.parse(f"def {signature.split(' -> ')[0]}: ...").body[0]
    return [argument.arg for argument in parsed.args.args if argument.arg != "self"]


@pytest.mark.parametrize("module", [_core, _files])
def test_stubs_have_all_names(module):
    stub = members(stub_of(module))
    assert set(stub) == {name for name in vars(module) if not name.startswith("__")}
    for name, node in stub.items():
        if isinstance(node, ast.FunctionDef):
            assert arguments_of_stub(node) == arguments_of_binding(getattr(module, name)), name
            continue
        if node.bases:  # an exception
            continue
        made = getattr(module, name)
        listed = members(node.body)
        present = {key for key in vars(made) if not key.startswith("__")}
        assert {key for key in listed if not key.startswith("__")} == present, name
        for key, method in listed.items():
            if not any(isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in method.decorator_list):
                assert arguments_of_stub(method) == arguments_of_binding(getattr(made, key)), f"{name}.{key}"
