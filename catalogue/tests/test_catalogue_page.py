"""The page of a catalogue in a browser."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

import libvmaf_catalogue as catalogue
from libvmaf_catalogue import Clip, Encode, Inline, Job, JobOptions, Place
from libvmaf_catalogue._command import main
from made_videos import make_frame, write_y4m

sys.path.insert(0, str(Path(__file__).parents[2] / "test" / "report"))
from page_test import Browser, Skipped

NOISES = {"low": 5, "middle": 3, "high": 1}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Two clips of three encodes each, and an encode with an error."""
    folder = tmp_path_factory.mktemp("page")
    write_y4m(folder / "ref.y4m", [make_frame(i) for i in range(4)])
    for name, noise in NOISES.items():
        write_y4m(folder / f"{name}.y4m", [make_frame(i, noise=noise) for i in range(4)])
    encodes = [Encode(name, str(folder / f"{name}.y4m"), 1e6 * rate) for rate, name in enumerate(NOISES, 1)]
    bad = Encode("bad", str(folder / "nothing.y4m"))
    clips = [Clip(name, str(folder / "ref.y4m"), tuple(of)) for name, of in (("news", encodes), ("film", [*encodes, bad]))]
    job = Job.begin(catalogue.open_store(str(folder / "out")), clips, JobOptions(features=["psnr"]))
    assert catalogue.run(job, Inline(Place())).failed_rows == 1
    assert main(["report", str(folder / "out"), "-o", str(folder / "page.html"), "--metric", "psnr_y", "--metric", "psnr_cb", "--clips", "1"]) == 0
    return folder / "page.html"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    driver, binary = shutil.which("chromedriver"), shutil.which("chromium")
    if not driver or not binary:
        pytest.skip("there is no Chromium (Debian: chromium, chromium-driver)")
    browser = Browser(driver, binary, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()


def rows(browser):
    return browser.script("return [...document.querySelectorAll('#rows tr')].map((row) => [...row.children].map((cell) => cell.textContent))")


def choose(browser, name, value, event="change"):
    browser.script(f"const part = document.getElementById(arguments[0]); part.value = arguments[1]; part.dispatchEvent(new Event('{event}'));", name, value)
    browser.settle()


def test_columns_sort(browser, page):
    browser.open(page)
    assert [row[1] for row in rows(browser)] == ["low", "low", "middle", "middle", "high", "high", "bad"], "the worst first"
    browser.click("th[data-key=bitrate] button")
    assert [row[5] for row in rows(browser)[:3]] == ["1 Mbit/s", "1 Mbit/s", "2 Mbit/s"]
    browser.click("th[data-key=bitrate] button")
    assert [row[5] for row in rows(browser)[:3]] == ["3 Mbit/s", "3 Mbit/s", "2 Mbit/s"]
    assert browser.script("return document.querySelector('th[data-key=bitrate]').getAttribute('aria-sort')") == "descending"
    assert "nothing.y4m" in rows(browser)[-1][2], "what has no value stands last"
    browser.click("th[data-key=clip] button")
    assert [row[0] for row in rows(browser)] == ["film"] * 4 + ["news"] * 3
    assert browser.complaints() == []


def test_the_filter_holds_for_table_and_plots(browser, page):
    browser.open(page)
    assert len(browser.script("return [...document.querySelectorAll('#plots circle')]")) == 6
    choose(browser, "filter", "FILM middle", "input")
    assert [row[:2] for row in rows(browser)] == [["film", "middle"]]
    assert browser.text("#shown") == "1 of 7 encodes" and "No clip has two encodes" in browser.text("#plots")
    choose(browser, "filter", "nothing.y4m", "input")
    assert [row[1] for row in rows(browser)] == ["bad"]
    choose(browser, "filter", "", "input")
    choose(browser, "metric", "psnr_cb")
    choose(browser, "statistic", 3)
    assert browser.text("#distribution-text").startswith("psnr_cb, worst 5 %: 6 encodes")
    assert browser.complaints() == []


def test_axes_are_common_unless_the_reader_says_otherwise(browser, page):
    browser.open(page)
    choose(browser, "filter", "high", "input")
    choose(browser, "filter", "", "input")
    ticks = "return [...document.querySelectorAll('#plots figure')].map((figure) => [...figure.querySelectorAll('text')].map((text) => text.textContent).join())"
    assert len(set(browser.script(ticks))) == 1 and len(browser.script(ticks)) == 2
    browser.click("#common")
    assert not browser.script("return document.getElementById('common').checked") and len(browser.script(ticks)) == 2


def test_codecs_have_curves_of_their_own(browser, page):
    browser.open(page)
    assert browser.text("#codecs") == "", "one codec needs no name"
    before, rest = page.read_text().split('id="catalogue-data">')
    data, after = rest.split("</script>", 1)
    known = json.loads(data)
    for row in known["rows"]:
        row["codec"] = "hevc" if row["encode"] == "middle" else "h264"
    other = page.with_name("codecs.html")
    other.write_text(before + 'id="catalogue-data">' + json.dumps(known).replace("<", "\\u003c") + "</script>" + after)
    browser.open(other)
    assert browser.text("#codecs") == "h264hevc"
    curves = "return [...document.querySelector('#plots svg').querySelectorAll('.path')].map((path) => path.getAttribute('d').split('L').length)"
    assert browser.script(curves) == [2, 1], "low and high, and middle"
    assert browser.script("return [...document.querySelector('#plots svg').querySelectorAll('circle')].map((dot) => dot.className.baseVal)") == ["f0", "f1", "f0"]
    assert browser.complaints() == []


def test_clips_are_links_to_their_pages(browser, page):
    browser.open(page)
    link = browser.script("return document.querySelector('#rows a').href")
    assert link.startswith(page.parent.as_uri() + "/page-clips/")
    browser.call("POST", "/url", {"url": link})
    encodes = [encode["label"] for encode in browser.data()["encodes"]]
    assert encodes == ["low", "middle", "high"]
    assert browser.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_screen_needs_scrolling_sideways(browser, page, scheme):
    for width in (390, 1280, 1920):
        browser.open(page, width, 900, scheme)
        browser.settle()
        assert browser.script("return document.documentElement.scrollWidth") <= width
        colour = browser.script("return getComputedStyle(document.body).backgroundColor")
        brightness = sum(map(int, colour.removeprefix("rgb(").removesuffix(")").split(",")))
        assert brightness > 600 if scheme == "light" else brightness < 150


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_core_finds_nothing(browser, page, width, scheme):
    browser.open(page, width=width, scheme=scheme)
    try:
        assert browser.violations() == []
    except Skipped as missing:
        pytest.skip(str(missing))
