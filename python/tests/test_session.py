"""Sessions take arrays and return the C library's scores."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import libvmaf as vm
from conftest import scores_of_c
from made_videos import make_frame


def score(pairs, **options):
    with vm.Session(**options) as session:
        for ref, dis in pairs:
            session.read(ref, dis)
        return session.finish()


@pytest.mark.parametrize("threads", [0, 3])
def test_scores_equal_the_c_library_to_the_last_bit(clip, threads):
    frames, means = scores_of_c(clip, model="vmaf_v0.6.1", features=["psnr"], names=["psnr_y", "psnr_cb", "psnr_cr"])
    result = score(clip, models="vmaf_v0.6.1", features=["psnr"], threads=threads)
    for name, expected in frames.items():
        assert result.frames[name].tolist() == expected
    assert result.index.tolist() == list(range(len(clip)))
    assert result.pooled["vmaf"].mean == means["vmaf"]


@pytest.mark.parametrize("pix_fmt", ["400", "420", "422", "444"])
@pytest.mark.parametrize("bpc", [8, 10, 16])
@pytest.mark.parametrize("size", [(176, 144), (35, 33)])
def test_every_format_is_guessed_or_given(pix_fmt, bpc, size):
    width, height = size
    shape = {"pix_fmt": pix_fmt, "width": width, "height": height, "bpc": bpc}
    pairs = [(make_frame(i, **shape), make_frame(i, noise=3, **shape)) for i in range(2)]
    names = ["psnr_y"] if pix_fmt == "400" else ["psnr_y", "psnr_cb", "psnr_cr"]
    # The library's pictures have chroma rounded down. So do the arrays' pictures: their last
    # column and row are not read.
    expected, _ = scores_of_c(pairs, features=["psnr"], pix_fmt=pix_fmt, bpc=bpc, names=names)
    guessed = score(pairs, features=["psnr"], threads=0, bpc=bpc)
    framed = [[vm.Frame(planes, pix_fmt=pix_fmt, bpc=bpc) for planes in pair] for pair in pairs]
    given = score(framed, features=["psnr"], threads=0)
    for name in names:
        assert guessed.frames[name].tolist() == given.frames[name].tolist() == expected[name]


def test_luma_alone_is_an_array(clip):
    lumas = [(ref[0], dis[0]) for ref, dis in clip]
    expected, _ = scores_of_c(clip, model="vmaf_v0.6.1")
    assert score(lumas, models="vmaf_v0.6.1", threads=0).frames["vmaf"].tolist() == expected["vmaf"]


def test_semi_planar_and_shifted_samples_score_as_planar_ones():
    pairs = [(make_frame(i, bpc=10), make_frame(i, bpc=10, noise=3)) for i in range(3)]

    def p010(planes, dimensions):
        chroma = np.stack(planes[1:], axis=-1)
        chroma = chroma if dimensions == 3 else chroma.reshape(chroma.shape[0], -1)
        return vm.Frame([planes[0] << 6, chroma << 6], bpc=10, shift=6, layout="semi-planar")

    expected = score(pairs, features=["psnr"], threads=0, bpc=10)
    for dimensions in (2, 3):
        result = score([[p010(planes, dimensions) for planes in pair] for pair in pairs], features=["psnr"], threads=0)
        for name in ("psnr_y", "psnr_cb", "psnr_cr"):
            assert result.frames[name].tolist() == expected.frames[name].tolist()


def test_rows_may_lie_apart_but_samples_not(clip):
    def padded(planes):
        return [np.pad(plane, ((0, 0), (3, 61)))[:, 3:-61] for plane in planes]

    expected = score(clip, features=["psnr"], threads=0)
    result = score([(padded(ref), padded(dis)) for ref, dis in clip], features=["psnr"], threads=0)
    assert result.frames["psnr_y"].tolist() == expected.frames["psnr_y"].tolist()

    reversed_columns = [plane[:, ::-1] for plane in clip[0][0]]
    every_other = np.repeat(clip[0][0][0], 2, axis=1)[:, ::2]
    upside_down = clip[0][0][0][::-1]
    with vm.Session(features=["psnr"], threads=0) as session:
        with pytest.raises(ValueError, match="plane 0 is not contiguous"):
            session.read(reversed_columns, clip[0][1])
        with pytest.raises(ValueError, match="plane 0 is not contiguous"):
            session.read(every_other, every_other)
        with pytest.raises(ValueError, match="plane 0's rows overlap or run backwards"):
            session.read(upside_down, upside_down)
        session.read(vm.Frame([every_other], pix_fmt="400", copy=True), vm.Frame([clip[0][1][0]], pix_fmt="400"))
        assert session.finish().frames["psnr_y"].tolist() == expected.frames["psnr_y"].tolist()[:1]


def test_read_only_arrays_are_taken(clip):
    def frozen(planes):
        copies = [plane.copy() for plane in planes]
        for plane in copies:
            plane.flags.writeable = False
        return copies

    expected = score(clip, features=["psnr"], threads=0)
    result = score([(frozen(ref), frozen(dis)) for ref, dis in clip], features=["psnr"], threads=0)
    assert result.frames["psnr_y"].tolist() == expected.frames["psnr_y"].tolist()


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (lambda f: [f[0].astype(np.float32)], TypeError, "plane 0 holds items of format 'f'"),
        (lambda f: [f[0], f[1].astype(np.int16), f[2]], TypeError, "plane 1 holds items of format 'h'"),
        (lambda f: ["text"], TypeError, "plane 0 holds a str"),
        (lambda f: 3, TypeError, "a frame is a Frame"),
        (lambda f: [], ValueError, "at least 1 plane"),
        (lambda f: [*f, f[0]], ValueError, "at most 3 planes"),
        (lambda f: f[:2], ValueError, "semi-planar"),
        (lambda f: [f[0], f[1][:-1], f[2]], ValueError, r"plane 1 has the shape \(71, 88\)"),
        (lambda f: [f[0], f[1], f[2][:-1]], ValueError, r"plane 2 has the shape \(71, 88\): \(72, 88\) is needed"),
        (lambda f: [f[0].astype(np.uint16)], ValueError, "how many bits"),
        (lambda f: vm.Frame(f, pix_fmt="444"), ValueError, r"plane 1 has the shape \(72, 88\): \(144, 176\) is needed"),
        (lambda f: vm.Frame(f, bpc=10), TypeError, "plane 0 is of uint8: uint16 is needed for 10 bits"),
        (lambda f: vm.Frame(f[:1]), ValueError, "there are 1 planes: 3 are needed"),
        (lambda f: f[0].reshape(-1), ValueError, "plane 0 has 1 dimensions"),
    ],
)
def test_planes_that_do_not_fit_are_named(clip, make, error, says):
    with vm.Session(features=["psnr"], threads=0) as session:
        with pytest.raises(error, match=says):
            session.read(make(clip[0][0]), clip[0][1])
        session.read(*clip[0])
        assert len(session.finish()) == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [({"pix_fmt": "411"}, "pix_fmt"), ({"layout": "packed"}, "layout"), ({"bpc": 7}, "bpc"), ({"shift": 1}, "shift"),
     ({"bpc": 12, "shift": 5}, "shift"), ({"layout": "semi-planar", "pix_fmt": "400"}, "semi-planar")],
)  # fmt: skip
def test_a_frame_that_makes_no_sense_is_refused(clip, arguments, says):
    with pytest.raises(ValueError, match=says):
        vm.Frame(clip[0][0], **arguments)


def test_models_have_columns_of_their_own(clip):
    one = score(clip, models="vmaf_v0.6.1", threads=0)
    several = score(clip, models=["vmaf_v0.6.1", "vmaf_v0.6.1neg"], threads=0)
    named = score(clip, models={"plain": "vmaf_v0.6.1", "neg": "vmaf_v0.6.1neg"}, threads=0)
    assert several.frames["vmaf_v0.6.1"].tolist() == named.frames["plain"].tolist() == one.frames["vmaf"].tolist()
    assert several.frames["vmaf_v0.6.1neg"].tolist() == named.frames["neg"].tolist()
    with pytest.raises(ValueError, match="names of their own"):
        vm.Session(models=[vm.Model("vmaf_v0.6.1"), vm.Model("vmaf_v0.6.1neg")])


def test_overloads_of_a_model(clip):
    limited = vm.Model("vmaf_v0.6.1", overloads={"vif": {"vif_enhn_gain_limit": 1.0}, "adm": {"adm_enhn_gain_limit": 1.0}})
    neg = score(clip, models="vmaf_v0.6.1neg", threads=0)
    assert score(clip, models=limited, threads=0).frames["vmaf"].tolist() == neg.frames["vmaf"].tolist()


def test_a_collection_has_its_interval(clip):
    result = score(clip[:2], models="vmaf_b_v0.6.3", threads=2)
    assert {"vmaf", "vmaf_bagging", "vmaf_stddev", "vmaf_ci_p95_lo", "vmaf_ci_p95_hi"} <= set(result.frames)
    assert vm.Model("vmaf_b_v0.6.3").is_collection
    assert not vm.Model("vmaf_v0.6.1").is_collection


def test_options_of_features(clip):
    result = score(clip, features={"psnr": {"enable_chroma": False, "enable_apsnr": True}, "motion": None}, threads=0)
    assert "psnr_cb" not in result.frames
    assert result.aggregate["apsnr_y"] > 0
    assert "integer_motion2" in result.frames
    with pytest.raises(ValueError, match="psnr"):
        vm.Session(features={"psnr": {"min_sse": "many"}})


def test_subsampling_scores_every_nth_frame(clip):
    result = score(clip, models="vmaf_v0.6.1", threads=2, subsample=2)
    expected, means = scores_of_c(clip, model="vmaf_v0.6.1", subsample=2)
    scored = result.frames["vmaf"][~np.isnan(result.frames["vmaf"])]
    assert scored.tolist() == expected["vmaf"]
    assert result.pooled["vmaf"].mean == means["vmaf"]


def test_a_score_can_be_had_while_frames_are_read(clip):
    expected, _ = scores_of_c(clip, model="vmaf_v0.6.1")
    with vm.Session(models="vmaf_v0.6.1", threads=0) as session:
        assert session.latest("vmaf") is None
        for number, (ref, dis) in enumerate(clip):
            session.read(ref, dis)
            if number > 0:
                assert session.latest("vmaf", wait=True) in expected["vmaf"][number - 1 : number + 1]
                assert session.latest("vmaf") in expected["vmaf"][number - 1 : number + 1]
                assert session.latest("integer_vif_scale0") is not None
        assert session.latest("no_such_score") is None
        session.finish()
        assert session.latest("vmaf") == expected["vmaf"][-1]
    with vm.Session(models="vmaf_v0.6.1", threads=2) as session:
        for ref, dis in clip:
            session.read(ref, dis)
            assert session.latest("vmaf") in (None, *expected["vmaf"])
        assert session.latest("vmaf", wait=True) in expected["vmaf"][-2:]


def test_pooled_scores_of_a_range(clip):
    with vm.Session(models="vmaf_v0.6.1", features=["psnr"], threads=0) as session:
        for ref, dis in clip:
            session.read(ref, dis)
        frames = session.finish().frames
        assert session.pooled("vmaf", "min", 1, 3) == frames["vmaf"][1:4].min()
        assert session.pooled("psnr_y", "max") == frames["psnr_y"].max()
        assert session.pooled("integer_adm2") == session.finish().pooled["integer_adm2"].mean
        with pytest.raises(ValueError):
            session.pooled("no_such_score")


def test_finish_gives_the_same_result_again(clip):
    with vm.Session(features=["psnr"], threads=0) as session:
        session.read(*clip[0])
        first = session.finish()
        assert session.finish() is first
        with pytest.raises(ValueError, match="after the flush"):
            session.read(*clip[1])


def test_a_closed_session_says_so(clip):
    with vm.Session(features=["psnr"], threads=0) as session:
        session.read(*clip[0])
        result = session.finish()
    assert session.closed
    session.close()
    assert session.finish() is result
    with pytest.raises(ValueError, match="closed"):
        session.read(*clip[0])


def test_imported_scores_are_columns(clip):
    with vm.Session(features=["psnr"], threads=0) as session:
        session.read(*clip[0])
        session.import_score("mine", 4.25, 0)
        with pytest.raises(ValueError):
            session.import_score("mine", 4.5, 0)
        assert session.finish().frames["mine"].tolist() == [4.25]


def test_one_reference_for_several_sessions(clip):
    encodes = [[make_frame(i, noise=noise) for i in range(3)] for noise in (1, 2, 4)]
    alone = [score([(clip[i][0], encode[i]) for i in range(3)], models="vmaf_v0.6.1", threads=0) for encode in encodes]
    sessions = [vm.Session(models="vmaf_v0.6.1", threads=1) for _ in encodes]
    for i in range(3):
        vm.read_shared(sessions, clip[i][0], [encode[i] for encode in encodes])
    for session, expected in zip(sessions, alone):
        assert session.finish().frames["vmaf"].tolist() == expected.frames["vmaf"].tolist()
        session.close()
    with pytest.raises(ValueError):
        vm.read_shared([], clip[0][0], [])


def test_a_shared_frame_is_taken_by_all_or_none(clip):
    sessions = [vm.Session(features=["psnr"], threads=1) for _ in range(3)]
    ref, dis = clip[0]
    with pytest.raises(ValueError):
        vm.read_shared(sessions, ref, [dis, make_frame(0, width=64), dis])
    with pytest.raises(ValueError):
        vm.read_shared(sessions, ref, [dis, dis])
    with pytest.raises(TypeError):
        vm.read_shared(sessions, ref, [dis, ["text"], dis])
    with pytest.raises(RuntimeError, match="another thread"):
        vm.read_shared([sessions[0], sessions[0]], ref, [dis, dis])
    vm.read_shared(sessions, ref, 3 * [dis])
    for session in sessions:
        assert session.finish().index.tolist() == [0]
        assert session.latest("psnr_y") == session.finish().frames["psnr_y"][0]
        session.close()


def test_cut_and_merged_equals_uncut(clip):
    options = {"models": "vmaf_v0.6.1", "features": {"psnr": {"enable_apsnr": True}}, "threads": 0}
    whole = score(clip, **options)
    for cut in range(1, len(clip)):
        with vm.Session(**options) as merged:
            before, after = merged.segment_overlap
            for first, last in ((0, cut - 1), (cut, len(clip) - 1)):
                begin = max(0, first - before)
                with vm.Session(**options) as segment:
                    for pair in clip[begin : last + 1 + after]:
                        segment.read(*pair)
                    segment.finish()
                    if cut % 2:
                        merged.append(segment, first - begin, last + 1 - first)
                    else:
                        saved = segment.save_segment(first - begin, last + 1 - first)
                        assert merged.append_saved(saved) == last + 1 - first
            result = merged.finish()
        assert set(result.frames) == set(whole.frames)
        for name, scores in whole.frames.items():
            assert result.frames[name].tolist() == scores.tolist()
        assert result.aggregate == whole.aggregate


def test_a_segment_that_does_not_fit_is_refused(clip):
    with vm.Session(features=["psnr"]) as merged, vm.Session(features=["psnr"]) as segment:
        segment.read(*clip[0])
        with pytest.raises(ValueError, match="segment: "):
            merged.append(segment, 0, 1)  # not finished
        segment.finish()
        with pytest.raises(ValueError, match="segment: "):
            merged.append(merged, 0, 1)
        with pytest.raises(ValueError, match="damaged"):
            merged.append_saved(segment.save_segment(0, 1)[:-1])
        with pytest.raises(ValueError, match="segment: "):
            merged.append(segment, 0, 2)
        merged.append(segment, 0, 1)
        assert merged.finish().frames["psnr_y"].tolist() == segment.finish().frames["psnr_y"].tolist()


def test_the_librarys_score_file(clip, tmp_path):
    with vm.Session(features=["psnr"], threads=0) as session:
        session.read(*clip[0])
        session.finish()
        for suffix in (".xml", ".json", ".csv", ".sub"):
            session.write(tmp_path / f"scores{suffix}", "%.17g")
            assert (tmp_path / f"scores{suffix}").stat().st_size > 0
        with pytest.raises(ValueError, match="end in"):
            session.write(tmp_path / "scores.txt")
        with pytest.raises(ValueError, match="no_folder"):
            session.write(tmp_path / "no_folder" / "scores.json")


def test_sessions_of_several_threads_are_independent(clip):
    expected = score(clip, models="vmaf_v0.6.1", threads=0).frames["vmaf"].tolist()
    results = []
    workers = [
        threading.Thread(target=lambda: results.append(score(clip, models="vmaf_v0.6.1", threads=1))) for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [result.frames["vmaf"].tolist() for result in results] == 4 * [expected]


def test_a_session_belongs_to_one_thread_at_a_time():
    """If a call comes while another thread is in a call, one of both is refused."""
    frame = make_frame(0, width=640, height=480)
    refused, read = [], []
    with vm.Session(features=["ssimulacra2"], threads=0) as session:
        ready = threading.Barrier(2)

        def feed(indices):
            ready.wait()
            for index in indices:
                try:
                    session.read(frame, frame, index)
                    read.append(index)
                except RuntimeError as error:
                    refused.append(str(error))

        other = threading.Thread(target=feed, args=(range(0, 100, 2),))
        other.start()
        feed(range(1, 100, 2))
        other.join()
        assert len(refused) + len(read) == 100
        assert set(refused) <= {"another thread is in a call of this session"}
        assert refused  # a frame takes longer than the interpreter needs to change threads
        assert len(session.finish()) >= len(read)
