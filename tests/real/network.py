"""What the tests of this folder need of the machine's network."""
import socket


def free_port():
    """A port of loopback that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
