"""A still picture in the colours of the page that shows it."""

from __future__ import annotations

from typing import Final

#: JupyterLab's own colours, where there are any: its theme need not be the system's.
_COLOURS: Final = {
    "bg": "--jp-layout-color0,#fff",
    "ink": "--jp-content-font-color1,#1b1f24",
    "soft": "--jp-content-font-color2,#596068",
    "line": "--jp-border-color1,#d8dde2",
    "panel": "--jp-layout-color2,#f6f8fa",
    "accent": "--jp-brand-color1,#1f6feb",
    "ok": "--jp-success-color1,#1a7f5a",
    "warn": "--jp-warn-color1,#b35900",
    "bad": "--jp-error-color1,#b3261e",
}


def in_theme(svg: str) -> str:
    """A picture of ours as HTML that follows the page's theme and fits its width."""
    colours = ";".join(f"--kl-{name}:var({value})" for name, value in _COLOURS.items())
    return svg.replace("<svg ", f'<svg style="{colours};max-width:100%;height:auto" ', 1)
