"""Act as a browser: follow redirects, keep cookies, fill in forms."""

from __future__ import annotations

import ssl
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path

_SECONDS = 30


@dataclass
class Form:
    action: str
    fields: dict[str, str] = field(default_factory=dict)  # with the values that the page has put there
    buttons: dict[str, str] = field(default_factory=dict)


@dataclass
class Page:
    url: str
    status: int
    html: str
    title: str = ""
    forms: list[Form] = field(default_factory=list)


class Browser:
    def __init__(self, ca: Path | None = None) -> None:
        # A browser takes this machine for a safe place without TLS, and sends it cookies that are for safe places.
        policy = DefaultCookiePolicy(secure_protocols=("http", "https"))
        self.cookies = CookieJar(policy)
        self._opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=ca)),
            urllib.request.HTTPCookieProcessor(self.cookies),
        )

    def open(self, url: str, form: dict[str, str] | None = None) -> Page:
        data = urllib.parse.urlencode(form).encode() if form is not None else None
        try:
            response = self._opener.open(urllib.request.Request(url, data), timeout=_SECONDS)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            html = response.read().decode()
            page = Page(response.url, response.status, html)
        _Reader(page).feed(html)
        return page

    def submit(self, page: Page, values: dict[str, str], button: str | None = None) -> Page:
        """Send the first form of a page."""
        form = page.forms[0]
        pressed = {button: form.buttons[button]} if button is not None else {}
        return self.open(urllib.parse.urljoin(page.url, form.action), {**form.fields, **values, **pressed})

    def log_in(self, url: str, user: str, password: str, *, consent: bool = True) -> Page:
        """Go to `url`, and do what Keycloak's pages ask for, until there is nothing more to do."""
        page = self.open(url)
        for _ in range(5):
            if not page.forms:
                return page
            if "password" in page.forms[0].fields:
                page = self.submit(page, {"username": user, "password": password})
            elif "accept" in page.forms[0].buttons:
                page = self.submit(page, {}, "accept" if consent else "cancel")
            else:
                return page
        raise AssertionError(f"{page.url} ({page.title}) asks again and again")


class _Reader(HTMLParser):
    def __init__(self, page: Page) -> None:
        super().__init__()
        self._page = page
        self._in_title = False
        self._form: Form | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "title":
            self._in_title = True
        elif tag == "form":
            self._form = Form(given.get("action", ""))
            self._page.forms.append(self._form)
        elif self._form is not None and tag in ("input", "button") and given.get("name"):
            pressed = tag == "button" or given.get("type") == "submit"
            (self._form.buttons if pressed else self._form.fields)[given["name"]] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif tag == "form":
            self._form = None

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self._page.title += data.strip()
