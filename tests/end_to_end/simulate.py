"""`loadline simulate`: the worked example of docs/method.md in virtual time."""
import os
import unittest

from program import loadline, loadline_json, new_folder, read_json

# Long runs of the engine model: users -> output tokens/s, and the range that holds its p99 TTFT in ms (known to +-4%).
TRUTH = {8: (1924, 355, 385), 32: (5690, 617, 668), 64: (7850, 1335, 1480), 96: (8380, 2950, 3210)}


class WorkedExample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = loadline_json("simulate", "--json")
        cls.levels = {level["target"]: level for level in cls.report["levels"]}

    def test_the_four_rows(self):
        self.assertEqual(sorted(self.levels), sorted(TRUTH))
        for users, (tokens, low, high) in TRUTH.items():
            level = self.levels[users]
            self.assertAlmostEqual(level["aggregate_output_tokens_per_s"] / tokens, 1, delta=0.03, msg=users)
            self.assertGreaterEqual(level["measured_requests"], 20000)
            # The interval and the long-run value, itself known to 4%, overlap.
            self.assertLessEqual(level["ttft_ms"]["p99_low"], high, users)
            if level["ttft_ms"]["p99_high"] is not None:
                self.assertGreaterEqual(level["ttft_ms"]["p99_high"], low, users)

    def test_books_and_little(self):
        for users, level in self.levels.items():
            books = level["requests"]
            self.assertEqual(books["planned"], books["ok"] + books["short"] + sum(books["failed"].values()) + books["censored"] + books["unsent"])
            self.assertAlmostEqual(level["littles_law"]["l"] / users, 1, delta=0.02)
            self.assertAlmostEqual(level["littles_law"]["ratio"], 1, delta=0.05)

    def test_operating_point(self):
        point = self.report["operating_point"]
        self.assertEqual(point["kind"], "concurrency")
        self.assertEqual(point["crossing"], "bracketed")
        # docs/method.md: 50.1 users, 9.88 requests/s.
        self.assertLessEqual(point["requests_per_s"]["low"], 9.88)
        self.assertGreaterEqual(point["requests_per_s"]["high"], 9.88)
        self.assertGreaterEqual(self.report["peak"]["slo_multiple"], 2.7)
        self.assertLessEqual(self.report["peak"]["slo_multiple"], 3.4)
        self.assertIn("users who wait for each answer", self.report["sentence"])

    def test_another_objective_of_the_same_run(self):
        with new_folder() as folder:
            kept = os.path.join(folder, "kept")
            # Levels near both crossings, so that each is bracketed closely.
            first = loadline_json("simulate", "--trace", "builtin:worked-example", "--concurrency", "8,32,44,54,64,74,96", "--num-prompts", "5000",
                                  "--slo", "p99 ttft<=1000ms", "--json", "--output-dir", kept)
            again = loadline_json("report", kept, "--slo", "p99 ttft<=1500ms", "--format", "json")
        # docs/method.md: 50.1 users and 9.88 requests/s at 1,000 ms; 67.6 users and 10.83 requests/s at 1,500 ms.
        for report, users, rate, tokens in ((first, 50.1, 9.88, 7250), (again, 67.6, 10.83, 7950)):
            point = report["operating_point"]
            self.assertEqual(point["crossing"], "bracketed")
            self.assertLessEqual(point["load_low"], users)
            self.assertGreaterEqual(point["load_high"], users)
            self.assertLessEqual(point["requests_per_s"]["low"], rate)
            self.assertGreaterEqual(point["requests_per_s"]["high"], rate)
            self.assertLessEqual(point["output_tokens_per_s"]["low"], tokens)
            self.assertGreaterEqual(point["output_tokens_per_s"]["high"], tokens)
        self.assertGreater(again["operating_point"]["load"], first["operating_point"]["load"])
        self.assertEqual([level["ttft_ms"]["p99"] for level in again["levels"]], [level["ttft_ms"]["p99"] for level in first["levels"]])
        # The same requests, so the same peak: its multiple shrinks by the ratio of the objectives.
        self.assertAlmostEqual(again["peak"]["slo_multiple"] / first["peak"]["slo_multiple"], 1000 / 1500, delta=1e-9)

    def test_it_says_that_it_is_simulated(self):
        self.assertIn("engine_simulated", [doubt["id"] for doubt in self.report["doubts"]])
        self.assertIn("trace_assumed", [doubt["id"] for doubt in self.report["doubts"]])
        self.assertTrue(self.report["valid"])
        self.assertIsNone(self.report["loadline"]["client"]["wall"])

    def test_bound(self):
        bound = self.report["bound"]
        self.assertAlmostEqual(bound["batch_1_tokens_per_s"], 500, delta=0.01)
        # docs/method.md section 5: ceiling 11,145 tokens/s over the default workload, 65.1% achieved at 1,000 ms.
        self.assertAlmostEqual(bound["request_ceiling_tokens_per_s"] / 11145, 1, delta=0.02)
        self.assertAlmostEqual(bound["achieved_fraction_of_request_ceiling"], 0.651, delta=0.06)
        self.assertEqual(bound["binding"], "compute")

    def test_one_seed_one_result(self):
        again = loadline_json("simulate", "--json", "--concurrency", "8", "--num-prompts", "500", "--trace", "builtin:worked-example", "--salt", "x")
        once = loadline_json("simulate", "--json", "--concurrency", "8", "--num-prompts", "500", "--trace", "builtin:worked-example", "--salt", "x")
        self.assertEqual(again["levels"], once["levels"])
        other = loadline_json("simulate", "--json", "--concurrency", "8", "--num-prompts", "500", "--trace", "builtin:worked-example", "--seed", "2")
        self.assertNotEqual(other["levels"][0]["ttft_ms"], once["levels"][0]["ttft_ms"])


