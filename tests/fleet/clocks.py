"""Ranks on three machines find one another, align their clocks, and miss one that dies. Over the communicator alone."""
import json
import os
import signal
import threading
import unittest

from machines import PROBE, Machines, finish, main


def rows_of(output):
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


class Clocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with Machines() as machines:
            cls.machines = machines
            cls.status, output, cls.errors = finish(machines.mpirun(PROBE, "clocks"), timeout=120)
        cls.rows = rows_of(output)

    def test_it_ends_well(self):
        self.assertEqual(self.status, 0, self.errors)
        self.assertEqual(len(self.rows), 1, self.errors)

    def test_every_rank_is_on_a_machine_of_its_own(self):
        row = self.rows[0]
        self.assertEqual(row["size"], 3)
        self.assertEqual([row["host"], *(other["host"] for other in row["others"])], self.machines.names)

    def test_bytes_arrive_whole(self):
        self.assertEqual(self.rows[0]["broadcast"], "to all")
        self.assertEqual(self.rows[0]["gathered_bytes"], [6, 3 << 20, 6])

    def test_clocks_are_known_within_what_is_claimed(self):
        for other, ahead_s in zip(self.rows[0]["others"], self.machines.ahead_s[1:]):
            truth = ahead_s * 10**9
            self.assertEqual(other["samples"], 400)
            self.assertGreater(other["half_round_trip_ns"], 0)
            # The kernel's offset between the machines' clocks is exact; half a unit is lost to the halving.
            self.assertLessEqual(abs(other["offset_ns"] - truth), other["half_round_trip_ns"] + 1)
            self.assertLessEqual(abs(other["offset_again_ns"] - truth), other["half_round_trip_again_ns"] + 1)


class Loss(unittest.TestCase):
    """`what` happens to the third machine while all watch."""

    def watch(self, what):
        with Machines() as machines:
            process = machines.mpirun(PROBE, "watch")
            rows, lines = [], iter(process.stdout.readline, "")
            watchdog = threading.Timer(120, process.kill)
            watchdog.start()
            try:
                for line in lines:
                    rows += rows_of(line)
                    if len(rows) == 3:
                        break
                self.assertEqual([row["state"] for row in rows], ["watching"] * 3)
                what(machines)
                for line in lines:
                    rows += rows_of(line)
                    if rows[-1]["rank"] == 0 and rows[-1]["state"] == "told":
                        break
                machines.end_processes()
                return rows[-1], process.wait(timeout=30)
            finally:
                watchdog.cancel()
                process.kill()
                process.communicate()

    def test_a_killed_rank_is_missed_by_name(self):
        def kill(machines):
            for pid in machines.processes(2, "fleet_probe"):
                os.kill(pid, signal.SIGKILL)

        last, status = self.watch(kill)
        self.assertEqual((last["rank"], last["misses"]), (0, 2))
        self.assertGreater(last["taken"], 0)
        self.assertNotEqual(status, 0)

    def test_a_machine_that_is_cut_off_is_missed_by_name(self):
        last, status = self.watch(lambda machines: machines.unplug(2))
        self.assertEqual((last["rank"], last["misses"]), (0, 2))
        self.assertGreaterEqual(last["silent_ms"], 10000)
        self.assertNotEqual(status, 0)


if __name__ == "__main__":
    main("fleet_clocks")
