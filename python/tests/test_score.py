"""Scores of files equal those of the same frames as arrays."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading

import pytest

import libvmaf as vm
from made_videos import make_frame, write_raw, write_y4m

FRAMES = 5


def pairs(**options):
    return [(make_frame(i, **options), make_frame(i, noise=2, **options)) for i in range(FRAMES)]


def of_arrays(frames, bpc=8, **options):
    with vm.Session(threads=0, bpc=bpc, **options) as session:
        for ref, dis in frames:
            session.read(ref, dis)
        return session.finish()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("videos")
    frames = pairs()
    write_y4m(folder / "ref.y4m", [ref for ref, _ in frames])
    write_y4m(folder / "dis.y4m", [dis for _, dis in frames])
    write_y4m(folder / "short.y4m", [dis for _, dis in frames[:3]])
    write_y4m(folder / "small.y4m", [make_frame(i, width=88, height=72) for i in range(FRAMES)])
    write_y4m(folder / "slow.y4m", [dis for _, dis in frames], rate="10:1")
    (folder / "text.y4m").write_text("nothing of a video")
    (folder / "cut.y4m").write_bytes((folder / "dis.y4m").read_bytes()[:-1000])
    return folder


def test_y4m(folder):
    expected = of_arrays(pairs(), models="vmaf_v0.6.1", features=["psnr"])
    result = vm.score(folder / "ref.y4m", str(folder / "dis.y4m"), models="vmaf_v0.6.1", features=["psnr"], gpu=None)
    assert set(result.frames) == set(expected.frames)
    for name, scores in expected.frames.items():
        assert result.frames[name].tolist() == scores.tolist()
    assert result.frame_rate == 25
    assert result.notes == ()


def test_xpsnr_knows_the_frame_rate(tmp_path):
    frames = pairs()
    write_y4m(tmp_path / "ref.y4m", [ref for ref, _ in frames], rate="50:1")
    write_y4m(tmp_path / "dis.y4m", [dis for _, dis in frames], rate="50:1")
    fast, slow = (of_arrays(frames, features={"xpsnr": {"fps": rate}}).frames["xpsnr_y"].tolist() for rate in (50, 25))
    assert fast != slow

    def scores(features):
        return vm.score(tmp_path / "ref.y4m", tmp_path / "dis.y4m", features=features, gpu=None).frames["xpsnr_y"].tolist()

    assert scores(["xpsnr"]) == fast
    assert scores({"xpsnr": {"fps": 25}}) == slow


def test_the_model_is_that_for_the_height(folder):
    expected = of_arrays(pairs(), models="vmaf_v0.6.1")
    result = vm.score(folder / "ref.y4m", folder / "dis.y4m", gpu=None)
    assert result.frames["vmaf"].tolist() == expected.frames["vmaf"].tolist()
    named = vm.score(folder / "ref.y4m", folder / "dis.y4m", models={"mine": "auto"}, gpu=None)
    assert named.frames["mine"].tolist() == expected.frames["vmaf"].tolist()


def test_the_model_stays_where_features_are_named(folder):
    pair = (folder / "ref.y4m", folder / "dis.y4m")
    model = of_arrays(pairs(), models="vmaf_v0.6.1").frames["vmaf"].tolist()
    psnr = of_arrays(pairs(), features=["psnr"]).frames["psnr_y"].tolist()
    for result in (vm.score(*pair, features=["psnr"], gpu=None), vm.score_encodes(*pair[:1], pair[1:], features="psnr", gpu=None)[0]):
        assert (result.frames["vmaf"].tolist(), result.frames["psnr_y"].tolist()) == (model, psnr)
    for nothing in ([], (), {}):
        assert "vmaf" not in vm.score(*pair, models=nothing, features=["psnr"], gpu=None).frames
        with pytest.raises(ValueError, match="nothing to score"):
            vm.score(*pair, models=nothing, gpu=None)


@pytest.mark.parametrize(("pix_fmt", "bpc"), [("420", 8), ("422", 10), ("444", 12), ("400", 16)])
def test_raw(tmp_path, pix_fmt, bpc):
    frames = pairs(pix_fmt=pix_fmt, bpc=bpc)
    ref = write_raw(tmp_path / "ref.yuv", [ref for ref, _ in frames])
    dis = write_raw(tmp_path / "dis.yuv", [dis for _, dis in frames])
    result = vm.score(ref, dis, features=["psnr"], raw=vm.RawVideo(176, 144, pix_fmt, bpc), gpu=None)
    expected = of_arrays(frames, bpc=bpc, features=["psnr"])
    for name, scores in expected.frames.items():
        assert result.frames[name].tolist() == scores.tolist()


def test_a_part(folder):
    expected = of_arrays(pairs()[1:3], features=["psnr"])
    result = vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], skip=1, count=2, gpu=None)
    assert result.frames["psnr_y"].tolist() == expected.frames["psnr_y"].tolist()
    ref, dis = zip(*pairs())
    shifted = of_arrays(list(zip(ref[2:], dis)), features=["psnr"])
    result = vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], skip=(2, 0), gpu=None)
    assert result.frames["psnr_y"].tolist() == shifted.frames["psnr_y"].tolist()


def test_several_encodes(folder):
    names = ["dis.y4m", "ref.y4m", "dis.y4m"]
    results = vm.score_encodes(folder / "ref.y4m", [folder / name for name in names], features=["psnr", "motion"], gpu=None)
    for name, result in zip(names, results):
        alone = vm.score(folder / "ref.y4m", folder / name, features=["psnr", "motion"], gpu=None)
        for column, scores in alone.frames.items():
            assert result.frames[column].tolist() == scores.tolist()
    assert vm.score_encodes(folder / "ref.y4m", []) == []


def test_each_encode_goes_to_its_own_end(folder):
    for names in (["short.y4m", "dis.y4m"], ["dis.y4m", "short.y4m"]):
        results = vm.score_encodes(folder / "ref.y4m", [folder / name for name in names], features=["psnr", "motion"], gpu=None)
        for name, result in zip(names, results):
            alone = vm.score(folder / "ref.y4m", folder / name, features=["psnr", "motion"], gpu=None)
            assert (len(result), result.notes) == (len(alone), alone.notes)
            for column, scores in alone.frames.items():
                assert result.frames[column].tolist() == scores.tolist()


def test_a_video_that_ends_first_is_noted(folder):
    result = vm.score(folder / "ref.y4m", folder / "short.y4m", features=["psnr"], gpu=None)
    assert len(result) == 3
    assert len(result.notes) == 1 and "short.y4m" in result.notes[0] and "ended before" in result.notes[0]
    with pytest.raises(vm.VideoError, match="ended before"):
        vm.score(folder / "ref.y4m", folder / "short.y4m", features=["psnr"], strict=True, gpu=None)


def test_warnings_are_notes_and_log_records(folder, caplog):
    with caplog.at_level(logging.INFO, "libvmaf"):
        result = vm.score(folder / "ref.y4m", folder / "slow.y4m", features=["psnr"], gpu=None)
    assert len(result.notes) == 1 and "10" in result.notes[0]
    assert result.notes[0] in [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    with pytest.raises(vm.VideoError):
        vm.score(folder / "ref.y4m", folder / "slow.y4m", features=["psnr"], strict=True, gpu=None)


def test_what_cannot_be_read_or_compared(folder, tmp_path, capfd):
    with pytest.raises(FileNotFoundError):
        vm.score(folder / "ref.y4m", folder / "nothing.y4m", gpu=None)
    with pytest.raises(vm.VideoError, match="text.y4m"):
        vm.score(folder / "ref.y4m", folder / "text.y4m", gpu=None)
    with pytest.raises(vm.VideoError, match='scale="ref"'):
        vm.score(folder / "ref.y4m", folder / "small.y4m", gpu=None)
    with pytest.raises(vm.VideoError, match="cut.y4m"):
        vm.score(folder / "ref.y4m", folder / "cut.y4m", features=["psnr"], gpu=None)
    with pytest.raises(vm.VideoError, match="no frame pair"):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", skip=100, gpu=None)
    with pytest.raises(vm.VideoError):
        vm.score(tmp_path, tmp_path, gpu=None)
    with pytest.raises(ValueError, match="vuf"):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["vuf"], gpu=None)
    with pytest.raises(ValueError, match="scale is 'some'"):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", scale="some", gpu=None)
    with pytest.raises(TypeError, match="scales"):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", scales="ref", gpu=None)
    assert issubclass(vm.VideoError, ValueError)
    assert capfd.readouterr() == ("", "")


def test_scores_so_far_of_a_video_that_breaks_off(folder):
    """Scores of the frames before, as for a video that ends there."""
    expected = vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr", "motion"], count=FRAMES - 1, gpu=None)
    with pytest.raises(vm.VideoError, match="cut.y4m") as raised:
        vm.score_encodes(folder / "ref.y4m", [folder / "cut.y4m", folder / "dis.y4m"], features=["psnr", "motion"], gpu=None)
    broken, whole = raised.value.results
    assert raised.value.result is broken
    assert len(broken) == FRAMES - 1
    assert broken.notes[-1] == "incomplete: stopped after 4 frames"
    for name, scores in expected.frames.items():
        assert broken.frames[name].tolist() == scores.tolist()
    assert len(whole) == FRAMES and whole.notes == ()
    with pytest.raises(vm.VideoError, match="ended before") as raised:
        vm.score(folder / "ref.y4m", folder / "short.y4m", features=["psnr"], strict=True, gpu=None)
    assert len(raised.value.result) == 3
    for reason in ({"distorted": folder / "text.y4m"}, {"distorted": folder / "dis.y4m", "skip": 100}):
        with pytest.raises(vm.VideoError) as raised:
            vm.score(folder / "ref.y4m", **reason, gpu=None)
        assert raised.value.result is None and raised.value.results == ()


def test_a_model_for_another_height_is_doubted(folder, caplog):
    pair = (folder / "ref.y4m", folder / "dis.y4m")
    result = vm.score(*pair, models="vmaf_4k_v0.6.1", gpu=None)
    assert len(result.notes) == 1 and "vmaf_4k_v0.6.1 is made for 2160p and the videos have 144 lines" in result.notes[0]
    assert result.notes[0] in [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    with pytest.raises(vm.VideoError, match="made for 2160p"):
        vm.score(*pair, models="vmaf_4k_v0.6.1", gpu=None, strict=True)
    assert vm.score(*pair, models=["auto", vm.Model("vmaf_4k_v0.6.1", name="x", overloads={"vif": {"vif_enhn_gain_limit": 1.0}})], gpu=None).notes == ()


def test_a_feature_that_refuses_the_frames(folder):
    for name in ("ref", "dis"):
        write_y4m(folder / f"tiny_{name}.y4m", [make_frame(0, width=4, height=4)])
    with pytest.raises(ValueError, match="frame 0: "):
        vm.score(folder / "tiny_ref.y4m", folder / "tiny_dis.y4m", models="vmaf_v0.6.1", gpu=None)


def test_progress(folder):
    calls = []
    vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], gpu=None, progress=lambda *call: calls.append(call))
    assert calls[-1] == (FRAMES, FRAMES)

    def stop(frames, expected):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], gpu=None, progress=stop)


def test_an_interruption_ends_the_scoring(tmp_path):
    """Ends the scoring of a video that would take very long."""
    path = write_y4m(tmp_path / "long.y4m", 2000 * [make_frame(0, width=320, height=240)])
    program = f"""
