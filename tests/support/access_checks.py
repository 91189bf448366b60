"""Check the access logs of catalog and object store after a user's statement."""

from __future__ import annotations

from tests.support.identity_server import MACHINE, IdentityTestServer
from tests.support.lakes import Watched


def check_accesses(identity_server: IdentityTestServer, seen: Watched, user: str) -> None:
    """Assert that all requests were made as `user`, and that only the user's own keys opened files."""
    assert seen.catalog
    assert {access.user for access in seen.catalog} == {user}
    assert seen.files
    keys = {entry.access_key for entry in seen.files}
    assert MACHINE not in {entry.access_key for entry in seen.store}
    match seen.lake.storage:
        case "vended":
            assert keys <= identity_server.vended_to(user)
            assert {entry.parent for entry in seen.files} == {seen.lake.service.service_user}
            assert not keys & identity_server.vended_to("bob" if user == "alice" else "alice")
        case "web_identity":
            assert {entry.user for entry in seen.files} == {user}
            assert keys <= identity_server.exchanged_for(user)
        case "remote_signing":
            assert keys == {seen.lake.service.service_user}  # who signs; the catalog knows for whom
            assert any(access.method == "POST" and "sign" in access.path for access in seen.catalog)
