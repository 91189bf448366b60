"""Draw small charts as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

# Okabe and Ito's colours, which people with colour blindness tell apart.
_COLORS = ("#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#009E73", "#CC79A7")
_HEIGHT, _TOP, _BOTTOM, _LEFT = 260, 54, 40, 56
_BAR = 7
_TEXT = 'font-family="sans-serif" font-size="11" fill="#444"'


@dataclass(frozen=True, slots=True)
class Bar:
    series: str
    value: float


def bar_chart(title: str, groups: Mapping[str, Sequence[Bar]]) -> str:
    """Return a chart with a group of bars for each name, on a linear scale from zero."""
    series = list(dict.fromkeys(bar.series for bars in groups.values() for bar in bars))
    step = _BAR * len(series) + 10
    top = max((bar.value for bars in groups.values() for bar in bars), default=1.0)
    parts = [*_frame(title, _LEFT + step * len(groups) + 20, series), *_axis(top, _LEFT + step * len(groups))]
    for number, (name, bars) in enumerate(groups.items()):
        left = _LEFT + number * step
        for bar in bars:
            place = series.index(bar.series)
            height = bar.value / top * _HEIGHT
            parts.append(
                f'<rect x="{left + place * _BAR:.1f}" y="{_TOP + _HEIGHT - height:.1f}" width="{_BAR - 1}" '
                f'height="{height:.1f}" fill="{_color(place)}"><title>{escape(name)} {escape(bar.series)}: '
                f"{bar.value:.3f}</title></rect>"
            )
        parts.append(f'<text x="{left}" y="{_TOP + _HEIGHT + 14}" {_TEXT}>{escape(name)}</text>')
    return "\n".join([*parts, "</svg>", ""])


def line_chart(title: str, series: Mapping[str, Sequence[tuple[str, float]]]) -> str:
    """Return a chart with a line for each series over the same labels, in their order."""
    labels = list(dict.fromkeys(label for points in series.values() for label, _ in points))
    step = 90
    width = _LEFT + step * max(len(labels), 1)
    top = max((value for points in series.values() for _, value in points), default=1.0)
    parts = [*_frame(title, width + 20, list(series)), *_axis(top, width)]
    for place, points in enumerate(series.values()):
        places = [
            (_LEFT + 20 + labels.index(label) * step, _TOP + _HEIGHT - value / top * _HEIGHT)
            for label, value in points
        ]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{joined}" fill="none" stroke="{_color(place)}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{_color(place)}"/>' for x, y in places]
    parts += [
        f'<text x="{_LEFT + number * step}" y="{_TOP + _HEIGHT + 14}" {_TEXT}>{escape(label)}</text>'
        for number, label in enumerate(labels)
    ]
    return "\n".join([*parts, "</svg>", ""])


def _frame(title: str, width: float, series: Sequence[str]) -> list[str]:
    width = max(width, 480)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_TOP + _HEIGHT + _BOTTOM}" role="img">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
        f'<text x="{_LEFT}" y="18" font-family="sans-serif" font-size="13" fill="#222">{escape(title)}</text>',
    ]
    left = _LEFT
    for place, name in enumerate(series):
        parts.append(f'<rect x="{left}" y="28" width="10" height="10" fill="{_color(place)}"/>')
        parts.append(f'<text x="{left + 14}" y="37" {_TEXT}>{escape(name)}</text>')
        left += 30 + 7 * len(name)
    return parts


def _axis(top: float, right: float) -> list[str]:
    parts = []
    for tenth in range(0, 11, 2):
        height = _TOP + _HEIGHT - tenth / 10 * _HEIGHT
        parts.append(f'<line x1="{_LEFT}" x2="{right}" y1="{height}" y2="{height}" stroke="#ddd"/>')
        parts.append(f'<text x="8" y="{height + 4}" {_TEXT}>{top * tenth / 10:.2f}</text>')
    return parts


def _color(place: int) -> str:
    return _COLORS[place % len(_COLORS)]
