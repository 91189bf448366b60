"""docs/local-executor.md agrees with the renderer."""

from __future__ import annotations

from tests.executor.rendered_forms import PAGE, page


def test_the_committed_page_has_the_forms_of_the_renderer() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == page(text), "Run `make docs`."