import libvmaf, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # the process that started the tests may ignore it
try:
    libvmaf.score({str(path)!r}, {str(path)!r}, features=["cambi", "ssimulacra2"], threads=0, gpu=None,
                  progress=lambda *_: print("reading", flush=True))
except KeyboardInterrupt:
    print("interrupted")
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as scoring:
        assert scoring.stdout.readline() == "reading\n"
        scoring.send_signal(signal.SIGINT)
        assert scoring.stdout.read().endswith("interrupted\n")
    assert scoring.returncode == 0


def test_other_threads_run_meanwhile(folder):
    """Other threads of the interpreter run while frames are scored."""
    counted = []
    done = threading.Event()

    def count():
        while not done.is_set():
            counted.append(None)
            done.wait(0.0001)

    other = threading.Thread(target=count, daemon=True)  # a failure must not wait for it
    other.start()
    while not counted:
        pass
    before = len(counted)
    while len(counted) == before:
        vm.score(folder / "ref.y4m", folder / "dis.y4m", models="vmaf_v0.6.1", threads=0, gpu=None)
    done.set()
    other.join()


def test_arrays_need_no_media_libraries():
    """The module with the readers is loaded when files are scored for the first time."""
    program = "import sys, libvmaf; libvmaf.Session(features=['psnr']).close(); sys.exit('libvmaf._files' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")
