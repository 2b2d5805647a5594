"""Messages of the readers name options of the tool `vmaf`. Here they get the names of Python's keywords."""

from __future__ import annotations

import json
import re

from ._options import Options

__all__ = ["in_keywords"]

_OTHER_NAMES = {"frame_cnt": "count", "m": "models"}
_FLAGS = {name for name, field in Options.__dataclass_fields__.items() if field.type == "bool"}
_BOTH_SKIPPED = re.compile(r"--frame_skip_ref (\d+) --frame_skip_dist (\d+)")
#: An option, and the word behind it if that is a value rather than the next word of the sentence.
_OPTION = re.compile(r"(?<![\w-])--?([a-z][a-z_]*)\b(?: (?!(?:and|composes|needs|or|says)\b)(\S+?)(?=[,;:)?]*(?:\s|$)))?")


def in_keywords(text: str) -> str:
    """The same text with keywords of score(): `--align frames` becomes `align="frames"`."""
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
    """Numbers, and what stands for one, have no quotes."""
    return value if re.fullmatch(r"-?(?:0|[1-9]\d*)|N|\.\.\.", value) else json.dumps(value, ensure_ascii=False)
