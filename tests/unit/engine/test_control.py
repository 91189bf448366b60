from __future__ import annotations

import base64

from sqe.engine.control import ControlLink, ControlTls, GuardSettings, NoControl, startup_input

TLS = ControlTls("the key\nof pem\n", "the certificate\n", "the authority\n")


def lines(text: str) -> dict[str, str]:
    """As the JVM reads it."""
    head, end, rest = text.partition("\n\n")
    assert (end, rest) == ("\n\n", "")
    return dict(line.split("=", 1) for line in head.splitlines())


def test_an_engine_without_a_control_endpoint_is_told_only_whether_it_is_shared() -> None:
    assert lines(startup_input(None, locked=False)) == {"locked": "false", "guarded": "false"}
    assert lines(startup_input(NoControl().link(), locked=True)) == {"locked": "true", "guarded": "false"}


def test_an_engine_is_told_where_to_ask_and_with_which_secret() -> None:
    said = lines(startup_input(ControlLink("http://127.0.0.1:1", "a=secret"), locked=True))
    assert said == {
        "locked": "true",
        "guarded": "false",
        "control.url": "http://127.0.0.1:1",
        "control.secret": "a=secret",
    }


def test_a_guarded_engine_is_locked_and_has_the_key_of_masks() -> None:
    said = lines(startup_input(None, locked=False, guarding=GuardSettings(1.5, "the key of masks\n")))
    assert said.pop("guard.mask_key") == base64.b64encode(b"the key of masks\n").decode()
    assert said == {"locked": "true", "guarded": "true", "guard.timeout": "1500"}
    assert "guard.mask_key" not in lines(startup_input(None, locked=True, guarding=GuardSettings(1.5)))
    assert "the key" not in repr(GuardSettings(1.5, "the key of masks"))


def test_pem_fits_on_a_line() -> None:
    said = lines(startup_input(ControlLink("https://gateway:1", "secret", TLS), locked=True))
    for name, text in (("key", TLS.key), ("certificate", TLS.certificate), ("authority", TLS.authority)):
        assert base64.b64decode(said[f"control.{name}"]).decode() == text


def test_nothing_secret_is_shown() -> None:
    shown = repr(ControlLink("https://gateway:1", "the secret", TLS))
    assert "https://gateway:1" in shown
    assert "the secret" not in shown
    assert "the key" not in shown
