#!/usr/bin/env python3
"""Opens reports in headless Chromium and uses them as people do: hovers, zooms, drags, clicks a worst frame.

page_test.py SAMPLE_REPORT CURVES_JS [--screenshots FOLDER] [--report FILE]

SAMPLE_REPORT is the program that writes the reports. Speaks WebDriver with Debian's chromedriver. Each case prints a line; the last
line gives the counts. Exit status 77: skipped, because there is no Chromium. `scripts/setup browser` installs it, and axe-core.
"""
import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE_S = 60


class Skipped(Exception):
    """The message says what is missing."""


def axe_core():
    """The script that `scripts/setup browser` fetches."""
    for found in pathlib.Path(__file__).parents[2].glob("build-axe/**/axe.min.js"):
        return found
    raise Skipped("there is no axe-core (scripts/setup browser)")


class Browser:
    """One headless window."""

    def __init__(self, driver, binary, profile):
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        start_new_session=True)
        self.session = None
        port = None
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                port = found.group(1)
                break
        if not port:
            raise RuntimeError("chromedriver does not start")
        self.base = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--force-device-scale-factor=1", f"--user-data-dir={profile}"]
        options = {"binary": binary, "args": arguments}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
        self.session = answer["sessionId"]

    def call(self, method, path, body=None):
        url = self.base + (f"/session/{self.session}" if self.session else "") + path
        data = None if method in ("GET", "DELETE") else json.dumps(body or {}).encode()
        request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=PATIENCE_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise RuntimeError(json.load(error)["value"]["message"]) from None

    def close(self):
        try:
            if self.session:
                self.call("DELETE", "")
        except (OSError, RuntimeError):
            pass  # a page that hangs is ended with its browser
        finally:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process.stdout.close()

    def script(self, text, *arguments):
        return self.call("POST", "/execute/sync", {"script": text, "args": list(arguments)})

    def devtools(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path, width=1400, height=900, scheme="light"):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme},
                                                              {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.call("POST", "/url", {"url": path.as_uri()})

    def wait_for(self, condition, *arguments):
        """Waits until the script's expression is true."""
        end = time.monotonic() + PATIENCE_S
        while not self.script(f"return {condition}", *arguments):
            if time.monotonic() > end:
                raise AssertionError(f"never: {condition}")
            time.sleep(0.02)

    def settle(self):
        """Waits until the page has drawn everything."""
        self.call("POST", "/execute/async", {
            "script": "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))", "args": []})

    def point(self, selector, x=0.5, y=0.5):
        """Scrolls an element into the window. Returns the given place of it in the window."""
        return self.script("""const part = document.querySelector(arguments[0]);
            part.scrollIntoView({block: 'center'});
            const box = part.getBoundingClientRect();
            return {x: Math.round(box.left + arguments[1] * box.width), y: Math.round(box.top + arguments[2] * box.height)};
            """, selector, x, y)

    def perform(self, *actions):
        self.call("POST", "/actions", {"actions": list(actions)})
        self.settle()

    def mouse(self, *steps):
        self.perform({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(steps)})

    def hover(self, selector, x=0.5, y=0.5):
        place = self.point(selector, x, y)
        self.mouse({"type": "pointerMove", "duration": 0, **place})
        return place

    def click(self, selector, times=1):
        place = self.point(selector)
        down_up = [{"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.mouse({"type": "pointerMove", "duration": 0, **place}, *(down_up * times))

    def wheel(self, selector, delta, x=0.5):
        place = self.point(selector, x)
        self.perform({"type": "wheel", "id": "wheel",
                      "actions": [{"type": "scroll", "deltaX": 0, "deltaY": delta, "duration": 0, **place}]})

    def key(self, value):
        self.perform({"type": "key", "id": "keys",
                      "actions": [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]})

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0]).textContent", selector)

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("GET", "/screenshot")))

    def violations(self):
        """Rules of axe-core that the page breaks, each with the place."""
        self.script(axe_core().read_text() + "\nwindow.axe = axe;")
        return self.call("POST", "/execute/async", {"args": [], "script": """const done = arguments[0];
            axe.run().then((found) => done(found.violations.map((rule) => rule.id + ': ' + rule.nodes.map((node) => node.target).join(' '))),
                           (error) => done(['axe-core: ' + error]))"""})

    def complaints(self):
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})]

    # ---- of reports ----

    def data(self):
        return self.script("return JSON.parse(document.getElementById('vmaf-data').textContent)")

    def view(self):
        """The first and the last frame in view."""
        found = re.match(r"frames (\d+) to (\d+) of", self.text("#view-text"))
        return int(found.group(1)), int(found.group(2))

    def hovered_frame(self):
        return int(re.match(r"frame (\d+)", self.text("#tip")).group(1))


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(map(str, what)) or "not so")


def near(actual, expected, tolerance, what):
    check(abs(actual - expected) <= tolerance, what, actual, "is not near", expected)