class Ladder(unittest.TestCase):
    def test_default_sweep_brackets_the_crossing(self):
        report = loadline_json("simulate", "--json", "--trace", "builtin:worked-example", "--slo", "p99 ttft<=1000ms")
        self.assertGreaterEqual(len(report["levels"]), 8)
        self.assertEqual(report["operating_point"]["crossing"], "bracketed")
        self.assertLessEqual(report["operating_point"]["requests_per_s"]["low"], 9.88)
        self.assertGreaterEqual(report["operating_point"]["requests_per_s"]["high"], 9.88)
        self.assertNotIn("few_levels", [doubt["id"] for doubt in report["doubts"]])

    def test_exact_requests(self):
        report = loadline_json("simulate", "--json", "--trace", "builtin:worked-example", "--concurrency", "4",
                               "--warmup-requests", "0", "--num-prompts", "50")
        level = report["levels"][0]
        self.assertEqual(level["requests"]["planned"], 50)
        self.assertEqual(level["requests"]["ok"], 50)
        self.assertEqual(level["measured_requests"], 50)
        self.assertEqual(level["warmup_requests"], 0)
        self.assertIsNone(report["operating_point"])

    def test_open_loop_saturates(self):
        report = loadline_json("simulate", "--json", "--trace", "builtin:worked-example", "--request-rate", "4,16",
                               "--slo", "p99 ttft<=1000ms")
        under, over = report["levels"]
        self.assertEqual(under["kind"], "request_rate")
        self.assertAlmostEqual(under["completed_requests_per_s"], 4, delta=0.4)
        self.assertEqual(over["stability"], "saturated")
        self.assertGreater(over["queue_growth_per_s"], 0)
        self.assertIsNone(report["capacity"]["closed"])


def without_its_own(report):
    """What two runs of one seed have in common: all but when and by which command they ran."""
    report["loadline"] = {key: value for key, value in report["loadline"].items() if key not in ("command", "plan", "started_utc")}
    return report


class KeptRun(unittest.TestCase):
    """With --output-dir a run in virtual time is a run folder like any other, and says the same."""

    def same(self, *arguments):
        with new_folder() as folder:
            kept = os.path.join(folder, "kept")
            arguments = ["--trace", "builtin:worked-example", "--salt", "x", "--quiet", "--json", *arguments]
            unkept = loadline_json("simulate", *arguments)
            printed = loadline_json("simulate", *arguments, "--output-dir", kept)
            self.assertTrue(os.path.exists(os.path.join(kept, "run.sqlite")))
            again = loadline_json("report", kept, "--format", "json")
            self.assertEqual(printed, again)
            self.assertEqual(printed, read_json(os.path.join(kept, "report.json")))
            self.assertIsNone(again["loadline"]["client"]["wall"])
            self.assertEqual(without_its_own(unkept), without_its_own(printed))
            return again

    def test_listed_levels(self):
        report = self.same("--concurrency", "8,48,80", "--num-prompts", "1000", "--slo", "p99 ttft<=1000ms")
        self.assertEqual(len(report["levels"]), 3)
        self.assertIn("engine_simulated", [doubt["id"] for doubt in report["doubts"]])

    def test_open_loop_that_saturates(self):
        report = self.same("--request-rate", "4,16", "--slo", "p99 ttft<=1000ms")
        self.assertEqual([level["stability"] == "saturated" for level in report["levels"]], [False, True])

    def test_a_sweep_with_visits(self):
        report = self.same("--slo", "p99 ttft<=1000ms", "--budget", "20m")
        self.assertGreater(len(report["levels"]), 8)


class Refusals(unittest.TestCase):
    def test_contradictions(self):
        for arguments in (["--url", "http://127.0.0.1:1"], ["--check"], ["--hardware", "H100-SXM"], ["--idle-timeout", "5s"], ["--engine-speed", "2"], ["--engine-parameter", "speed=3"],
                          ["--concurrency", "1", "--request-rate", "1"]):
            process = loadline("simulate", *arguments)
            self.assertEqual(process.returncode, 2, arguments)
            self.assertEqual(process.stdout, "")
            self.assertEqual(len(process.stderr.strip().splitlines()), 1, process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
