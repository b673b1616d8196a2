"""`loadline report`: another question to the same requests, without measuring again."""
import json
import os
import shutil
import sqlite3
import unittest

from program import DATA, loadline, new_folder, read_json


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = new_folder()
        cls.folder = os.path.join(cls.temporary.name, "run")
        process = loadline("run", "--trace", os.path.join(DATA, "small-chat.csv"), "--concurrency", "1,4,16,64", "--engine-speed", "20",
                           "--warmup-requests", "10", "--num-prompts", "300", "--slo", "p99 ttft<=200ms", "--output-dir", cls.folder)
        assert process.returncode == 0, process.stderr
        cls.report = read_json(os.path.join(cls.folder, "report.json"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def read(self, *arguments):
        process = loadline("report", self.folder, "--format", "json", *arguments)
        self.assertEqual(process.returncode, 0, process.stderr)
        return json.loads(process.stdout)

    def test_reading_again_gives_the_same(self):
        self.assertEqual(self.read(), self.report)

    def test_a_looser_objective_moves_the_point_to_the_right(self):
        limits = [level["ttft_ms"]["p99"] for level in self.report["levels"]]
        tight = self.read("--slo", f"p99 ttft<={(limits[0] + limits[1]) / 2:.3f}ms")
        loose = self.read("--slo", f"p99 ttft<={(limits[2] + limits[3]) / 2:.3f}ms")
        self.assertEqual(loose["operating_point"]["crossing"], "bracketed")
        self.assertGreater(loose["operating_point"]["load"], tight["operating_point"]["load"])

    def test_objectives_outside_the_levels_are_never_extrapolated(self):
        never = self.read("--slo", "p99 ttft<=0.01ms")
        self.assertEqual(never["operating_point"]["crossing"], "below_first_level")
        self.assertIsNone(never["operating_point"]["load"])
        always = self.read("--slo", "p99 ttft<=3600s")
        self.assertEqual(always["operating_point"]["crossing"], "above_last_level")
        self.assertIsNone(always["operating_point"]["requests_per_s"]["high"])
        self.assertIn("not_bracketed", [doubt["id"] for doubt in always["doubts"]])

    def test_files_in_another_folder(self):
        out = os.path.join(self.temporary.name, "other")
        process = loadline("report", self.folder, "--slo", "p99 tpot<=50ms", "--format", "html,svg,csv,md", "--output-dir", out)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(sorted(os.listdir(out)), ["report.csv", "report.html", "report.md", "report.svg"])
        again = loadline("report", self.folder, "--format", "html", "--output-dir", out)
        self.assertEqual(again.returncode, 2, "nothing is overwritten")

    def test_the_database_alone_is_enough(self):
        alone = os.path.join(self.temporary.name, "alone")
        os.mkdir(alone)
        shutil.copy(os.path.join(self.folder, "run.sqlite"), alone)
        process = loadline("report", alone, "--format", "json")
        self.assertEqual(json.loads(process.stdout), self.report)

    def test_the_plan_repeats_the_run(self):
        plan = os.path.join(self.temporary.name, "plan.yaml")
        with open(plan, "w") as file:
            file.write(self.report["loadline"]["plan"])
        process = loadline("plan", plan, "--json")
        self.assertEqual(process.returncode, 0, process.stderr)
        first = json.loads(process.stdout)
        # What was planned is what was sent, request by request.
        database = sqlite3.connect(os.path.join(self.folder, "run.sqlite"))
        for level in first["levels"]:
            sent = database.execute("SELECT planned_prompt_tokens, planned_completion_tokens FROM request WHERE level=? ORDER BY serial LIMIT 10",
                                    (level["ordinal"],)).fetchall()
            self.assertEqual(sent, [(r["prompt_tokens"], r["completion_tokens"]) for r in level["first_requests"]])
        database.close()
        self.assertEqual(json.loads(loadline("plan", plan, "--json").stdout), first)
        self.assertNotEqual(json.loads(loadline("plan", plan, "--json", "--seed", "9").stdout), first)

    def test_log_and_sent(self):
        source = self.report["input"]
        self.assertEqual(source["log"]["rows"], 399)
        self.assertEqual(source["log"]["prompt_tokens"]["p50"], 174)
        self.assertLess(source["distance"]["prompt_ks"], 0.1)
        self.assertLess(source["distance"]["completion_ks"], 0.1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
