"""Makes the calls of vmaf-mcp that run the vmaf command, and compares their answers with the command's own."""

import asyncio
import json
import math
import os
import subprocess
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters, stdio_client

work = sys.argv[1]
tool = os.environ["VMAF_BIN"]
counts = {"passed": 0, "failed": 0}
PAIRS = {
    "8 bit": dict(ref=work + "/ref_8.yuv", dis=work + "/dis_8.yuv", width=320, height=240, pixfmt="420", bitdepth=8),
    "10 bit": dict(ref=work + "/ref_10.yuv", dis=work + "/dis_10.yuv", width=320, height=240, pixfmt="422", bitdepth=10),
}


def expect(what, is_so, shown=""):
    counts["passed" if is_so else "failed"] += 1
    print("  %s: %s" % (what, "as expected" if is_so else "DIFFERENT " + str(shown)[:500]))


def scores_by_hand(pair, output_format, options):
    with tempfile.TemporaryDirectory() as folder:
        output = folder + "/scores"
        subprocess.run(
            [tool, "-r", pair["ref"], "-d", pair["dis"], "-w", str(pair["width"]), "-h", str(pair["height"]),
             "-p", pair["pixfmt"], "-b", str(pair["bitdepth"]), "-q", "--" + output_format, "-o", output] + options,
            check=True, capture_output=True)
        with open(output, encoding="utf-8") as file:
            return file.read()


def without_speed(text):
    return [line for line in text.splitlines() if "fps" not in line]


class Server:
    def __init__(self, session):
        self.session = session

    async def call(self, name, **arguments):
        result = await self.session.call_tool(name, arguments)
        text = "".join(getattr(part, "text", "") for part in result.content)
        failed = getattr(result, "is_error", None) or getattr(result, "isError", None)
        return ("", text) if failed else (json.loads(text), "")

    async def expect_score(self, what, pair, by_hand, output_format="json", **arguments):
        answer, error = await self.call("vmaf_score", **pair, output_fmt=output_format, **arguments)
        if error:
            return expect(what, False, error)
        expected = scores_by_hand(pair, output_format, by_hand)
        if output_format != "json":
            return expect(what, without_speed(answer["output"]) == without_speed(expected), answer)
        expected = json.loads(expected)
        same = all(answer[part] == expected[part] for part in ("frames", "pooled_metrics", "aggregate_metrics"))
        expect(what, same and len(answer["frames"]) > 0, error)


async def check_facts(server):
    backends = json.loads(subprocess.run([tool, "--list-backends"], check=True, capture_output=True).stdout)["backends"]
    usable = {row["name"]: row["usable"] for row in backends}
    answer, error = await server.call("list_backends")
    expected = {name: usable.get(name, False) for name in ("cpu", "cuda", "sycl", "hip", "metal")}
    expect("list_backends", answer == expected, error or answer)

    version = subprocess.run([tool, "--version"], check=True, capture_output=True, text=True).stderr.strip()
    answer, error = await server.call("vmaf_version")
    expect("vmaf_version", not error and version.startswith(answer["version"]) and answer["build_flags"] == expected,
           error or answer)

    for backend in expected:
        answer, error = await server.call("probe_backend", backend=backend)
        healthy = not error and answer["runtime_healthy"] and math.isfinite(answer["score"])
        expect("probe_backend " + backend, not error and healthy == expected[backend], error or answer)


async def check_scores(server):
    for name, pair in PAIRS.items():
        for output_format in ("json", "xml", "csv", "sub"):
            await server.expect_score("%s as %s" % (name, output_format), pair, [], output_format)
        await server.expect_score(name + " with chroma", pair, ["--feature", "psnr"], feature=["psnr"])
    pair = PAIRS["8 bit"]
    for precision in ("legacy", "max", "full", "1", "9", "17"):
        await server.expect_score("precision " + precision, pair, ["--precision", precision], precision=precision)
    for model in ("version=vmaf_v0.6.1neg", "version=vmaf_b_v0.6.3", "version=vmaf_v0.6.1:name=x"):
        await server.expect_score(model, pair, ["-m", model], model=model)
    await server.expect_score("backend cpu", pair, ["--no_cuda"], backend="cpu")
    await server.expect_score("disable_clip", pair, ["-m", "version=vmaf_v0.6.1:disable_clip"], disable_clip=True)
    await server.expect_score("enable_transform", pair, ["-m", "version=vmaf_v0.6.1:enable_transform"],
                              enable_transform=True)
    await server.expect_score("features", pair, ["--feature", "psnr", "--feature", "float_ssim=enable_db=true"],
                              feature=["psnr", "float_ssim=enable_db=true"])
    await server.expect_score("aom_ctc", pair, ["-m", "version=vmaf_v0.6.1:name=other", "--aom_ctc", "v3.0"],
                              model="version=vmaf_v0.6.1:name=other", aom_ctc="v3.0")
    await server.expect_score("nflx_ctc", pair, ["-m", "version=vmaf_v0.6.1:name=other", "--nflx_ctc", "v1.0"],
                              model="version=vmaf_v0.6.1:name=other", nflx_ctc="v1.0")
    for option, value in (("subsample", 3), ("threads", 2), ("frame_cnt", 5), ("frame_skip_ref", 2),
                          ("frame_skip_dist", 3), ("cpumask", 4294967295), ("gpumask", 1)):
        await server.expect_score(option, pair, ["--" + option, str(value)], **{option: value})
    answer, error = await server.call("vmaf_score", **pair, no_prediction=True, feature=["psnr"])
    expect("no_prediction", not error and "vmaf" not in answer["pooled_metrics"] and "psnr_y" in answer["pooled_metrics"],
           error)
    for backend in ("sycl", "hip", "metal"):
        answer, error = await server.call("vmaf_score", **pair, backend=backend)
        expect("backend %s is refused" % backend, "does not advertise it" in error, error or answer)
    answer, error = await server.call("vmaf_score", **pair, model="version=vmaf_v0.61")
    expect("an unknown model is named with the nearest", "did you mean vmaf_v0.6.1?" in error, error or answer)


async def check_others(server):
    pair = PAIRS["8 bit"]
    by_hand = json.loads(scores_by_hand(pair, "json", []))
    scores = {frame["frameNum"]: frame["metrics"]["vmaf"] for frame in by_hand["frames"]}
    answer, error = await server.call("describe_worst_frames", **pair, n=3)
    worst = [] if error else [frame["frame_index"] for frame in answer["frames"]]
    expect("describe_worst_frames", worst == sorted(scores, key=lambda frame: (scores[frame], frame))[:3], error or answer)
    answer, error = await server.call("vmaf_score_encoded", reference_encoded=work + "/ref.mkv",
                                      distorted_encoded=work + "/dis.mkv")
    expect("vmaf_score_encoded", not error and answer["frames"] == by_hand["frames"], error)


async def main():
    parameters = StdioServerParameters(command=os.path.dirname(sys.executable) + "/vmaf-mcp", args=[], env=dict(os.environ))
    async with stdio_client(parameters) as (reading, writing), ClientSession(reading, writing) as session:
        await session.initialize()
        server = Server(session)
        await check_facts(server)
        await check_scores(server)
        await check_others(server)


asyncio.run(main())
print("%d passed, %d failed, 0 skipped" % (counts["passed"], counts["failed"]))
sys.exit(0 if counts["failed"] == 0 and counts["passed"] > 0 else 1)