CASES = []


def case(function):
    CASES.append(function)
    return function


@case
def computes_what_curves_js_promises(browser, reports):
    browser.open(reports["single"])
    failures = browser.script(reports["curves_test"].read_text() + "\nreturn curvesTest();")
    check(failures == [], failures)


@case
def asks_for_nothing_and_complains_of_nothing(browser, reports):
    for name in ("single", "ladder", "odd"):
        browser.open(reports[name])
        browser.settle()
        requests = browser.script("return performance.getEntriesByType('resource').map((entry) => entry.name)")
        check([name for name in requests if not name.startswith("data:")] == [], requests)
        check(browser.complaints() == [], name)
    policy = browser.script("""return new Promise((done) => {
        document.addEventListener('securitypolicyviolation', (event) => done(event.violatedDirective));
        document.body.append(Object.assign(document.createElement('img'), {src: 'https://localhost/x.png'}));
        setTimeout(() => done('none'), 5000);
    })""")
    check(policy == "img-src", "the policy lets pictures be fetched:", policy)
    browser.complaints()


@case
def hovering_shows_frame_time_and_values(browser, reports):
    browser.open(reports["single"])
    check(browser.script("return document.getElementById('tip').hidden"))
    browser.hover("#canvas", 0.4, 0.3)
    check(not browser.script("return document.getElementById('tip').hidden"))
    frame = browser.hovered_frame()
    # 52 pixels of axis on the left, 10 of margin on the right.
    width = browser.script("return document.getElementById('canvas').clientWidth")
    near(frame, (0.4 * width - 52) / (width - 62) * 900 - 0.5, 2, "frame")
    minutes, seconds = divmod(frame / 25, 60)
    tip = browser.text("#tip")
    check(f"{int(minutes)}:{seconds:05.2f}" in tip, tip)
    for metric in ("vmaf", "vmaf_neg"):
        value = browser.data()["metrics"][metric][frame]
        check(f"{metric}{value:.2f}" in tip, tip, metric, value)
    browser.hover("h1")
    check(browser.script("return document.getElementById('tip').hidden"), "the pointer has left")


@case
def the_wheel_zooms_around_the_pointer(browser, reports):
    browser.open(reports["single"])
    check(browser.view() == (0, 899), browser.view())
    browser.script("document.getElementById('canvas').focus()")
    browser.hover("#canvas", 0.7, 0.3)
    frame = browser.hovered_frame()
    for _ in range(6):
        browser.wheel("#canvas", -120, 0.7)
    first, last = browser.view()
    near(last - first, 900 * 2.718281828 ** (-0.24 * 6), 3, "frames shown")
    browser.hover("#canvas", 0.7, 0.31)
    near(browser.hovered_frame(), frame, 1, "frame under the pointer")
    for _ in range(40):
        browser.wheel("#canvas", -120, 0.7)
    first, last = browser.view()
    check(last - first >= 6, "it ends at a few frames:", first, last)
    browser.click("#canvas", times=2)
    check(browser.view() == (0, 899), "a double click shows everything", browser.view())


@case
def the_wheel_scrolls_the_page_where_there_is_nothing_to_zoom(browser, reports):
    browser.open(reports["single"])
    browser.hover("#canvas")
    before = browser.script("return window.scrollY")
    browser.wheel("#canvas", 200)
    browser.wait_for("window.scrollY > arguments[0]", before)
    before = browser.script("return window.scrollY")
    browser.wheel("#canvas", -100)
    check(browser.view() == (0, 899), "nobody has clicked the plot", browser.view())
    browser.click("#canvas")
    browser.wheel("#canvas", -100)
    check(browser.view() != (0, 899), "now it zooms")


@case
def dragging_moves(browser, reports):
    browser.open(reports["single"])
    browser.script("document.getElementById('canvas').focus()")
    for _ in range(5):
        browser.wheel("#canvas", -120)
    first, last = browser.view()
    width = browser.script("return document.getElementById('canvas').clientWidth") - 62
    place = browser.point("#canvas")
    browser.mouse({"type": "pointerMove", "duration": 0, **place}, {"type": "pointerDown", "button": 0},
                  {"type": "pointerMove", "duration": 0, "x": place["x"] + 200, "y": place["y"]},
                  {"type": "pointerUp", "button": 0})
    near(browser.view()[0], first - 200 * (last - first + 1) / width, 2, "first frame")
    check(browser.view()[1] - browser.view()[0] in range(last - first - 1, last - first + 2), "as many frames as before")
    browser.mouse({"type": "pointerMove", "duration": 0, **place}, {"type": "pointerDown", "button": 0},
                  {"type": "pointerMove", "duration": 0, "x": 1390, "y": place["y"]}, {"type": "pointerUp", "button": 0},
                  {"type": "pointerMove", "duration": 0, **place}, {"type": "pointerDown", "button": 0},
                  {"type": "pointerMove", "duration": 0, "x": 1390, "y": place["y"]}, {"type": "pointerUp", "button": 0})
    check(browser.view()[0] == 0, "not past the clip's start", browser.view())


