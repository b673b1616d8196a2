"""`loadline calibrate`, and runs that are held against what it proved. Nothing here depends on how fast this machine is."""
import json
import os
import unittest

from program import loadline, loadline_json, new_folder, read, read_json

LIMITS = ("events_per_s_per_thread", "streams_per_thread", "requests_per_s_per_thread")


class Calibrate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = new_folder()
        cls.file = os.path.join(cls.temporary.name, "limits.json")
        cls.process = loadline("calibrate", "--quick", "--json", "--tokens-per-write", "1,4", "--phases", "spread,burst",
                               "--output", cls.file)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_table(self):
        self.assertEqual(self.process.returncode, 0, self.process.stderr)
        report = json.loads(self.process.stdout)
        rows = report["table"]
        self.assertEqual([row["kind"] for row in rows], ["streams"] * 8 + ["requests"] * 2)
        self.assertEqual({(row["streams"], row["tokens_per_write"], row["phases"]) for row in rows[:8]},
                         {(streams, tokens, phases) for streams in (64, 512) for tokens in (1, 4) for phases in ("spread", "burst")})
        for row in rows:
            self.assertIn(row["fault"], ("none", "client", "engine", "machine"))
            self.assertEqual(row["fault"] == "none", row["reason"] is None, row)
            self.assertEqual(row["failed"], 0, row)
            self.assertGreater(row["events_per_s"], 0, row)
            self.assertGreaterEqual(row["cpu_us_per_event"], 0, row)
            if row["first_tokens_compared"] > 0:
                self.assertLessEqual(row["ttft_error_p1_ms"], row["ttft_error_p50_ms"])
                self.assertLessEqual(row["ttft_error_p50_ms"], row["ttft_error_p99_ms"])
            if row["gaps_compared"] > 0:
                self.assertGreaterEqual(row["gap_error_p99_ms"], row["gap_error_p50_ms"])
        # However busy the machine is, the lightest load has answers to compare.
        self.assertGreater(rows[0]["first_tokens_compared"], 0)
        self.assertGreater(rows[0]["gaps_compared"], rows[0]["first_tokens_compared"])
        self.assertEqual(report["bounds"]["ttft_error_p99_ms"], 1)

    def test_limits_are_those_of_the_rows_that_were_carried(self):
        report = json.loads(self.process.stdout)
        carried = [row for row in report["table"] if row["fault"] == "none"]
        for key, kind, figure in (("streams_per_thread", "streams", "streams"), ("requests_per_s_per_thread", "requests", "requests_per_s")):
            found = [row[figure] / row["threads"] for row in carried if row["kind"] == kind]
            self.assertEqual(report["limits"][key] and report["limits"][key]["value"], max(found, default=None))

    def test_file(self):
        report = json.loads(self.process.stdout)
        entry, = read_json(self.file)["entries"]
        self.assertEqual(entry["limits"], report["limits"])
        self.assertEqual(entry["table"], report["table"])
        for key in ("cpu", "cores", "kernel", "loadline_version"):
            self.assertEqual(entry[key], report[key])
        self.assertEqual(report["file"], self.file)

    def test_bad_input(self):
        for arguments, words in ((("--streams", "0"), "--streams"), (("--phases", "sometimes"), "neither spread nor burst"),
                                 (("--duration", "1ms"), "--duration"), (("--rates", "x"), "--rates")):
            process = loadline("calibrate", "--output", os.path.join(self.temporary.name, "never"), *arguments)
            self.assertEqual(process.returncode, 2, arguments)
            self.assertIn(words, process.stderr)
            self.assertEqual(process.stderr.strip().count("\n"), 0, process.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.temporary.name, "never")))

    def test_a_file_of_others_is_refused_before_anything_is_tried(self):
        foreign = os.path.join(self.temporary.name, "notes.txt")
        with open(foreign, "w") as file:
            file.write("my notes")
        process = loadline("calibrate", "--quick", "--output", foreign)
        self.assertEqual(process.returncode, 2)
        self.assertIn("--output FILE", process.stderr)
        self.assertEqual(read(foreign), "my notes")


