"""Opens pages of --report in Chromium, all in one, and holds what is shown against the JSON.

look_at_pages.py CHROMIUM PAGE.html JSON ... [--shots FOLDER]

JSON is - for a page without data of its own.

Chromium is driven through its pipe (--remote-debugging-pipe). Each page is loaded in light and in
dark, the last one is printed, and with --shots all are. Nothing may come from elsewhere, the console must stay empty, every element with
data-key must show the value that the JSON has there, bars must be as long as their values are, and
texts must stand out from what is behind them."""
import base64
import json
import os
import pathlib
import re
import subprocess
import sys

IN, OUT = 3, 4  # where Chromium reads and writes
LOOK = """(() => {
    const all = [...document.querySelectorAll('[data-key]')].map(e => ({
        key: e.dataset.key, factor: e.dataset.factor || '1', value: e.dataset.value,
        text: e.dataset.value === undefined ? e.textContent : null,
        width: e.tagName === 'rect' ? e.getBBox().width : null,
        of: e.tagName === 'rect' ? 'svg' + [...document.querySelectorAll('svg')].indexOf(
            e.closest('svg')) : null}));
    const style = getComputedStyle(document.body);
    return {
        all, colours: [style.color, style.backgroundColor],
        json: (document.getElementById('report') || {}).textContent,
        line: (document.querySelector('pre code') || {}).textContent,
        title: document.title, lang: document.documentElement.lang,
        headings: [...document.querySelectorAll('h1,h2,h3')].map(e => +e.tagName[1]),
        empty: [...document.querySelectorAll('h1,h2,h3,figcaption')].filter(
            e => e.textContent.trim() === '').length,
        silent: [...document.querySelectorAll('img')].filter(e => !e.alt).length +
            [...document.querySelectorAll('svg[role=img]')].filter(
                e => !e.getAttribute('aria-label')).length,
        broken: [...document.images].filter(e => !e.complete || e.naturalWidth === 0).length,
        pictures: document.images.length,
        tables: [...document.querySelectorAll('table')].filter(
            e => e.querySelector('th[scope]') === null).length,
        lost: [...document.querySelectorAll('a')].filter(
            e => e.getAttribute('href').startsWith('#') &&
                !document.getElementById(e.getAttribute('href').slice(1))).length,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        strips: document.querySelectorAll('svg.boundaries polygon').length,
        cuts: document.querySelectorAll('svg.boundaries polyline.cut').length,
        moves: document.querySelectorAll('svg.boundaries line.moved').length,
        series: document.querySelectorAll('.series svg').length,
        warned: document.querySelectorAll('#warnings li').length,
        images: document.querySelectorAll('h3[id^=image-]').length,
        rows: document.querySelectorAll('h3[id^=image-] + .pictures img').length,
        strange: document.querySelectorAll('script:not([type="application/json"]),r').length,
    };
})()"""


