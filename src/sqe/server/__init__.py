"""The two composition roots of a gateway process and the parts that they share.

gateway         the private gateway of a shell: a unix socket, one account, ends when idle
network_server  `sqe server`: the same, and listeners on the network; ends when it is told to
core            what both have: engine, control endpoint, policies, query service, private socket
"""