@case
def keys_zoom_and_move(browser, reports):
    browser.open(reports["single"])
    browser.script("document.getElementById('canvas').focus()")
    browser.key("+")
    first, last = browser.view()
    near(last - first, 449, 2, "half")
    browser.key("\ue014")  # arrow right
    near(browser.view()[0] - first, 56, 2, "an eighth")
    browser.key("-")
    browser.key("0")
    check(browser.view() == (0, 899), browser.view())


@case
def the_strip_below_moves_the_view(browser, reports):
    browser.open(reports["single"])
    browser.script("document.getElementById('canvas').focus()")
    for _ in range(6):
        browser.wheel("#canvas", -120, 0.9)
    browser.hover("#overview-strip", 0.2)
    browser.mouse({"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})
    first, last = browser.view()
    near((first + last) / 2, (0.2 * 1280 - 52) / (1280 - 62) * 900, 20, "middle")


@case
def a_click_on_a_worst_frame_shows_it(browser, reports):
    browser.open(reports["single"])
    check(browser.text("#worst-list li button") == "frame 333")
    for selector in ("#worst-list li:nth-child(1) button", "#worst-list li:nth-child(4) button", ".pictures .go", ".card .go"):
        frame = int(re.search(r"\d+", browser.text(selector)).group(0))
        browser.click(selector)
        browser.settle()
        first, last = browser.view()
        check(first <= frame <= last and last - first <= 101, selector, frame, first, last)
        check(browser.script("""const box = document.getElementById('canvas').getBoundingClientRect();
            return box.top >= 0 && box.top < innerHeight"""), "the plot is in sight")


@case
def another_metric_has_its_own_distribution_and_worst_frames(browser, reports):
    browser.open(reports["single"])
    browser.script("""const list = document.getElementById('metric');
        list.value = 'psnr_cb';
        list.dispatchEvent(new Event('change'));""")
    browser.settle()
    data = browser.data()
    scores = data["metrics"]["psnr_cb"]
    left = list(range(len(scores)))
    expected = []
    while left and len(expected) < 20:
        worst = min(left, key=lambda frame: (scores[frame], frame))
        expected.append(worst)
        left = [frame for frame in left if abs(frame - worst) >= 25]
    shown = browser.script("return [...document.querySelectorAll('#worst-list [data-frame]')].map((part) => +part.dataset.frame)")
    check(shown == expected, shown, expected)
    check(browser.text("#worst-metric") == "psnr_cb")
    check(browser.text("#distribution-text").startswith("psnr_cb: 900 frames"), browser.text("#distribution-text"))
    check(browser.script("return document.querySelector('#metric-choice label[title=psnr_cb] input').checked"), "it is plotted too")
    browser.click("#other-end")
    first = browser.script("return +document.querySelector('#worst-list [data-frame]').dataset.frame")
    check(scores[first] == max(scores), "the highest")


@case
def metrics_are_shown_and_hidden(browser, reports):
    browser.open(reports["single"])
    browser.hover("#canvas", 0.5, 0.2)
    check("psnr_y" not in browser.text("#tip"))
    height = browser.script("return document.getElementById('canvas').clientHeight")
    browser.click("#metric-choice label[title=psnr_y]")
    check(browser.script("return document.getElementById('canvas').clientHeight") > height, "a panel more")
    browser.hover("#canvas", 0.5, 0.2)
    check("psnr_y" in browser.text("#tip"), browser.text("#tip"))
    for metric in ("vmaf", "vmaf_neg", "psnr_y"):
        browser.click(f"#metric-choice label[title={metric}]")
    browser.hover("#canvas", 0.5, 0.4)
    check(browser.script("return document.getElementById('tip').hidden"), "nothing is plotted")


@case
def pictures_open_at_their_size_and_change_in_place(browser, reports):
    browser.open(reports["single"])
    viewer = "return document.getElementById('viewer').dataset.shown"
    above = "return getComputedStyle(document.getElementById('viewer-distorted')).display"
    browser.click(".look[data-look=distorted]")
    check(browser.script("return document.getElementById('viewer').open"))
    check("frame 333" in browser.text("#viewer-title"), browser.text("#viewer-title"))
    check(browser.script(viewer) == "distorted")
    size = browser.script("""const shown = document.querySelector('#layers .shown');
        return [shown.offsetWidth === shown.naturalWidth, document.querySelectorAll('#layers .shown').length]""")
    check(size == [True, 1], "pixel for pixel", size)
    for expected in ("reference", "distorted", "reference"):
        browser.key(" ")
        check(browser.script(viewer) == expected, expected)
    check(browser.script(above) == "none")
    for key, expected in (("3", "slider"), ("4", "difference"), ("5", "whole"), ("1", "reference"), ("3", "slider")):
        browser.key(key)
        check(browser.script(viewer) == expected, expected)
    check(browser.script(above) == "block" and browser.script("return document.getElementById('cut').offsetHeight") > 0)
    browser.script("document.getElementById('cut').focus()")
    browser.key("\ue014")  # arrow right
    check(browser.script("return document.getElementById('layers').style.getPropertyValue('--cut')") == "51%", "the slider's own keys")
    check("frame 333" in browser.text("#viewer-title"))
    browser.script("document.getElementById('stage').focus()")
    browser.key("\ue014")
    check("frame 154" in browser.text("#viewer-title"), browser.text("#viewer-title"))
    check(browser.script(viewer) == "slider", "the same picture of the next frame")
    check(browser.script("return document.getElementById('viewer-after').disabled"), "there is no other")
    browser.key("\ue014")
    browser.key("\ue012")  # arrow left
    check("frame 333" in browser.text("#viewer-title"), browser.text("#viewer-title"))
    browser.key("\ue00c")  # escape
    check(not browser.script("return document.getElementById('viewer').open"))
    check(browser.script("return [...document.images].filter((image) => image.src && !image.naturalWidth).length") == 0, "broken pictures")


@case
def maps_lie_over_pictures_when_they_are_asked_for(browser, reports):
    browser.open(reports["single"])
    over = "return [...document.querySelectorAll('.look .map')].filter((image) => image.offsetHeight > 0).map((image) => image.dataset.map)"
    check(browser.script(over) == [])
    browser.script("""const list = document.getElementById('map-choice');
        list.value = 'vif';
        list.dispatchEvent(new Event('change'));""")
    check(browser.script(over) == ["vif"], browser.script(over))
    same = browser.script("""const [map, picture] = ['.map.shown', 'img'].map((part) => document.querySelector(`.look[data-look=distorted] ${part}`).getBoundingClientRect());
        return map.width === picture.width && map.height === picture.height && map.top === picture.top""")
    check(same, "it has the picture's place and size")
    browser.click(".look[data-look=distorted]")
    shown = "const map = document.getElementById('viewer-map'); return map.offsetHeight > 0 ? map.alt : ''"
    check(browser.script(shown) == "map of vif, frame 333", browser.script(shown))
    browser.key("m")
    check(browser.script(shown) == "" and browser.script("return document.getElementById('map-choice').value") == "", "none comes after the last")
    browser.key("m")
    check(browser.script(shown) == "map of psnr, frame 333", browser.script(shown))
    for key, expected in (("1", True), ("3", True), ("4", False), ("5", False), ("2", True)):
        browser.key(key)
        check((browser.script(shown) != "") == expected, key)
    browser.key("\ue014")  # arrow right
    check(browser.script(shown) == "", "the other frame has no map")
    browser.key("\ue012")  # arrow left
    check(browser.script(shown) == "map of psnr, frame 333", browser.script(shown))
    browser.key("\ue00c")  # escape
    browser.open(reports["banding"])
    check(browser.script("return document.getElementById('map-choice')") is None)
    browser.click(".look")
    check(browser.script("return document.getElementById('viewer-map-label').offsetHeight") == 0, "there is no map to choose")
    check(browser.complaints() == [])


@case
def large_pictures_scroll_by_themselves(browser, reports):
    browser.open(reports["single"], width=390)
    browser.script("""for (const picture of document.querySelectorAll('.look img'))
        picture.src = Object.assign(document.createElement('canvas'), {width: 640, height: 360}).toDataURL();
        document.querySelector('.look').click();""")
    browser.wait_for("document.getElementById('viewer-reference').offsetWidth === 640")
    widths = browser.script("return [document.documentElement, document.getElementById('viewer'), document.getElementById('stage')].map((part) => part.scrollWidth)")
    check(widths[0] <= 390 and widths[1] <= 390 and widths[2] == 640, widths)


@case
def a_ladder_shows_all_curves_and_the_chosen_encode(browser, reports):
    browser.open(reports["ladder"])
    check(browser.script("return document.querySelectorAll('.unscripted .rate circle').length") == 12, "six points for each of two models")
    check(browser.script("return document.querySelectorAll('#rate-plot circle').length") == 6, "of the chosen score")
    browser.hover("#canvas", 0.5, 0.2)
    check(len(browser.script("return [...document.querySelectorAll('#tip .row')].map((row) => row.textContent)")) == 12)
    browser.click("#encode-choice label:nth-child(2)")
    browser.hover("#canvas", 0.5, 0.21)
    check(len(browser.script("return [...document.querySelectorAll('#tip .row')].map((row) => row.textContent)")) == 10)
    browser.script("""const list = document.getElementById('encode');
        list.value = 4;
        list.dispatchEvent(new Event('change'));""")
    browser.settle()
    shown = browser.script("return [...document.querySelectorAll('#summary [data-encode]')].filter((part) => part.offsetHeight > 0).map((part) => part.dataset.encode)")
    check(shown == ["4"], shown)
    check("1080p_4500k.mp4" in browser.text("#distribution-text"), browser.text("#distribution-text"))


@case
def rates_are_compared_by_groups(browser, reports):
    browser.open(reports["codecs"])
    choose = """const list = document.getElementById(arguments[0]);
        list.value = arguments[1];
        list.dispatchEvent(new Event('change'));"""
    cells = "return [...document.querySelectorAll('#rate-differences td')].map((cell) => cell.innerText.split('\\n').filter((line) => line))"
    rates = "return [...document.querySelectorAll('#rate-hull-list b')].map((part) => part.textContent)"
    check(browser.text("#rate-legend") == "h264hevc", browser.text("#rate-legend"))
    # One codec has the other's scores at two thirds of the bitrate.
    found = browser.script(cells)
    check([found[1][0], found[2][0]] == ["−33.3 %", "+50.0 %"], found)
    check(found[1][1][0] == "+" and found[2][1][0] == "−" and found[1][1][1:] == found[2][1][1:], found)
    check(len(browser.script(rates)) >= 2 and browser.script(rates)[0] == "200 kbit/s", browser.script(rates))
    names = browser.script("return [...document.querySelectorAll('#rate-hull-list li')].map((part) => part.textContent)")
    check(all("hevc_" in name for name in names), names)
    check(browser.script("return document.querySelectorAll('#rate-plot .hull').length") == 1)
    browser.click("#rate-hull")
    check(browser.script("return document.querySelectorAll('#rate-plot .hull').length") == 0)
    browser.script(choose, "rate-groups", 0)
    check(browser.text("#rate-legend").count("×") == 4, browser.text("#rate-legend"))
    browser.script(choose, "rate-groups", 3)
    check("Two groups" in browser.text("#rate-differences"), browser.text("#rate-differences"))
    browser.script(choose, "rate-metric", "psnr_cb")
    browser.script(choose, "rate-statistic", 2)
    check(browser.text("#rate-caption") == "psnr_cb: worst 5 % over bitrate", browser.text("#rate-caption"))
    data = browser.data()
    labels = browser.script("return [...document.querySelectorAll('#rate-plot circle')].map((dot) => dot.getAttribute('aria-label'))")
    check(len(labels) == 12)
    for encode in data["encodes"]:
        check(any(label.startswith(encode["label"] + ":") and label.endswith(f"{encode['pooled']['psnr_cb']['p5']:.2f}") for label in labels), encode["label"], labels)
    row = browser.script("return [...document.querySelectorAll('#ladder tbody tr:nth-child(2) > *')].slice(0, 6).map((cell) => cell.textContent)")
    check(row == ["360p_700k.mp4", "640×360", "h264", "2 frames late", "3.1 MB", "700 kbit/s"], row)
    check(browser.complaints() == [])


@case
def two_encodes_are_subtracted(browser, reports):
    browser.open(reports["codecs"])
    height = browser.script("return document.getElementById('canvas').clientHeight")
    for name, value in (("minuend", 5), ("subtrahend", 1)):
        browser.script("""const list = document.getElementById(arguments[0]);
            list.value = arguments[1];
            list.dispatchEvent(new Event('change'));""", name, value)
    browser.settle()
    check(browser.script("return document.getElementById('canvas').clientHeight") > height, "a panel more for each metric")
    browser.hover("#canvas", 0.5, 0.1)
    frame = browser.hovered_frame()
    data = browser.data()["encodes"]
    expected = data[5]["metrics"]["vmaf"][frame] - data[1]["metrics"]["vmaf"][frame]
    rows = browser.script("return [...document.querySelectorAll('#tip .row')].map((row) => row.textContent)")
    found = [row for row in rows if row.startswith("1080p_8000k.mp4 − 360p_700k.mp4: vmaf")]
    near(float(re.search(r"vmaf([-\d.]+)$", found[0]).group(1)), expected, 0.006, "difference")
    check(browser.complaints() == [])


@case
def frame_sizes_and_scene_cuts_of_the_chosen_encode_are_below(browser, reports):
    browser.open(reports["single"])
    check(browser.script("return ['sizes', 'cuts'].every((id) => document.getElementById(id).offsetHeight === 0)"), "nothing is known of either")
    browser.open(reports["codecs"])
    data = browser.data()["encodes"]
    check(data[5]["scene_cuts"] == [150, 300, 450, 600, 750], data[5]["scene_cuts"])
    height = browser.script("return document.getElementById('canvas').clientHeight")
    browser.script("""const list = document.getElementById('encode');
        list.value = 5;
        list.dispatchEvent(new Event('change'));
        document.getElementById('canvas').focus();""")
    names = {"K": "key", "P": "P", "B": "B"}
    for frame in (100, 150, 151, 152):
        width = browser.script("return document.getElementById('canvas').clientWidth")
        browser.hover("#canvas", (52 + (frame + 0.5) / 900 * (width - 62)) / width, 0.2)
        coded = data[5]["coded_frames"]
        check(browser.hovered_frame() == frame, browser.text("#tip"))
        told = browser.script("return document.getElementById('tip').childNodes[1].textContent")
        found = re.search(r", (\w+) frame of ([\d.]+) kB(.*)$", told)
        check(found.group(1) == names[coded["types"][frame]], told)
        near(float(found.group(2)), coded["bytes"][frame] / 1e3, 0.0501, "size")
        check(found.group(3) == (", a scene begins" if frame == 150 else ""), told)
    # The switch removes only the marks of the cuts: one before each frame that begins a scene.
    browser.hover("h1")
    browser.script("""window.pixels = () => {
            const canvas = document.getElementById('canvas');
            const copy = Object.assign(document.createElement('canvas'), {width: canvas.width, height: canvas.height}).getContext('2d');
            copy.drawImage(canvas, 0, 0);
            return copy.getImageData(0, 0, canvas.width, canvas.height);
        };
        window.before = pixels().data""")
    browser.click("#cuts")
    browser.settle()
    changed = browser.script("""const {data, width} = pixels();
        const columns = new Set();
        for (let i = 0; i < data.length; i += 4) if (data[i] !== before[i] || data[i + 3] !== before[i + 3]) columns.add(i / 4 % width);
        return [...columns].sort((a, b) => a - b)""")
    expected = [52 + frame / 900 * (width - 62) for frame in data[5]["scene_cuts"]]
    check(changed and all(min(abs(x - place) for place in expected) <= 1.5 for x in changed), changed, expected)
    check(all(min(abs(x - place) for x in changed) <= 1.5 for place in expected), changed, expected)
    browser.click("#sizes")
    without = browser.script("return document.getElementById('canvas').clientHeight")
    check(height - without == 64 + 22 + 10, "a panel less:", height, without)
    browser.hover("#canvas", 0.5, 0.2)
    check("frame of" not in browser.text("#tip"), browser.text("#tip"))
    check(browser.complaints() == [])


@case
def scores_of_the_chosen_encode_are_saved(browser, reports):
    folder = reports["single"].parent / "downloads"
    folder.mkdir(exist_ok=True)
    browser.devtools("Page.setDownloadBehavior", behavior="allow", downloadPath=os.fspath(folder))
    browser.open(reports["ladder"])
    browser.script("""const list = document.getElementById('encode');
        list.value = 2;
        list.dispatchEvent(new Event('change'));""")
    encode = browser.data()["encodes"][2]
    saved = {}
    for ending in ("csv", "json"):
        browser.click(f"#save-{ending}")
        path = folder / (pathlib.PurePath(encode["distorted"]["path"]).name + "." + ending)
        end = time.monotonic() + PATIENCE_S
        while not path.exists() and time.monotonic() < end:
            time.sleep(0.05)
        saved[ending] = path.read_text()
    lines = saved["csv"].splitlines()
    names = lines[0].split(",")
    check(names[0] == "Frame" and set(names[1:]) == set(encode["metrics"]) and len(lines) == 1 + len(encode["frames"]), lines[0])
    check([float(value) for value in lines[8].split(",")] == [7, *(encode["metrics"][name][7] for name in names[1:])], lines[8])
    log = json.loads(saved["json"])
    check(log["frames"][7] == {"frameNum": 7, "metrics": {name: scores[7] for name, scores in encode["metrics"].items()}}, log["frames"][7])
    check(log["details"]["distorted"] == encode["distorted"], log["details"])
    check(browser.complaints() == [])


@case
def a_million_frames_are_drawn_by_their_extremes(browser, reports):
    browser.open(reports["long"])
    browser.script("""window.points = 0;
        const plain = CanvasRenderingContext2D.prototype.lineTo;
        CanvasRenderingContext2D.prototype.lineTo = function (x, y) {
            ++window.points;
            plain.call(this, x, y);
        };""")
    browser.script("document.getElementById('canvas').focus()")
    for delta in (-120, -120, 120):
        browser.script("window.points = 0")
        browser.wheel("#canvas", delta, 0.66)
        points = browser.script("return window.points")
        check(0 < points < 4 * 2 * 1400, points, "points are drawn for 1400 columns")
    browser.click("#worst-list li button")
    first, last = browser.view()
    check(first <= 654321 <= last, first, last)


@case
def hostile_names_are_text(browser, reports):
    browser.open(reports["odd"])
    check(browser.script("return window.broken === undefined"))
    check(browser.script("return document.querySelectorAll('header img, .warnings b').length") == 0)
    check("<b>bold</b>" in browser.text(".warnings"))
    check(browser.text("h1") == "script>")
    check("Incomplete: interrupted." in browser.text(".banner"))


@case
def missing_scores_are_gaps(browser, reports):
    browser.open(reports["odd"])
    width = browser.script("return document.getElementById('canvas').clientWidth")
    browser.hover("#canvas", (52 + (10 + 0.5) / 90 * (width - 62)) / width, 0.3)
    check(browser.hovered_frame() == 10, browser.text("#tip"))
    check("vmaf–" in browser.text("#tip"), browser.text("#tip"))
    for metric in ("flat", "none"):
        browser.script("""const list = document.getElementById('metric');
            list.value = arguments[0];
            list.dispatchEvent(new Event('change'));""", metric)
        browser.settle()
    check("no values" in browser.text("#distribution-text"), browser.text("#distribution-text"))
    check(browser.complaints() == [])


@case
def the_highest_frames_are_the_worst_where_lower_is_better(browser, reports):
    browser.open(reports["banding"])
    scores = browser.data()["metrics"]["cambi"]
    worst = max(range(900), key=lambda frame: scores[frame])
    check(worst == 333)
    shown = "return +document.querySelector('#worst-list [data-frame]').dataset.frame"
    check(browser.script(shown) == worst, browser.script(shown))
    check((browser.text("#worst-order"), browser.text("#worst-metric")) == ("highest", "cambi"))
    check(browser.text("#other-end") == "show the lowest")
    browser.click("#other-end")
    check(scores[browser.script(shown)] == min(scores), "the best ones")
    check((browser.text("#worst-order"), browser.text("#other-end")) == ("lowest", "show the highest"))
    browser.click("#other-end")
    browser.script("""const list = document.getElementById('metric');
        list.value = 'xpsnr_y';
        list.dispatchEvent(new Event('change'));""")
    browser.settle()
    check((browser.text("#worst-order"), browser.text("#other-end")) == ("lowest", "show the highest"))
    check(browser.script(shown) == 450, "the one frame that is not infinite")


@case
def infinite_scores_are_told_and_marked(browser, reports):
    browser.open(reports["banding"])
    check("axpsnr_y, of the whole clip, is 41.0424" in browser.text("main > .note"), browser.text("main > .note"))
    browser.click("#metric-choice label[title=cambi]")
    browser.click("#metric-choice label[title=xpsnr_y]")
    browser.hover("#canvas", 0.3, 0.3)
    check("xpsnr_y∞" in browser.text("#tip"), browser.text("#tip"))
    # At the upper edge of the panel, above frames with infinite scores.
    marked = browser.script("""const canvas = document.getElementById('canvas');
        const row = canvas.getContext('2d').getImageData(60, 23, canvas.width - 80, 1).data;
        let count = 0;
        for (let i = 3; i < row.length; i += 4) count += row[i] === 255;
        return count / (canvas.width - 80)""")
    check(marked > 0.9, marked)
    browser.script("""const list = document.getElementById('metric');
        list.value = 'xpsnr_y';
        list.dispatchEvent(new Event('change'));""")
    browser.settle()
    check("1 frames, 11.50 to 11.50, 899 infinite" in browser.text("#distribution-text"), browser.text("#distribution-text"))
    check(browser.complaints() == [])


@case
def dark_and_light_follow_the_reader(browser, reports):
    brightness = {}
    for scheme in ("light", "dark"):
        browser.open(reports["single"], scheme=scheme)
        browser.settle()
        colours = browser.script("""const canvas = document.getElementById('canvas');
            const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
            let sum = 0, count = 0;
            for (let i = 0; i < pixels.length; i += 4)
                if (pixels[i + 3] === 255) { sum += pixels[i] + pixels[i + 1] + pixels[i + 2]; ++count; }
            return [getComputedStyle(document.body).backgroundColor, sum / count / 3]""")
        brightness[scheme] = sum(map(int, re.findall(r"\d+", colours[0]))), colours[1]
    check(brightness["light"][0] > 600 and brightness["dark"][0] < 150, brightness)


@case
def paper_is_light(browser, reports):
    browser.open(reports["single"], scheme="dark")
    browser.script("window.dispatchEvent(new Event('beforeprint'))")
    text = browser.script("return getComputedStyle(document.body).color")
    check(sum(map(int, re.findall(r"\d+", text))) < 200, text)
    browser.script("window.dispatchEvent(new Event('afterprint'))")
    text = browser.script("return getComputedStyle(document.body).color")
    check(sum(map(int, re.findall(r"\d+", text))) > 600, text)
    check(base64.b64decode(browser.call("POST", "/print"))[:5] == b"%PDF-")


@case
def paper_has_room_for_all_columns(browser, reports):
    for name in ("single", "codecs"):
        browser.open(reports[name], width=760)
        browser.settle()
        browser.devtools("Emulation.setEmulatedMedia", media="print")
        try:
            width = browser.script("return document.documentElement.scrollWidth")
            check(width <= 760, name, width)
            check(browser.script("return [...document.querySelectorAll('button')].filter((part) => part.offsetHeight > 0 && !part.matches('.go, .look')).length") == 0,
                  "nobody presses buttons on paper")
        finally:
            browser.devtools("Emulation.setEmulatedMedia", media="")


@case
def narrow_windows_need_no_sideways_scrolling(browser, reports):
    for name in ("single", "ladder", "codecs", "odd"):
        browser.open(reports[name], width=390)
        browser.settle()
        width = browser.script("return document.documentElement.scrollWidth")
        check(width <= 390, name, width)


@case
def regions_have_names_of_their_own_and_the_keyboard_reaches_them(browser, reports):
    for name in ("single", "codecs"):
        browser.open(reports[name])
        regions = browser.script("""return [...document.querySelectorAll('.scroll')].map((part) => [part.getAttribute('role'), part.getAttribute('aria-label'), part.tabIndex])""")
        check(len(regions) > 1 and all(role == "region" and label and index == 0 for role, label, index in regions), regions)
        labels = [label for _, label, _ in regions]
        check(len(set(labels)) == len(labels), labels)


@case
def axe_core_finds_nothing(browser, reports):
    for name in ("single", "ladder", "codecs", "odd", "banding"):
        for width, scheme in ((1280, "light"), (1280, "dark"), (390, "light")):
            browser.open(reports[name], width=width, scheme=scheme)
            browser.settle()
            found = browser.violations()
            check(found == [], name, width, scheme, found)
    browser.open(reports["single"])
    browser.click(".look[data-look=distorted]")
    found = browser.violations()
    check(found == [], "the viewer", found)


@case
def without_scripts_tables_and_pictures_are_there(browser, reports):
    for name in ("single", "ladder"):
        browser.devtools("Emulation.setScriptExecutionDisabled", value=True)
        try:
            browser.open(reports[name])
            seen = browser.devtools("Runtime.evaluate", returnByValue=True, expression="""JSON.stringify({
                rows: [...document.querySelectorAll('.summary tbody tr')].filter((row) => row.offsetHeight > 0).length,
                worst: [...document.querySelectorAll('.worst-list li')].filter((row) => row.offsetHeight > 0).length,
                dead: document.querySelectorAll('.scripted').length + document.getElementById('plot').offsetHeight,
                text: document.body.innerText})""")
        finally:
            browser.devtools("Emulation.setScriptExecutionDisabled", value=False)
        seen = json.loads(seen["result"]["value"])
        encodes = 6 if name == "ladder" else 1
        check(seen["rows"] == 4 * encodes and seen["worst"] == 20 * encodes and seen["dead"] == 0, seen)
        check("need JavaScript" in seen["text"])


def take_screenshots(browser, folder, reports):
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("single", "ladder", "codecs", "odd", "banding", "own"):
        for width, height in ((1280, 900), (1920, 1080), (390, 900)):
            for scheme in ("light", "dark"):
                if name in reports:
                    browser.open(reports[name], width, height, scheme)
                    browser.settle()
                    browser.screenshot(folder / f"{name}-{width}-{scheme}.png")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sample_report", type=pathlib.Path)
    parser.add_argument("curves_test", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--report", type=pathlib.Path, help="a report of the tool's, for screenshots")
    options = parser.parse_args()
    driver = shutil.which("chromedriver")
    binary = shutil.which("chromium")
    if not driver or not binary:
        print("Skipped: there is no Chromium (Debian: chromium, chromium-driver).\n0 passed, 0 failed, 1 skipped")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        reports = {"curves_test": options.curves_test}
        for kind in ("single", "ladder", "codecs", "long", "odd", "banding"):
            reports[kind] = pathlib.Path(folder) / f"{kind}.html"
            subprocess.run([os.fspath(options.sample_report), kind, reports[kind]], check=True)
        if options.report:
            reports["own"] = options.report.resolve()
        failed = passed = skipped = 0
        browser = Browser(driver, binary, pathlib.Path(folder) / "profile")
        try:
            for function in CASES:
                try:
                    function(browser, reports)
                    passed += 1
                    print(f"passed: {function.__name__}", flush=True)
                except Skipped as error:
                    skipped += 1
                    print(f"skipped: {function.__name__}: {error}", flush=True)
                except (AssertionError, RuntimeError) as error:
                    failed += 1
                    print(f"FAILED: {function.__name__}: {error}", flush=True)
                except OSError as error:
                    failed += 1
                    print(f"FAILED: {function.__name__}: the browser does not answer ({error}); the rest is not tried", flush=True)
                    break
            if options.screenshots:
                take_screenshots(browser, options.screenshots, reports)
        finally:
            browser.close()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
