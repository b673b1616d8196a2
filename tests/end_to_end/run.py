"""`loadline run` against the embedded engine over real HTTP."""
import json
import os
import sqlite3
import unittest

from program import DATA, loadline, new_folder, read, read_json, shared


class WorkedExampleOverHttp(unittest.TestCase):
    """64 and 96 users, 3,000 requests: within 5% and the interval (docs/method.md section 7)."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = new_folder()
        cls.folder = os.path.join(cls.temporary.name, "run")
        cls.process = loadline("run", "--trace", "builtin:worked-example", "--concurrency", "64,96", "--num-prompts", "3000",
                               "--engine-speed", "6", "--slo", "p99 ttft<=1000ms", "--output-dir", cls.folder, timeout=600)
        cls.report = read_json(os.path.join(cls.folder, "report.json"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_rows(self):
        self.assertIn(self.process.returncode, (0, 1), self.process.stderr)
        self.assertEqual(len(self.report["levels"]), 2)
        for level, (tokens, low, high) in zip(self.report["levels"], ((7850, 1335, 1480), (8380, 2950, 3210))):
            self.assertAlmostEqual(level["aggregate_output_tokens_per_s"] / tokens, 1, delta=0.05)
            self.assertLessEqual(level["ttft_ms"]["p99_low"], high * 1.05)
            if level["ttft_ms"]["p99_high"] is not None:
                self.assertGreaterEqual(level["ttft_ms"]["p99_high"], low)

    def test_sent_equals_drawn_token_by_token(self):
        database = sqlite3.connect(os.path.join(self.folder, "run.sqlite"))
        unequal = database.execute(
            "SELECT count(*) FROM request WHERE outcome='ok' AND (prompt_tokens<>planned_prompt_tokens OR completion_tokens<>planned_completion_tokens)")
        self.assertEqual(unequal.fetchone()[0], 0)
        self.assertGreater(database.execute("SELECT count(*) FROM request WHERE outcome='ok'").fetchone()[0], 6000)
        # Every token came in a chunk of its own: one gap less than chunks.
        row = database.execute("SELECT events, length(data) FROM request JOIN gap ON gap.request=request.id WHERE outcome='ok' LIMIT 1").fetchone()
        self.assertEqual((row[0] - 1) * 4, row[1])
        for ordinal, level in enumerate(self.report["levels"]):
            warm = database.execute("SELECT count(*) FROM request WHERE level=? AND warmup=1", (ordinal,)).fetchone()[0]
            self.assertEqual(warm, level["warmup_requests"])
        database.close()

    def test_books_count_what_was_cancelled_at_the_end(self):
        database = sqlite3.connect(os.path.join(self.folder, "run.sqlite"))
        for ordinal, level in enumerate(self.report["levels"]):
            books = level["requests"]
            self.assertEqual(books["planned"], books["ok"] + books["short"] + sum(books["failed"].values()) + books["censored"] + books["unsent"])
            # The load is kept on while the measured requests end: some of it is always in flight when the level is over.
            self.assertGreater(books["censored"], 0)
            self.assertEqual(books["planned"], database.execute("SELECT count(*) FROM request WHERE level=?", (ordinal,)).fetchone()[0])
            self.assertEqual(level["measured_requests"], 3000)
        database.close()

    def test_page_and_files(self):
        for name in ("report.html", "report.md", "report.svg", "run.sqlite"):
            self.assertGreater(os.path.getsize(os.path.join(self.folder, name)), 1000, name)
        self.assertIn("simulated", read(os.path.join(self.folder, "report.html")))


class ProductionLog(unittest.TestCase):
    def test_azure_sweep(self):
        trace = shared("traces/azure_llm_2023_conv.csv")
        if trace is None:
            self.skipTest("the large real traces are not here (LOADLINE_SHARED)")
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            process = loadline("run", "--trace", trace, "--slo", "p99 ttft<=1000ms", "--no-refine", "--engine-speed", "12", "--output-dir", folder, timeout=900)
            self.assertEqual(process.returncode, 0, process.stderr)
            report = read_json(os.path.join(folder, "report.json"))
            self.assertTrue(report["valid"])
            self.assertGreaterEqual(len(report["levels"]), 8)
            self.assertEqual(report["operating_point"]["crossing"], "bracketed")
            self.assertEqual(report["input"]["log"]["rows"], 19366)
            self.assertIsNotNone(report["sizing"]["replicas"]["value"])
            moved = loadline("report", folder, "--slo", "p99 ttft<=2000ms", "--format", "json")
            self.assertEqual(moved.returncode, 0, moved.stderr)
            other = json.loads(moved.stdout)
            self.assertGreater(other["operating_point"]["load"], report["operating_point"]["load"])


class SmallLog(unittest.TestCase):
    """A log of our own with shared prefixes: the cache hits what the log shares, and every fact is there."""

    def test_prefix_sharing_reaches_the_engine(self):
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            process = loadline("run", "--trace", os.path.join(DATA, "shared-prefixes.jsonl"), "--concurrency", "2", "--engine-speed", "50",
                               "--warmup-requests", "0", "--num-prompts", "60", "--output-dir", folder)
            self.assertEqual(process.returncode, 0, process.stderr)
            report = read_json(os.path.join(folder, "report.json"))
            level = report["levels"][0]
            self.assertEqual(level["requests"]["ok"], 60)
            self.assertAlmostEqual(level["cache"]["measured_rate"], level["cache"]["target_rate"], delta=0.03)
            self.assertGreater(level["cache"]["measured_rate"], 0.2)
            self.assertEqual(level["cache"]["source"], "usage")
            self.assertEqual(report["facts"]["engine"]["name"], "loadline simulated engine")
            self.assertEqual(report["input"]["source"].split("/")[-1], "shared-prefixes.jsonl")

    def test_chat_endpoint_and_facts(self):
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            process = loadline("run", "--endpoint-type", "chat", "--trace", os.path.join(DATA, "shared-prefixes.jsonl"), "--concurrency", "2",
                               "--engine-speed", "50", "--warmup-requests", "0", "--num-prompts", "20", "--fact", "model.quantization=fp8",
                               "--api-key", "sk-very-secret", "--output-dir", folder)
            self.assertEqual(process.returncode, 0, process.stderr)
            report = read_json(os.path.join(folder, "report.json"))
            self.assertEqual(report["facts"]["model"]["quantization"], "fp8")
            self.assertEqual(report["facts"]["source"]["model.quantization"], "user")
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(b"sk-very-secret", file.read(), name)

    def test_check(self):
        with new_folder() as temporary:
            process = loadline("run", "--check", "--engine-speed", "20", cwd=temporary)
            self.assertEqual(process.returncode, 0, process.stderr)
            for words in ("completion lengths are obeyed", "prompts have exactly their length", "engine.version", "expected cost"):
                self.assertIn(words, process.stdout)
            self.assertEqual(os.listdir(temporary), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
