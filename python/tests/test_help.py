"""What dir(), help() and messages say is in Python's words."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import inspect
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import libvmaf as vm
from libvmaf import _options, capi
from libvmaf._words import in_keywords


@pytest.mark.parametrize("function", [vm.score, vm.score_encodes, vm.OpenVideos])
def test_every_keyword_is_shown_with_its_default(function):
    parameters = inspect.signature(function).parameters
    assert list(parameters)[:2] == ["reference", "distorted"]
    keywords = {name: parameter for name, parameter in parameters.items() if parameter.kind is inspect.Parameter.KEYWORD_ONLY}
    assert len(parameters) == 2 + len(keywords)
    assert {name: parameter.default for name, parameter in keywords.items()} == {
        field.name: field.default for field in dataclasses.fields(_options.Options)
    }
    assert set(keywords) == set(_options.ReadingOptions.__annotations__) | set(_options.ScoreOptions.__annotations__)
    shown = pydoc.render_doc(function, renderer=pydoc.plaintext)
    for words in ("models: 'Models' = 'auto'", "align: Literal['off', 'check', 'offset', 'frames'] = 'check'", "count: 'int | None' = None"):
        assert words in " ".join(shown.split()), words


def test_a_keyword_that_there_is_not():
    with pytest.raises(TypeError, match="there is no keyword 'scales': did you mean 'scale'?"):
        vm.score("a", "b", scales="ref")
    with pytest.raises(TypeError, match="there is no keyword 'zzzz'$"):
        vm.OpenVideos("a", [], zzzz=1)


def test_dir_has_what_there_is():
    program = "import libvmaf; print(*dir(libvmaf)); assert not [n for n in libvmaf.__all__ if not hasattr(libvmaf, n)]; from libvmaf import *; score, SegmentStart"
    names = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.split()
    assert {*vm.__all__, "__version__", "capi"} <= set(names)
    assert "vmaf_read_pictures" in dir(capi)


def test_version():
    assert vm.__version__ == vm.version()
    assert vm.__version__.split("+")[0] == importlib.metadata.version("libvmaf").split("+")[0]


@pytest.mark.parametrize(
    ("of_the_tool", "of_python"),
    [
        ("a.mp4 is 8x6, b.mp4 is 4x3: --scale ref scales the second to the first, --scale WxH both",
         'a.mp4 is 8x6, b.mp4 is 4x3: scale="ref" scales the second to the first, scale="WxH" both'),
        ("--display 4k scales both videos, and --scale says otherwise: leave one of them out",
         'display="4k" scales both videos, and scale says otherwise: leave one of them out'),
        ("b.mp4 is 2 frames late: --offset 2, or --align offset", 'b.mp4 is 2 frames late: offset=2, or align="offset"'),
        (": --align offset reads more of them, or give the right one with --offset N", ': align="offset" reads more of them, or give the right one with offset=N'),
        ("--offset 0.5s: the videos say no frame rate", 'offset="0.5s": the videos say no frame rate'),
        ("a URL is read only with --allow_network", "a URL is read only with allow_network=True"),
        ("compare frame by frame all the same: --allow_fps_mismatch", "compare frame by frame all the same: allow_fps_mismatch=True"),
        ("--deinterlace does nothing: (--filter_ref yadif=1 --filter_dist yadif=1 deinterlaces both)",
         'deinterlace=True does nothing: (filter_ref="yadif=1" filter_dist="yadif=1" deinterlaces both)'),
        ("--deinterlace, --filter_ref and --filter_dist: this vmaf", "deinterlace=True, filter_ref and filter_dist: this vmaf"),
        ("supported (--no_autorotate scores pictures as they are stored)", "supported (autorotate=False scores pictures as they are stored)"),
        ("the crop: --crop_ref 98:80:22:16 does", 'the crop: crop_ref="98:80:22:16" does'),
        ("rows fill it up: --crop_dist auto?", 'rows fill it up: crop_dist="auto"?'),
        ("--background composes what is read as media (--ref_format, --dist_format)", "background composes what is read as media (ref_format, dist_format)"),
        ("--background 000000 composes it over a colour", 'background="000000" composes it over a colour'),
        ("b does not say its matrix (--matrix_dist bt601, bt709 or bt2020)", 'b does not say its matrix (matrix_dist="bt601", bt709 or bt2020)'),
        ("--frame_cnt 8 ends before, --frame_skip_ref 9 --frame_skip_dist 9 begins after", "count=8 ends before, skip=(9, 9) begins after"),
        ("the reference's colour: --feature cvvdp=yuv_matrix=1:display=standard_4k",
         'the reference\'s colour: features={"cvvdp": {"yuv_matrix": 1, "display": "standard_4k"}}'),
        ("--feature cvvdp=transfer=... says what to take", 'features={"cvvdp": {"transfer": ...}} says what to take'),
        ("see: -m v1, or --feature ciede", 'see: models="v1", or features=["ciede"]'),
        ("-m auto takes the model for the height", 'models="auto" takes the model for the height'),
        ("a late one (an error with --strict)", "a late one (an error with strict=True)"),
        ("wrong: --filter_dist setsar=4/3)", 'wrong: filter_dist="setsar=4/3")'),
        ("my-m file--x.mp4 - nothing, --what else", "my-m file--x.mp4 - nothing, --what else"),
    ],
)  # fmt: skip
def test_messages_name_keywords(of_the_tool, of_python):
    assert in_keywords(of_the_tool) == of_python


def test_no_option_of_the_readers_is_left():
    """Each that their sources name has a keyword."""
    readers = Path(__file__).resolve().parents[2] / "readers"
    if not readers.is_dir():
        pytest.skip("no sources")
    import re

    named = {name for path in readers.rglob("*.cpp") for name in re.findall(r'"[^"\n]*?--([a-z_]+)', path.read_text())}
    assert len(named) > 15
    for name in named - {"matrix_", "crop_", "frame_skip_ref", "frame_skip_dist"}:
        assert in_keywords(f"--{name} 5 x") != f"--{name} 5 x", name
