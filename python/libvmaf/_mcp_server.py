"""The tools of the Model Context Protocol server `vmaf-mcp`."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, ParamSpec, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import EmbeddedResource, ImageContent, TextContent, TextResourceContents, ToolAnnotations
from pydantic import BaseModel, Field

import libvmaf as vm

from ._allowed_paths import AllowedPaths, RefusedPath
from ._options import Align, Display
from ._session import CHOSEN_VERSIONS
from ._worst_pictures import worst_pictures

__all__ = ["make_server"]

_MOST_WORST_FRAMES = 100
_MOST_PICTURES = 8
_MOST_REPORTED = 50
_CROP = "What is cut off the pictures of the {}: W:H:X:Y, L,R,T,B, auto (black bars) or none"
_ALIGN = (
    "How frames are paired: off, by number; check, the same with a warning if others fit better; "
    "offset, with one lag that is found; frames, with the reference frame that each one shows"
)
_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


class ModelFacts(BaseModel):
    """A built-in model."""

    version: str
    features: list[str]


class OptionFacts(BaseModel):
    """An option of a feature."""

    name: str
    type: str
    default: str
    range: str
    help: str


class FeatureFacts(BaseModel):
    """A feature, and the columns of scores that it writes."""

    name: str
    help: str
    outputs: list[str]
    better: dict[str, str] = Field(description="Of an output: whether higher or lower values are better")
    options: list[OptionFacts]


class GpuFacts(BaseModel):
    """A CUDA device."""

    index: int
    name: str
    memory_bytes: int


#: JSON has no infinite numbers.
Number = float | Literal["Infinity", "-Infinity"]


class Statistics(BaseModel):
    """Statistics of one column of scores; null if no frame has a score."""

    mean: Number | None
    harmonic_mean: Number | None
    min: Number | None
    p1: Number | None
    p5: Number | None
    median: Number | None
    p95: Number | None
    p99: Number | None
    max: Number | None
    stddev: Number | None
    scored: int
    missing: int


class FrameScore(BaseModel):
    """A frame's number, its time if the frame rate is known, and its score."""

    frame: int
    seconds: float | None
    score: Number


class Summary(BaseModel):
    """Summary of a clip's scores."""

    frames: int
    scores: dict[str, Statistics]
    better: dict[str, str] = Field(description="Of a score: whether higher or lower values are better")
    whole_clip: dict[str, Number | None] = Field(description="Values that belong to no frame")
    worst_by: str | None = Field(description="The column that `worst` goes by")
    worst: list[FrameScore] = Field(description="The worst frames, the worst first: the lowest, or the highest where lower is better")
    notes: list[str] = Field(description="Warnings, and what was decided on the way")
    library: str = Field(description="Version of libvmaf that answers")


class Raw(BaseModel):
    """Format of a raw planar file, which has no header."""

    width: int = Field(gt=0)
    height: int = Field(gt=0)
    pix_fmt: Literal["400", "420", "422", "444"] = "420"
    bpc: Literal[8, 10, 12, 16] = 8


Worst = Annotated[int, Field(ge=0, le=_MOST_WORST_FRAMES, description="How many of the worst frames are listed")]
WorstBy = Annotated[str | None, Field(description="The column that says which are worst; by default a model's, or the first")]
VideoPath = Annotated[str, Field(description="A file in the allowed folders, or numbered images: frame_%04d.png. Relative paths start in the first folder")]
ScoresPath = Annotated[str, Field(description="A score file (JSON, XML, CSV) in the allowed folders")]
Features = Annotated[
    list[str] | dict[str, dict[str, bool | int | float | str]],
    Field(description="Names as list_features has them, or {name: {option: value}}"),
]
Models = Annotated[
    list[str],
    Field(
        description="Versions as list_models has them, model files (.json) in the allowed folders, auto: the one for the height, "
        "or v1 or v0: VMAF v1 or v0 for the display and the frame rate. An empty list: features alone"
    ),
]


