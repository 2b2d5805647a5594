"""Small conformance clips, cut at random, have the scores of the clip to the last bit (scripts/catalogue-trial has all clips)."""

from __future__ import annotations

import random

import pytest

from conformance import SEED, check_every_cut, clip_writer, scorable, write_clips

SMALL = ("tiles_177x145_8", "cut_352x288_8", "grey_178x146_10", "tiles_256x192_16")


@pytest.fixture(scope="module")
def clips(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conformance")
    return {clip.name: clip for clip in write_clips(clip_writer(folder), folder, *SMALL)}


@pytest.mark.parametrize("name", SMALL)
def test_a_clip_cut_at_random(clips, tmp_path, name):
    models, features = scorable(clips[name])
    for trial in range(2 if name == "cut_352x288_8" else 1):
        check_every_cut(clips[name], tmp_path / str(trial), random.Random(f"{SEED} {name} {trial}"), models, features)
