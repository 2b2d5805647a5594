"""dir(), help() and messages use Python's words."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import inspect
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import libvmaf as vm
from libvmaf import _options, capi
from libvmaf._words import in_keywords
from made_videos import make_frame, write_y4m


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


def test_a_frames_keywords_are_shown():
    shown = pydoc.render_doc(vm.Frame, renderer=pydoc.plaintext)
    for words in ("pix_fmt: str = '420'", "layout: str = 'planar'", "copy: bool = False", "copy     True: "):
        assert words in shown, words


def test_a_keyword_that_there_is_not():
    with pytest.raises(TypeError, match="there is no keyword 'scales': did you mean 'scale'?"):
        vm.score("a", "b", scales="ref")
    with pytest.raises(TypeError, match="there is no keyword 'zzzz'$"):
        vm.OpenVideos("a", [], zzzz=1)


LUMA = np.zeros((64, 64), np.uint8)


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"features": ["ssim"]}, ValueError, "there is no feature 'ssim': did you mean 'float_ssim'?"),
        ({"features": {"MS_SSIM": {}}}, ValueError, "there is no feature 'MS_SSIM': did you mean 'float_ms_ssim'?"),
        ({"features": ["PSNR"]}, ValueError, "there is no feature 'PSNR': did you mean 'psnr'?"),
        ({"features": ["qqqq"]}, ValueError, "there is no feature 'qqqq'"),
        ({"models": "vmaf_v0.6.2"}, ValueError, "there is no built-in model 'vmaf_v0.6.2', and a file's name ends in .json: did you mean 'vmaf_v0.6.1'?"),
        ({"threads": -1}, ValueError, "threads is -1: a number from 0 on is needed"),
        ({"threads": "4"}, TypeError, "threads is '4': a whole number is needed"),
        ({"subsample": 0}, ValueError, "subsample is 0: a number from 1 on is needed"),
        ({"gpu": "first"}, ValueError, "gpu is 'first': a number, True, False, None, 'auto' or a Vulkan device such as 'vk0' is needed"),
        ({"gpu": -1}, ValueError, "gpu is -1: a number from 0 on is needed"),
    ],
)  # fmt: skip
def test_what_a_session_refuses(options, error, reason):
    with pytest.raises(error, match=f"^{re.escape(reason)}$"):
        vm.Session(**{"features": ["psnr"], "gpu": None} | options)


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"skip": -1}, ValueError, "skip is -1: a number from 0 on is needed"),
        ({"skip": (0, 1.5)}, TypeError, "skip is 1.5: a whole number is needed"),
        ({"count": -2}, ValueError, "count is -2: a number from 0 on is needed"),
        ({"gpu": "first"}, ValueError, "gpu is 'first'"),
        ({"features": "ssim"}, ValueError, "did you mean 'float_ssim'?"),
        ({"models": "vmaf_v0.6.2"}, ValueError, "did you mean 'vmaf_v0.6.1'?"),
        ({"raw": (1,)}, TypeError, "height"),
    ],
)
def test_what_files_are_not_scored_with(tmp_path, options, error, reason):
    path = write_y4m(tmp_path / "a.y4m", [make_frame(0)])
    with pytest.raises(error, match=re.escape(reason)):
        vm.score(path, path, **{"gpu": None} | options)


def test_numbers_may_be_numpys():
    with vm.Session(features=["psnr"], threads=np.int64(0), subsample=np.int32(1)) as session:
        session.read(LUMA, LUMA)
        assert len(session.finish()) == 1


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
        ("--sample needs 40 frames, and --sample needs all", "sample needs 40 frames, and sample needs all"),
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
    """Each option that the readers' sources name has a keyword."""
    readers = Path(__file__).resolve().parents[2] / "readers"
    if not readers.is_dir():
        pytest.skip("no sources")
    named = {name for path in readers.rglob("*.cpp") for name in re.findall(r'"[^"\n]*?--([a-z_]+)', path.read_text())}
    assert len(named) > 15
    for name in named - {"matrix_", "crop_", "frame_skip_ref", "frame_skip_dist"}:
        assert in_keywords(f"--{name} 5 x") != f"--{name} 5 x", name