def make_server(files: AllowedPaths, threads: int | None = None) -> MCPServer[Any]:
    """Serves videos and score files of these folders. One pair is scored at a time."""
    server: MCPServer[Any] = MCPServer(
        "libvmaf",
        title="Video quality by libvmaf",
        instructions=(
            "Measures how good a distorted video looks compared with its reference: VMAF (0 to 100, higher is better) and other "
            f"features. Files are read in {', '.join(map(str, files.roots))} only; nothing is written."
        ),
        version=vm.version(),
        log_level="WARNING",
    )
    one_at_a_time = anyio.CapacityLimiter(1)

    def list_models() -> list[ModelFacts]:
        """Lists the built-in models with the features of each."""
        return [ModelFacts(version=model.version, features=list(model.features)) for model in vm.models().values()]

    def list_features(
        name: Annotated[str | None, Field(description="Only this one")] = None,
    ) -> list[FeatureFacts]:
        """Lists the metrics besides models: PSNR, SSIM, CAMBI and others, with their options and columns of scores."""
        found = [feature for feature in vm.features().values() if name in (None, feature.name)]
        if not found:
            raise ValueError(f"there is no feature {name!r}; there are {', '.join(vm.features())}")
        return [
            FeatureFacts(
                name=feature.name,
                help=feature.help,
                outputs=list(feature.outputs),
                better={score.name: score.better for score in feature.scores.values() if score.better},
                options=[OptionFacts(**dataclasses.asdict(option)) for option in feature.options.values()],
            )
            for feature in found
        ]

    def list_gpus() -> list[GpuFacts]:
        """Lists the CUDA devices that can score."""
        return [GpuFacts(**dataclasses.asdict(gpu)) for gpu in vm.gpus()]

    def summarize_report(
        path: ScoresPath,
        worst: Worst = 5,
        worst_by: WorstBy = None,
    ) -> Summary:
        """Summarises a score file of the tool `vmaf`, ffmpeg's filter libvmaf or this package."""
        return _summary(vm.read_scores(files.file(path)), worst, worst_by)

    def report(
        scores: Annotated[list[ScoresPath], Field(min_length=1, max_length=_MOST_REPORTED, description="Score files of encodes of one reference")],
    ) -> list[EmbeddedResource]:
        """Makes an HTML report of score files: curves, statistics and worst frames. With several encodes it also shows quality over bitrate."""
        results = [vm.read_scores(files.file(path)) for path in scores]
        page = TextResourceContents(uri="vmaf://report.html", mime_type="text/html", text=vm.html_report(results, scores))
        return [EmbeddedResource(type="resource", resource=page)]

    async def show_worst_frames(
        reference: VideoPath,
        distorted: VideoPath,
        models: Models = ["auto"],
        features: Annotated[list[str], Field(description="Names as list_features has them")] = [],
        gpu: Annotated[Literal["auto", "cpu"] | int, Field(description="auto: the first GPU if there is one; or its number")] = "auto",
        raw: Annotated[Raw | None, Field(description="Format of raw planar files, which cannot be read without it")] = None,
        count: Annotated[int, Field(ge=1, le=_MOST_PICTURES, description="How many frames, at least a second apart")] = 3,
    ) -> list[TextContent | ImageContent]:
        """Scores two videos and shows the worst frames: the place of the largest error, pixel for pixel, in both videos."""
        arguments = ["-r", str(files.video(reference)), "-d", str(files.video(distorted)), "--pictures", str(count)]
        for model in models:
            arguments += ["-m", f"path={files.file(model)}" if model.endswith(".json") else _known_model(model)]
        arguments += [] if models else ["-n"]
        for feature in features:
            arguments += ["--feature", _known_feature(feature)]
        arguments += ["--gpu", "none" if gpu == "cpu" else str(gpu)]
        if threads is not None:
            arguments += ["--threads", str(threads)]
        if raw is not None:
            arguments += ["-w", str(raw.width), "-h", str(raw.height), "-p", raw.pix_fmt, "-b", str(raw.bpc)]
        async with one_at_a_time:
            order, looks = await worst_pictures(arguments)
        if not looks:
            raise ValueError("there are no pictures: the videos cannot be read again, or no frame has a score")
        shown: list[TextContent | ImageContent] = [TextContent(type="text", text=f"The {order}.")]
        for look in looks:
            shown.append(TextContent(type="text", text=f"Frame {look.frame}: {look.score}. Reference, distorted, and the difference of luma."))
            for kind in ("reference", "distorted", "difference"):
                shown.append(ImageContent(type="image", data=look.pictures[kind], mime_type="image/png"))
        return shown

    async def score(
        context: Context[Any, Any],
        reference: VideoPath,
        distorted: VideoPath,
        models: Models = ["auto"],
        features: Features = [],
        gpu: Annotated[Literal["auto", "cpu"] | int, Field(description="auto: the first GPU if there is one; or its number")] = "auto",
        subsample: Annotated[int, Field(ge=1, description="Score every n-th frame")] = 1,
        skip: Annotated[int, Field(ge=0, description="Frames left out at the start")] = 0,
        count: Annotated[int | None, Field(ge=1, description="Largest number of frames to score")] = None,
        raw: Annotated[Raw | None, Field(description="Format of raw planar files, which cannot be read without it")] = None,
        allow_fps_mismatch: Annotated[bool, Field(description="Compare by frame number although frame rates differ")] = False,
        crop_ref: Annotated[str, Field(description=_CROP.format("reference"))] = "none",
        crop_dist: Annotated[str, Field(description=_CROP.format("distorted video"))] = "none",
        display: Annotated[Display, Field(description="Display: both videos are scaled to just fit it")] = "none",
        align: Annotated[Align, Field(description=_ALIGN)] = "check",
        offset: Annotated[int | str, Field(description="How late the distorted video is, in frames, or in seconds as in 0.5s")] = 0,
        autorotate: Annotated[bool, Field(description="Turn pictures as their files say")] = True,
        fps: Annotated[str | None, Field(description="Frames per second of numbered images: 25 or 24000/1001")] = None,
        worst: Worst = 5,
        worst_by: WorstBy = None,
    ) -> Summary:
        """Scores a distorted video against its reference, with VMAF (the model for the video's height) and the features that you name."""

        def progress(frames: int, expected: int | None) -> None:
            anyio.from_thread.check_cancelled()  # its exception ends the scoring
            anyio.from_thread.run(context.report_progress, frames, expected)

        result = await anyio.to_thread.run_sync(
            functools.partial(
                vm.score,
                files.video(reference),
                files.video(distorted),
                models=[str(files.file(model)) if model.endswith(".json") else model for model in models],
                features=_without_paths(features),
                gpu=None if gpu == "cpu" else gpu,
                threads=threads,
                subsample=subsample,
                skip=skip,
                count=count,
                raw=None if raw is None else (raw.width, raw.height, raw.pix_fmt, raw.bpc),
                allow_fps_mismatch=allow_fps_mismatch,
                crop_ref=crop_ref,
                crop_dist=crop_dist,
                display=display,
                align=align,
                offset=offset,
                autorotate=autorotate,
                fps=fps,
                progress=progress,
            ),
            limiter=one_at_a_time,
        )
        return _summary(result, worst, worst_by)

    reads_only = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    for tool in (list_models, list_features, list_gpus, summarize_report, report):
        server.add_tool(_with_clear_errors(tool), annotations=reads_only)
    for awaited in (score, show_worst_frames):
        server.add_tool(_awaited_with_clear_errors(awaited), annotations=reads_only)
    return server


