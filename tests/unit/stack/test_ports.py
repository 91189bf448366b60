from __future__ import annotations

import socket

from stack.ports import HOST, free_ports


def test_ports_differ_and_can_be_listened_on() -> None:
    ports = free_ports(20)
    assert len(set(ports)) == 20
    for port in ports:
        with socket.socket() as listener:
            listener.bind((HOST, port))