def test_features_follow_the_references_colour(folder, tmp_path, caplog):
    """As in the tool (spec comparison 3); options of the caller have priority."""
    for name in ("ref", "dis"):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-i", folder / f"{name}.y4m", "-c:v", "ffv1", "-colorspace", "smpte170m"]
            + ["-color_range", "tv", tmp_path / f"{name}.mkv"],
            check=True,
        )

    def scores(feature, videos=tmp_path, suffix="mkv", **options):
        found = vm.score(videos / f"ref.{suffix}", videos / f"dis.{suffix}", features={feature: options}, gpu=None)
        return found.frames[{"cvvdp": "cvvdp_frame", "butteraugli": "butteraugli_3norm"}.get(feature, feature)].tolist()

    for feature in ("ssimulacra2", "butteraugli"):
        untagged = scores(feature, folder, "y4m")
        caplog.clear()
        with caplog.at_level(logging.INFO, "libvmaf"):
            tagged = scores(feature)
        assert f"the reference's colour: features={{\"{feature}\": {{\"yuv_matrix\": 1" in caplog.text
        assert tagged == scores(feature, folder, "y4m", yuv_matrix=1) != untagged
        assert scores(feature, yuv_matrix=0) == untagged
    assert scores("cvvdp") == scores("cvvdp", folder, "y4m", yuv_matrix=1, display="standard_fhd")


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")
def test_media(folder):
    for name in ("ref", "dis"):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", folder / f"{name}.y4m", "-c:v", "ffv1", folder / f"{name}.mkv"], check=True
        )
    from libvmaf import _files

    if not _files.has_media_support():
        pytest.skip("built without media files")
    expected = vm.score(folder / "ref.y4m", folder / "dis.y4m", models="vmaf_v0.6.1", features=["psnr"], gpu=None)
    result = vm.score(folder / "ref.mkv", folder / "dis.mkv", models="vmaf_v0.6.1", features=["psnr"], gpu=None)
    for name, scores in expected.frames.items():
        assert result.frames[name].tolist() == scores.tolist()
    scaled = vm.score(folder / "ref.mkv", folder / "small.y4m", models="vmaf_v0.6.1", gpu=None)
    assert len(scaled) == FRAMES
    integer = vm.score(folder / "ref.mkv", folder / "small.y4m", models="vmaf_v0.6.1", scaler="integer", gpu=None)
    assert integer.pooled["vmaf"].mean == pytest.approx(scaled.pooled["vmaf"].mean, abs=2)
    (folder / "broken.mkv").write_bytes(os.urandom(5000))
    with pytest.raises(vm.VideoError, match="broken.mkv"):
        vm.score(folder / "ref.mkv", folder / "broken.mkv", gpu=None)


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")
def test_filters_make_the_frames_that_ffmpeg_makes(folder, tmp_path, caplog):
    """As in the tool (spec comparison 2.8)."""
    from libvmaf import _files

    if not _files.has_filter_support():
        pytest.skip("built without libavfilter")
    graph = "crop=32:32:3:5,hflip"
    for name in ("ref", "dis"):
        subprocess.run(["ffmpeg", "-v", "error", "-i", folder / f"{name}.y4m", "-vf", graph, tmp_path / f"{name}.y4m"], check=True)
    expected = vm.score(tmp_path / "ref.y4m", tmp_path / "dis.y4m", features=["psnr"], gpu=None)
    with caplog.at_level(logging.INFO, "libvmaf"):
        scored = vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], gpu=None, filter_ref=graph, filter_dist=graph)
    assert scored.frames["psnr_y"].tolist() == expected.frames["psnr_y"].tolist()
    assert f'distorted: filtered by "{graph}"' in caplog.text
    with pytest.raises(vm.VideoError, match="No such filter: 'nosuch'"):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], filter_dist="nosuch")
    with pytest.raises(vm.VideoError, match="deinterlace=True does nothing"):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], deinterlace=True, strict=True)
    with pytest.raises(ValueError, match="film_grain is 'some'"):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], film_grain="some")


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg")
def test_crops_are_those_of_ffmpeg(folder, tmp_path):
    """As in the tool (spec comparison 7)."""
    from libvmaf import _files

    if not _files.has_media_support():
        pytest.skip("built without media support")
    for name in ("ref", "dis"):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-i", folder / f"{name}.y4m", "-vf", "crop=100:80:20:16", tmp_path / f"{name}.y4m"],
            check=True,
        )
    expected = vm.score(tmp_path / "ref.y4m", tmp_path / "dis.y4m", features=["psnr"], gpu=None)
    for crop in ({"crop": "100:80:20:16"}, {"crop": "auto", "crop_ref": "100:80:20:16", "crop_dist": "20,56,16,48"}):
        scored = vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], gpu=None, **crop)
        assert scored.frames["psnr_y"].tolist() == expected.frames["psnr_y"].tolist()
        assert scored.comparison["distorted"]["crop"] == [20, 16, 100, 80]
    with pytest.raises(vm.VideoError, match='crop_ref="98:80:22:16"'):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], crop="100:80:21:16")
    with pytest.raises(ValueError, match="crop_dist is 'some'"):
        vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], crop_dist="some")


def test_what_was_decided_is_in_the_result(folder, tmp_path):
    scaled = {"features": ["psnr"], "gpu": None, "scale": "88x72"}
    result = vm.score(folder / "ref.y4m", folder / "dis.y4m", **scaled)
    assert result.comparison["scored"]["size"] == [88, 72]
    assert result.comparison["reference"]["range"] == "limited"
    assert result.comparison["warnings"] == list(result.notes) == []
    assert len(result.comparison["conversions"]) == 2
    result.write(tmp_path / "scores.json")
    assert json.loads((tmp_path / "scores.json").read_text())["comparison"] == result.comparison
    assert vm.score(folder / "ref.y4m", folder / "dis.y4m", features=["psnr"], gpu=None).comparison is None
