"""`loadline run` on three machines: the curve of one process, and what stays when a machine's rank dies."""
import json
import math
import os
import re
import signal
import sqlite3
import statistics
import threading
import time
import unittest

from machines import Machines, finish, main
from program import DATA, LOADLINE, loadline, read_json

PORT = 8000
LEVELS = (4, 8)
REQUESTS = 300


def run_command(machines, folder, levels=LEVELS):
    return [LOADLINE, "run", "--url", f"http://{machines.addresses[0]}:{PORT}", "--trace", os.path.join(DATA, "small-chat.csv"),
            "--client-threads", 1, "--concurrency", ",".join(map(str, levels)), "--warmup-requests", 0, "--num-prompts", REQUESTS,
            "--seed", 7, "--ui", "none", "--output-dir", folder]


class Engine:
    """`loadline engine` on the first machine, reached by all."""

    def __init__(self, machines, speed):
        self.process = machines.on(0, LOADLINE, "engine", "--host", machines.addresses[0], "--port", PORT, "--speed", speed)

    def __enter__(self):
        line = self.process.stdout.readline()
        if "listens" not in line:
            raise AssertionError(f"the engine does not start: {line}{self.process.stderr.read()}")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate(timeout=30)


def measured(folder, level):
    """(instants in s of the first sending and of the end, TTFT in ms, E2E in s, output tokens) of what succeeded."""
    database = sqlite3.connect(f"file:{folder}/run.sqlite?mode=ro", uri=True)
    rows = database.execute("SELECT due_ns, first_token_ns, last_token_ns, completion_tokens FROM request "
                            "WHERE level=? AND outcome IN ('ok', 'short') ORDER BY due_ns", (level,)).fetchall()
    database.close()
    return [(due / 1e9, (first - due) / 1e6, (last - due) / 1e9, tokens) for due, first, last, tokens in rows]


def median_interval(values, z=2.6):
    """Ranks of the median by the binomial distribution, 99%."""
    ordered = sorted(values)
    half = z * math.sqrt(len(ordered)) / 2
    low = max(0, math.floor(len(ordered) / 2 - half))
    high = min(len(ordered) - 1, math.ceil(len(ordered) / 2 + half))
    return ordered[low], ordered[high]


def rate_and_error(rows, users, batches=10):
    """Output tokens/s by what a user gets, tokens / E2E of consecutive requests, free of how a level starts and ends; and
    its standard error from the means of consecutive batches, which holds also where the machine was slow for a while."""
    def rate(some):
        return users * sum(row[3] for row in some) / sum(row[2] for row in some)

    size = len(rows) // batches
    means = [rate(rows[number * size:(number + 1) * size]) for number in range(batches)]
    return rate(rows), statistics.stdev(means) / math.sqrt(batches)


class Pair:
    """One run by one process, and one by three ranks."""

    def __init__(self, machines, number):
        self.one, self.three = (os.path.join(machines.folder.name, f"{name}-{number}") for name in ("one", "three"))
        for process in (machines.on(0, *run_command(machines, self.one)), machines.mpirun(*map(str, run_command(machines, self.three)))):
            status, _, errors = finish(process, timeout=300)
            if status not in (0, 1):
                raise AssertionError(f"exit {status}: {errors}")
        self.reports = [read_json(os.path.join(folder, "report.json")) for folder in (self.one, self.three)]
        self.rows = [[measured(folder, level) for level in range(len(LEVELS))] for folder in (self.one, self.three)]

    def throughput_differs(self, level):
        (one, one_error), (three, three_error) = (rate_and_error(rows[level], LEVELS[level]) for rows in self.rows)
        # 3.9: Student's 99.9% for two times nine degrees of freedom.
        return abs(one - three) > 3.9 * math.hypot(one_error, three_error) and f"{one:.0f} and {three:.0f} tokens/s"

    def ttft_differs(self, level):
        (low, high), (other_low, other_high) = (median_interval([row[1] for row in rows[level]]) for rows in self.rows)
        return max(low, other_low) > min(high, other_high) and f"p50 {low:.1f} to {high:.1f} and {other_low:.1f} to {other_high:.1f} ms"