_EXPECTED = (ValueError, TypeError, OSError, MemoryError)


def _clear(error: Exception) -> ToolError:
    return ToolError(str(error) or type(error).__name__)


def _with_clear_errors(tool: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
    """Turn exceptions into the SDK's own, because it hides the text of all others."""

    @functools.wraps(tool)
    def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Answer:
        try:
            return tool(*args, **kwargs)
        except _EXPECTED as error:
            raise _clear(error) from error

    return call


def _awaited_with_clear_errors(tool: Callable[_Arguments, Awaitable[_Answer]]) -> Callable[_Arguments, Awaitable[_Answer]]:
    @functools.wraps(tool)
    async def call(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Answer:
        try:
            return await tool(*args, **kwargs)
        except _EXPECTED as error:
            raise _clear(error) from error

    return call


def _without_paths(features: Features) -> Features:
    """The features, if none of their options writes files."""
    for name, options in features.items() if isinstance(features, dict) else ():
        known = vm.features().get(name.removesuffix("_cuda"))
        folder = known.option_with("folder") if known else None
        if folder and folder.name in options:
            raise RefusedPath(f"{name}: the option {folder.name} writes files, which this server does not")
    return features


def _known_model(version: str) -> str:
    """The version, if it is a model's. Text that the tool could read as a path or as options is refused."""
    if version not in vm.models() and version not in CHOSEN_VERSIONS:
        raise ValueError(f"there is no built-in model {version!r}, and a file's name ends in .json")
    return version


def _known_feature(name: str) -> str:
    if name not in vm.features():
        raise ValueError(f"there is no feature {name!r}; there are {', '.join(vm.features())}")
    return name


def _summary(result: vm.Result, worst: int, worst_by: str | None) -> Summary:
    if worst_by is not None and worst_by not in result.frames:
        raise ValueError(f"worst_by: there is no column {worst_by!r}; there are {', '.join(result.frames)}")
    by = worst_by or _leading_column(result)
    return Summary(
        frames=len(result),
        scores={
            name: Statistics.model_validate({key: _number(value) for key, value in dataclasses.asdict(pooled).items()})
            for name, pooled in result.pooled.items()
        },
        better={name: better for name in result.frames if (better := vm.better(name))},
        whole_clip={name: _number(value) for name, value in result.aggregate.items()},
        worst_by=by,
        worst=[] if by is None else _worst_frames(result, by, worst),
        notes=list(result.notes),
        library=vm.version(),
    )


def _leading_column(result: vm.Result) -> str | None:
    """The first column whose name looks like a model's, else the first column."""
    names = list(result.frames)
    return next((name for name in names if name.startswith("vmaf")), names[0] if names else None)


def _worst_frames(result: vm.Result, column: str, count: int) -> list[FrameScore]:
    sign = -1 if vm.better(column) == "lower" else 1
    scored = [(sign * float(score), int(frame)) for frame, score in zip(result.index, result.frames[column]) if not math.isnan(score)]
    rate = result.frame_rate
    return [
        FrameScore(frame=frame, seconds=frame / rate if rate else None, score=_number(sign * score))
        for score, frame in sorted(scored)[:count]
    ]


def _number(value: float) -> Any:
    """The number with six decimals, as in score files."""
    if math.isnan(value):
        return None
    return round(value, 6) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
