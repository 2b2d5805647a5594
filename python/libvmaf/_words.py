"""Messages of the readers name options of the tool `vmaf`. Here they get the names of Python's keywords."""

from __future__ import annotations

import json
import re

from ._options import Options

__all__ = ["in_keywords"]

_OTHER_NAMES = {"frame_cnt": "count", "m": "models"}
_FLAGS = {name for name, field in Options.__dataclass_fields__.items() if field.type == "bool"}
_BOTH_SKIPPED = re.compile(r"--frame_skip_ref (\d+) --frame_skip_dist (\d+)")
#: An option and its value. The next word of a sentence is not a value.
_OPTION = re.compile(r"(?<![\w-])--?([a-z][a-z_]*)\b(?: (?!(?:and|composes|needs|or|says)\b)(\S+?)(?=[,;:)?]*(?:\s|$)))?")


def in_keywords(text: str) -> str:
    """The text with keywords of score() instead of options: `--align frames` becomes `align="frames"`."""
    return _OPTION.sub(_keyword, _BOTH_SKIPPED.sub(r"skip=(\1, \2)", text))


def _keyword(option: re.Match[str]) -> str:
    value = option[2]
    name = _OTHER_NAMES.get(option[1], option[1])
    behind = "" if value is None else f" {value}"
    if name == "feature" and value is not None:
        return f"features={_features(value)}"
    if name.removeprefix("no_") in _FLAGS:
        return f"{name.removeprefix('no_')}={not name.startswith('no_')}{behind}"
    if name not in Options.__dataclass_fields__:
        return option[0]
    return name if value is None else f"{name}={_literal(value)}"


def _features(spec: str) -> str:
    name, *options = re.split(r"[=:]", spec)
    values = ", ".join(f'"{key}": {_literal(value)}' for key, value in zip(options[::2], options[1::2]))
    return f'{{"{name}": {{{values}}}}}' if values else f'["{name}"]'


def _literal(value: str) -> str:
    """The value as Python text. Numbers, and placeholders for numbers, have no quotes."""
    return value if re.fullmatch(r"-?(?:0|[1-9]\d*)|N|\.\.\.", value) else json.dumps(value, ensure_ascii=False)