class RunsAgainstLimits(unittest.TestCase):
    """A short run against the embedded engine, with a calibration written by hand."""

    def setUp(self):
        self.temporary = new_folder()
        self.addCleanup(self.temporary.cleanup)
        self.state = os.path.join(self.temporary.name, "state")
        # One more entry than is needed: who this machine is stands in what calibrate stores.
        path = os.path.join(self.temporary.name, "identity.json")
        identity = loadline_json("calibrate", "--json", "--streams", "2", "--rates", "20", "--tokens-per-write", "1", "--requests",
                                 "20", "--duration", "200ms", "--output", path)
        self.entry = {key: identity[key] for key in ("cpu", "cores", "kernel", "loadline_version")}

    def limits(self, at_least, **values):
        limits = {"calibrated_utc": "2026-11-30T12:00:00Z", "ttft_error_p99_ms": 0.0125, **{key: None for key in LIMITS}}
        limits.update({key: {"value": value, "at_least": at_least} for key, value in values.items()})
        folder = os.path.join(self.state, "loadline")
        os.makedirs(folder)
        with open(os.path.join(folder, "calibration.json"), "w") as file:
            json.dump({"schema": 1, "entries": [{**self.entry, "limits": limits, "table": []}]}, file)
        return limits

    def run_it(self):
        folder = os.path.join(self.temporary.name, "run")
        process = loadline("run", "--trace", "builtin:worked-example", "--concurrency", "4", "--num-prompts", "40", "--engine-speed", "5",
                           "--output-dir", folder, environment={"XDG_STATE_HOME": self.state})
        return process, folder, read_json(os.path.join(folder, "report.json"))

    def test_beyond_a_proven_limit_the_run_is_not_valid(self):
        limits = self.limits(False, events_per_s_per_thread=1, streams_per_thread=1, requests_per_s_per_thread=0.01)
        process, folder, report = self.run_it()
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertFalse(report["valid"])
        self.assertEqual(report["loadline"]["client"]["calibration"], limits)
        doubt, = [doubt for doubt in report["doubts"] if doubt["id"] == "client_limited"]
        self.assertTrue(doubt["invalidates"])
        for words in ("reads of output/s", "streams", "requests/s", "CPU cores", "another machine"):
            self.assertIn(words, doubt["text"])
        self.assertIn("client_limited", process.stdout)
        self.assertIn("Proven on this machine (2026-11-30T12:00:00Z)", read(os.path.join(folder, "report.html")))
        # The folder alone says the same later, whatever is kept on that machine then.
        again = loadline("report", folder, "--format", "json")
        self.assertEqual(again.returncode, 1)
        self.assertIn(doubt, json.loads(again.stdout)["doubts"])

    def test_beyond_what_was_tried_it_is_a_remark(self):
        self.limits(True, streams_per_thread=1)
        report = self.run_it()[2]
        doubt, = [doubt for doubt in report["doubts"] if doubt["id"] == "client_unproven"]
        self.assertFalse(doubt["invalidates"])
        self.assertIn("at least 1", doubt["text"])

    def test_without_a_calibration_it_is_said(self):
        process, folder, report = self.run_it()
        self.assertIsNone(report["loadline"]["client"]["calibration"])
        self.assertIn("this client was never calibrated on this machine: run loadline calibrate", process.stderr)
        self.assertIn("never calibrated on this machine", read(os.path.join(folder, "report.html")))

    def test_a_file_that_cannot_be_read_is_ignored_and_said(self):
        self.limits(False)
        file = os.path.join(self.state, "loadline", "calibration.json")
        with open(file, "w") as stream:
            stream.write("{")
        process, _, report = self.run_it()
        self.assertIsNone(report["loadline"]["client"]["calibration"])
        self.assertIn(file, process.stderr)
        self.assertEqual(read(file), "{")


if __name__ == "__main__":
    unittest.main(verbosity=2)
