"""Cancel the statements of a FlightInfo, and renew its endpoints."""

from __future__ import annotations

import time

from sqe.errors import UsageError
from sqe.frontends.flight import messages
from sqe.frontends.flight.proto import Flight_pb2, FlightSql_pb2
from sqe.frontends.flight.session import FlightSession
from sqe.frontends.flight.statements import Statement, Statements


def cancel(statements: Statements, session: FlightSession, info: Flight_pb2.FlightInfo) -> bool:
    """Cancel the statement of a FlightInfo; return False if it has ended. Raises QueryNotFoundError, UsageError."""
    if not info.endpoint:
        raise UsageError("The FlightInfo has no endpoint, so there is nothing to cancel.")
    stopped = False
    for endpoint in info.endpoint:
        found = _statement(session, endpoint)
        stopped = (found is not None and statements.cancel(found)) or stopped
    return stopped


def renew(
    session: FlightSession, endpoint: Flight_pb2.FlightEndpoint, seconds: float
) -> Flight_pb2.FlightEndpoint:
    """Return the endpoint with the expiration time of its ticket in an idle session. Raises SqeError."""
    _statement(session, endpoint)
    renewed = Flight_pb2.FlightEndpoint()
    renewed.CopyFrom(endpoint)
    renewed.expiration_time.FromNanoseconds(int((time.time() + seconds) * 1e9))
    return renewed


def _statement(session: FlightSession, endpoint: Flight_pb2.FlightEndpoint) -> Statement | None:
    """Return the statement of the endpoint's ticket; None for metadata, which has no statement."""
    ticket = messages.unpack(endpoint.ticket.ticket, "ticket")
    if not isinstance(ticket, FlightSql_pb2.TicketStatementQuery):
        return None
    return session.tickets.get(ticket.statement_handle)
