"""Runs the program for the tests: no shell, bounded in time, with its output kept."""
import json
import os
import socket
import subprocess
import tempfile

LOADLINE = os.environ["LOADLINE"]
SOURCE = os.environ["LOADLINE_SOURCE"]
SHARED = os.environ.get("LOADLINE_SHARED") or os.path.join(SOURCE, "..", "shared")
DATA = os.path.join(SOURCE, "tests", "data")


def loadline(*arguments, timeout=300, **options):
    """The finished process of `loadline ARGUMENTS`."""
    environment = dict(os.environ)
    environment.pop("OPENAI_API_KEY", None)
    # No test is held against what the machine at hand was proven to carry.
    environment["XDG_STATE_HOME"] = os.path.join(tempfile.gettempdir(), "loadline-without-state")
    environment.update(options.pop("environment", {}))
    return subprocess.run([LOADLINE, *map(str, arguments)], capture_output=True, text=True, timeout=timeout,
                          env=environment, **options)


def loadline_json(*arguments, **options):
    """Standard output of a run that must succeed, as JSON."""
    process = loadline(*arguments, **options)
    if process.returncode != 0:
        raise AssertionError(f"exit {process.returncode}: {process.stderr}")
    return json.loads(process.stdout)


def read(path):
    with open(path) as file:
        return file.read()


def read_json(path):
    return json.loads(read(path))


def new_folder():
    """A temporary folder, to be used in a with statement."""
    return tempfile.TemporaryDirectory(prefix="loadline-test-")


def free_port():
    """A port of loopback that nobody listened on a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def shared(path):
    """A file of the large real traces, or None where they are not."""
    full = os.path.join(SHARED, path)
    return full if os.path.exists(full) else None
