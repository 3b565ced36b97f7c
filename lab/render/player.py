"""A film as an HTML page with a button and a slider; the page needs nothing else."""

from __future__ import annotations

from typing import Final

from lab.render.animation import picture
from lab.render.colours import PAPER, WALL
from lab.render.film import Film
from lab.render.svg import clean

_PAGE: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body{{font:1rem/1.5 system-ui,sans-serif;margin:1.5rem;color:{ink};background:{paper}}}
h1{{font-size:1.25rem}}
svg{{max-width:100%;height:auto;max-height:75vh}}
.controls{{display:flex;gap:.75rem;align-items:center;max-width:40rem;margin-top:1rem}}
.controls input{{flex:1}}
button{{font:inherit;padding:.25rem .75rem}}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
{picture}
<div class="controls">
<button type="button" id="play">Pause</button>
<input type="range" id="time" min="0" max="{last}" value="0" aria-label="Moment">
<output id="shown" for="time">0</output>
</div>
</main>
<script>
const step = {step}, last = {last};
const moving = document.querySelector("svg").getAnimations({{subtree: true}});
const play = document.getElementById("play"), time = document.getElementById("time");
const shown = document.getElementById("shown");
let moment = 0, playing = !matchMedia("(prefers-reduced-motion: reduce)").matches, before;
moving.forEach(one => one.pause());
function show() {{
  moving.forEach(one => {{ one.currentTime = moment * step + 1; }});
  time.value = moment;
  shown.textContent = Math.floor(moment) + " of " + last;
  play.textContent = playing ? "Pause" : "Play";
}}
function frame(now) {{
  if (playing) {{
    moment = Math.min(last, moment + (now - (before ?? now)) / step);
    playing = moment < last;
    show();
  }}
  before = now;
  requestAnimationFrame(frame);
}}
play.onclick = () => {{
  if (!playing && moment >= last) moment = 0;
  playing = !playing;
  show();
}};
time.oninput = () => {{ playing = false; moment = Number(time.value); show(); }};
if (!playing) moment = last;
show();
requestAnimationFrame(frame);
</script>
</body>
</html>
"""


def to_html(film: Film, *, moment_seconds: float = 0.1) -> str:
    """Draw the film as a page to play it, stop it and step through it.

    It plays by itself only if motion is not switched off.
    """
    return _PAGE.format(
        title=clean(film.title),
        ink=WALL,
        paper=PAPER,
        picture=picture(film, moment_seconds=moment_seconds),
        step=round(1000 * moment_seconds),
        last=len(film.moments),
    )