class Chromium:
    def __init__(self, program):
        to_it, self.to = os.pipe()
        self.come, from_it = os.pipe()

        def connect():
            # Both may have the numbers that they are to get.
            spare = os.dup(to_it), os.dup(from_it)
            os.dup2(spare[0], IN)
            os.dup2(spare[1], OUT)

        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                 "--disable-dev-shm-usage", "--remote-debugging-pipe"]
        self.process = subprocess.Popen(
            [program, *flags], preexec_fn=connect, pass_fds=(IN, OUT), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_it)
        os.close(from_it)
        self.come = os.fdopen(self.come, "rb", 0)
        self.number, self.rest, self.events = 0, b"", []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = None
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Page", "Log", "Runtime", "Network":
            self.call(domain + ".enable")

    def receive(self):
        while b"\0" not in self.rest:
            more = self.come.read(1 << 16)
            assert more, "Chromium has gone away"
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        text = json.dumps(message).encode() + b"\0"
        while text:
            text = text[os.write(self.to, text):]
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def width(self, pixels):
        self.call("Emulation.setDeviceMetricsOverride", width=pixels, height=900,
                  deviceScaleFactor=1, mobile=False)

    def load(self, page, scheme):
        """Returns what the console said and what was asked of the network."""
        self.call("Emulation.setEmulatedMedia", media="screen",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.width(1100)
        self.events = []
        url = pathlib.Path(page).absolute().as_uri()
        self.call("Page.navigate", url=url)
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self.events.append(self.receive())
        said = [e["params"] for e in self.events if e["method"] in
                ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")]
        asked = [e["params"]["request"]["url"][:80] for e in self.events
                 if e["method"] == "Network.requestWillBeSent"]
        return said, [u for u in asked if u != url[:80] and not u.startswith("data:")]

    def look(self):
        answer = self.call("Runtime.evaluate", expression=LOOK, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"]["value"]

    def shoot(self, name):
        height = self.call("Runtime.evaluate", returnByValue=True, expression=
                           "document.documentElement.scrollHeight")["result"]["value"]
        self.call("Emulation.setDeviceMetricsOverride", width=1100, height=min(height, 6000),
                  deviceScaleFactor=1, mobile=False)
        shot = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(name).write_bytes(base64.b64decode(shot))

    def end(self):
        self.process.kill()
        self.process.wait()


def at(facts, key):
    for part in key.split("."):
        facts = facts[int(part)] if isinstance(facts, list) else facts[part]
    return facts


def check_value(facts, seen):
    """What people read, and what the bar was made from."""
    wanted = at(facts, seen["key"])
    text = seen["value"] if seen["text"] is None else seen["text"]
    if wanted is None:
        assert text == "-", seen
    elif isinstance(wanted, bool):
        assert text == str(wanted).lower(), seen
    elif isinstance(wanted, str):
        assert " ".join(text.split()) == " ".join(wanted.split()), (seen, wanted)
    else:
        shown = re.match(r"-?[0-9.]+(e[-+]?[0-9]+)?", text).group(0)
        digits = len(shown.split("e")[0].split(".")[1]) if "." in shown else 0
        exponent = int(shown.split("e")[1]) if "e" in shown else 0
        wanted *= float(seen["factor"])
        rounding = max(0.501 * 10.0 ** (exponent - digits), 1e-5 * abs(wanted))
        assert abs(float(shown) - wanted) <= (0 if isinstance(wanted, int) and "e" not in shown
                                              and "." not in shown else rounding), (seen, wanted)


def check_bars(seen):
    """Lengths and values of the bars of one chart have one ratio."""
    by_chart = {}
    for bar in seen:
        if bar["width"] is not None and float(bar["value"]) > 0:
            by_chart.setdefault(bar["of"], []).append((bar["width"], float(bar["value"])))
    for bars in by_chart.values():
        scale = sum(w for w, _ in bars) / sum(v for _, v in bars)
        for width, value in bars:
            assert abs(width - scale * value) <= .01 + 1e-3 * width, (width, value, scale)
    return len(by_chart)


def luminance(colour):
    channels = [int(c) / 255 for c in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= .04045 else ((c + .055) / 1.055) ** 2.4 for c in channels]
    return .2126 * linear[0] + .7152 * linear[1] + .0722 * linear[2]


def check_colours(seen, scheme):
    """WCAG 2.1: text needs a contrast of 4.5; the scheme's ground is on the other side."""
    text, ground = (luminance(c) for c in seen["colours"])
    contrast = (max(text, ground) + .05) / (min(text, ground) + .05)
    assert contrast >= 4.5, (scheme, seen["colours"])
    assert (ground > text) == (scheme == "light"), (scheme, seen["colours"])


def check_form(seen):
    assert seen["title"] and seen["lang"] == "en", seen["title"]
    assert seen["headings"][0] == 1 and seen["headings"].count(1) == 1, seen["headings"]
    assert all(b <= a + 1 for a, b in zip(seen["headings"], seen["headings"][1:]))
    for fault in "empty", "silent", "broken", "tables", "lost", "strange", "wide":
        assert seen[fault] <= 0, (fault, seen[fault])


def check_boundaries(facts, seen):
    """Every decision that is reported is in the chart."""
    balance = facts.get("balance", {}) if isinstance(facts, dict) else {}
    decisions = balance.get("decisions", [])
    axes = {d["axis"]: len(d["before"]) - 1 for d in decisions}
    parts = sum(axes.values())
    moves = sum(d["rows_moved"] > 0 for d in decisions)
    drawn = seen["strips"], seen["cuts"], seen["moves"]
    assert drawn == (parts, parts - len(axes), moves), (drawn, axes, moves)
    shown = {v["key"] for v in seen["all"]}
    for i, decision in enumerate(decisions):
        assert f"balance.decisions.{i}.beat" in shown, i
        assert len(decision["after"]) == axes[decision["axis"]] + 1 and decision["text"], decision


def check_whole(facts, seen):
    """No number of the JSON is missing; of options, defaults are in a part of their own, as are
    decisions."""
    shown = {v["key"] for v in seen["all"]}

    def numbers(value, key):
        if isinstance(value, dict):
            for name, inner in value.items():
                yield from numbers(inner, f"{key}.{name}" if key else name)
        elif isinstance(value, list):
            for i, inner in enumerate(value):
                yield from numbers(inner, f"{key}.{i}" if key else str(i))
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield key

    missing = [k for k in numbers(facts, "") if k not in shown and "decisions." not in k]
    assert not missing, missing[:8]


def check_print(chromium, name):
    """On paper; the PDF goes to the file `name`, if that is asked for."""
    chromium.call("Emulation.setEmulatedMedia", media="", features=[])
    pdf = base64.b64decode(chromium.call("Page.printToPDF")["data"])
    assert pdf.startswith(b"%PDF"), pdf[:20]
    if name:
        pathlib.Path(name).write_bytes(pdf)


def check_page(chromium, page, facts, shots):
    for scheme in "light", "dark":
        said, asked = chromium.load(page, scheme)
        assert not said and not asked, (said, asked)
        seen = chromium.look()
        check_colours(seen, scheme)
        check_form(seen)
        chromium.width(400)  # a telephone's: tables may scroll, but not the page
        check_form(chromium.look())
        chromium.width(1100)
        if shots:
            chromium.shoot(f"{shots}/{pathlib.Path(page).stem}-{scheme}.png")
    charts = check_bars(seen["all"])
    if facts is not None:
        assert json.loads(seen["json"]) == facts, "the page has other data than the JSON"
        for value in seen["all"]:
            check_value(facts, value)
        check_whole(facts, seen)
        check_boundaries(facts, seen)
    if shots:
        check_print(chromium, f"{shots}/{pathlib.Path(page).stem}.pdf")
    found = {"values": len(seen["all"]), "charts": charts, **{key: seen[key] for key in (
        "pictures", "moves", "series", "warned", "images", "rows")}}
    return " ".join(f"{key}={value}" for key, value in found.items()), seen["line"]


def main():
    program, *rest = sys.argv[1:]
    shots = rest.pop() if rest[-2] == "--shots" else None
    rest = rest[:-1] if shots else rest
    chromium = Chromium(program)
    try:
        for page, data in zip(rest[::2], rest[1::2]):
            text = "null" if data == "-" else pathlib.Path(data).read_text(encoding="utf-8")
            facts = json.loads(text)
            try:
                found, line = check_page(chromium, page, facts, shots)
                print(f"{pathlib.Path(page).stem}: {found}\t{line}")
            except AssertionError as error:
                print(f"{pathlib.Path(page).stem}: FAILED {error.args!r}"[:1000])
        check_print(chromium, None)
    finally:
        chromium.end()


main()
