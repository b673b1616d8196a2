"""Three machines on one: network namespaces of their own on one switch, each with a host name and, where the kernel has
time namespaces, a monotonic clock of its own. mpirun starts a rank on each through an agent in place of ssh.

Everything that is made carries this process's id in its name, lives in these namespaces or in one temporary folder, and
goes away with them."""
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "end_to_end"))

PROBE = os.environ.get("LOADLINE_FLEET_PROBE", "")
MPIRUN = os.environ.get("LOADLINE_MPIRUN", "")
# What each machine's CLOCK_MONOTONIC is ahead of this one's, in seconds: known truth for the alignment.
AHEAD_S = (0, 1000, 250000)

AGENT = """#!/bin/sh
# In place of ssh: AGENT MACHINE COMMAND...
machine=$1
shift
exec ip netns exec "$machine" {clock} sh -c 'hostname "$0"; exec sh -c "$1"' "$machine" "$*"
"""


def quietly(*command):
    """Whether the command succeeds."""
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=30, check=False).returncode == 0


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, timeout=30, capture_output=True)


def missing():
    """Why there can be no machines here; None where they can be made."""
    if not MPIRUN or not os.path.exists(MPIRUN):
        return "this build has no Open MPI (libopenmpi-dev, openmpi-bin)"
    for tool in ("ip", "unshare", "hostname"):
        if shutil.which(tool) is None:
            return f"the command {tool} is not there"
    name = f"loadline-{os.getpid()}-try"
    if not quietly("ip", "netns", "add", name):
        return "no network namespace can be made (root or CAP_SYS_ADMIN is needed)"
    try:
        if not quietly("ip", "-n", name, "link", "add", "switch", "type", "bridge"):
            return "no bridge can be made in a network namespace"
        if not quietly("ip", "netns", "exec", name, "unshare", "--uts", "true"):
            return "no host name of one's own can be had (unshare --uts)"
    finally:
        quietly("ip", "netns", "del", name)
    return None


class Machines:
    """Use in a with statement."""

    def __init__(self, count=3):
        prefix = f"loadline-{os.getpid()}"
        self.switch = f"{prefix}-switch"
        self.names = [f"{prefix}-{number}" for number in range(1, count + 1)]
        self.addresses = [f"10.77.0.{number}" for number in range(1, count + 1)]
        has_clocks = quietly("unshare", "--fork", "--time", "--monotonic", "1", "true")
        self.ahead_s = AHEAD_S[:count] if has_clocks else (0,) * count
        self.made = []

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="loadline-fleet-")
        try:
            self.make(self.switch)
            ip("-n", self.switch, "link", "add", "switch", "type", "bridge")
            ip("-n", self.switch, "link", "set", "switch", "up")
            for index, name in enumerate(self.names):
                self.make(name)
                self.connect(index, name)
            self.write_agent()
        except BaseException:
            self.__exit__()
            raise
        return self

    def make(self, name):
        ip("netns", "add", name)
        self.made.append(name)

    def connect(self, index, name):
        port = f"port{index + 1}"
        ip("-n", name, "link", "add", "eth0", "type", "veth", "peer", "name", port, "netns", self.switch)
        ip("-n", self.switch, "link", "set", port, "master", "switch", "up")
        ip("-n", name, "addr", "add", f"{self.addresses[index]}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")

    def write_agent(self):
        """One agent that knows each machine's clock."""
        cases = "".join(f"  {name}) ahead={ahead} ;;\n" for name, ahead in zip(self.names, self.ahead_s))
        clock = "unshare --uts"
        if any(self.ahead_s):
            clock += ' --fork --kill-child --time --monotonic "$ahead"'
        text = AGENT.format(clock=clock).replace("shift\n", f'shift\ncase "$machine" in\n{cases}esac\n')
        self.agent = os.path.join(self.folder.name, "agent")
        with open(self.agent, "w") as file:
            file.write(text)
        os.chmod(self.agent, 0o755)

    def on(self, index, *command, **options):
        """A process on the machine with that index, started."""
        name = self.names[index]
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **options}
        return subprocess.Popen(["ip", "netns", "exec", name, "unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"',
                                 name, *map(str, command)], **options)

    def mpirun(self, *command, **options):
        """`mpirun` on the first machine, a rank on each; started. Messages go through the network only."""
        settings = {"plm_rsh_agent": self.agent, "btl": "tcp,self", "btl_tcp_if_include": "eth0", "oob_tcp_if_include": "eth0",
                    "orte_tmpdir_base": self.folder.name}
        flags = [word for key, value in settings.items() for word in ("--mca", key, value)]
        return self.on(0, MPIRUN, "--allow-run-as-root", "--host", ",".join(self.names), *flags, "-n", len(self.names),
                       *command, **options)

    def processes(self, index, command=None):
        """Ids of the processes on that machine, of those with that command name."""
        found = subprocess.run(["ip", "netns", "pids", self.names[index]], capture_output=True, text=True, timeout=30, check=False)
        return [pid for pid in map(int, found.stdout.split()) if command in (None, command_of(pid))]

    def unplug(self, index):
        ip("-n", self.switch, "link", "set", f"port{index + 1}", "down")

    def end_processes(self):
        """Nothing is left running on the machines: all that runs there was started here."""
        for how in (signal.SIGTERM, signal.SIGKILL):
            deadline = time.monotonic() + 3
            left = [pid for index in range(len(self.names)) for pid in self.processes(index)]
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, how)
            while left and time.monotonic() < deadline:
                time.sleep(0.05)
                left = [pid for index in range(len(self.names)) for pid in self.processes(index)]
            if not left:
                return

    def __exit__(self, *_):
        self.end_processes()
        for name in reversed(self.made):
            quietly("ip", "netns", "del", name)
        self.folder.cleanup()


def command_of(pid):
    try:
        with open(f"/proc/{pid}/comm") as file:
            return file.read().strip()
    except OSError:
        return None


def finish(process, timeout):
    """(exit status, standard output, standard error) of a started process; it is killed when it takes longer."""
    try:
        output, errors = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate(timeout=30)
        raise AssertionError(f"not done within {timeout} s; said: {output[-2000:]} {errors[-2000:]}") from None
    return process.returncode, output, errors


def main(name):
    """Runs the file's tests, or skips them by name and reason."""
    import unittest

    reason = missing()
    if reason:
        print(f"skipped: {name}: {reason}")
        sys.exit(77)
    unittest.main(verbosity=2)