class SameCurve(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.machines = cls.enterClassContext(Machines())
        cls.enterClassContext(Engine(cls.machines, speed=1))
        cls.pairs = [Pair(cls.machines, 0)]

    def expect_agreement(self, differs):
        """In one of three pairs: other work on this machine may slow one run of a pair, a fault of ours is in all of them."""
        for number in range(3):
            if number == len(self.pairs):
                self.pairs.append(Pair(self.machines, number))
            complaints = [f"{users} users: {found}" for level, users in enumerate(LEVELS) if (found := differs(self.pairs[number], level))]
            if not complaints:
                return
        self.fail(complaints)

    def test_all_requests_are_there_once(self):
        for report in self.pairs[0].reports:
            self.assertEqual([level["target"] for level in report["levels"]], list(LEVELS))
            for level in report["levels"]:
                self.assertEqual(level["measured_requests"], REQUESTS)
                self.assertEqual(sum(level["requests"]["failed"].values()), 0)

    def test_each_rank_has_written_its_part(self):
        self.assertEqual(sorted(os.listdir(os.path.join(self.pairs[0].three, "parts"))), ["rank-1", "rank-2"])  # rank 0 has the whole

    def test_throughput_agrees(self):
        self.expect_agreement(Pair.throughput_differs)

    def test_ttft_agrees(self):
        self.expect_agreement(Pair.ttft_differs)

    def test_no_more_in_flight_than_users(self):
        """Of all ranks together. Each user is on one rank and so on one clock: their alignment makes no difference."""
        for level, users in enumerate(LEVELS):
            steps = [step for due, _, e2e, _ in self.pairs[0].rows[1][level] for step in ((due, 1), (due + e2e, -1))]
            in_flight, most = 0, 0
            for _, change in sorted(steps):
                in_flight += change
                most = max(most, in_flight)
            self.assertLessEqual(most, users)


class Loss(unittest.TestCase):
    def test_a_rank_that_dies_ends_the_level_and_leaves_what_was_measured(self):
        with Machines() as machines, Engine(machines, speed=1):
            folder = os.path.join(machines.folder.name, "run")
            process = machines.mpirun(*map(str, run_command(machines, folder, levels=(4, 8, 6))))
            watchdog = threading.Timer(300, process.kill)
            watchdog.start()
            try:
                self.wait_for(process, folder, level=1, requests=30)
                for pid in machines.processes(2, "loadline"):
                    os.kill(pid, signal.SIGKILL)
                _, errors = process.communicate(timeout=60)
            finally:
                watchdog.cancel()
                process.kill()
            self.assertNotEqual(process.returncode, 0)
            said = [line for line in errors.splitlines() if re.search(r"rank 2 \(" + machines.names[2] + r"\)", line)]
            self.assertTrue(said, errors)
            self.assertTrue(any("8" in line for line in said), f"names the level: {said}")
            self.check_what_is_left(folder)

    def wait_for(self, process, folder, level, requests):
        """Until rank 0 has stored so many requests of that level."""
        deadline = time.monotonic() + 200
        while time.monotonic() < deadline and process.poll() is None:
            try:
                database = sqlite3.connect(f"file:{folder}/run.sqlite?mode=ro", uri=True)
                count = database.execute("SELECT count(*) FROM request WHERE level=?", (level,)).fetchone()[0]
                database.close()
                if count >= requests:
                    return
            except sqlite3.OperationalError:
                pass
            time.sleep(0.1)
        process.kill()
        raise AssertionError(f"level {level} never came: {process.communicate()}")

    def check_what_is_left(self, folder):
        process = loadline("report", folder, "--format", "json")
        self.assertIn(process.returncode, (0, 1), process.stderr)
        report = json.loads(process.stdout)
        self.assertEqual([level["target"] for level in report["levels"]], [4])
        self.assertEqual(report["levels"][0]["measured_requests"], REQUESTS)
        for part in (os.path.join(folder, "run.sqlite"), os.path.join(folder, "parts", "rank-1", "run.sqlite")):
            database = sqlite3.connect(f"file:{part}?mode=ro", uri=True)
            self.assertGreater(database.execute("SELECT count(*) FROM request WHERE level=1").fetchone()[0], 0, part)
            database.close()


if __name__ == "__main__":
    main("fleet_run")
