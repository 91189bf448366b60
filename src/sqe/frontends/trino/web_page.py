"""HTML pages for browsers, without scripts and external resources."""

from __future__ import annotations

from html import escape

from starlette.responses import HTMLResponse, Response

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.3rem; } a { color: #0b57a4; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .3rem .8rem .3rem 0; }
td { border-top: 1px solid #ddd; vertical-align: top; }
pre { background: #f4f4f2; padding: .8rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
.FAILED { color: #a4200b; } .FINISHED { color: #1c6b2a; } small { color: #666; }
"""
SECURITY = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def web_page(title: str, body: str, *, user: str | None = None, status: int = 200) -> Response:
    """Return a page. `title` and `user` are text, `body` is HTML."""
    text = (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{escape(title)}</title>"
        f"<style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>{body}"
        f"<p><small>SQE{f' · {escape(user)}' if user else ''}</small></p></body></html>"
    )
    return HTMLResponse(text, status, SECURITY)
