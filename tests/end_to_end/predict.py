"""`loadline simulate --calibrate-from`: an engine of known parameters is measured, fitted and asked other questions."""
import os
import tempfile
import unittest

from program import loadline, loadline_json, read, read_json

ENGINE = ["--engine-parameter", "token_compute_s=6.16e-5", "--engine-parameter", "weight_read_s=0.003",
          "--engine-parameter", "token_budget=512", "--engine-parameter", "max_sequences=72"]
TRAFFIC = ["--trace", "builtin:worked-example"]


def capacity(report):
    return report["capacity"]["closed"]["requests_per_s"]


def overlap(test, a, b):
    test.assertLessEqual(a["low"], b["high"])
    test.assertLessEqual(b["low"], a["high"])


class Prediction(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="loadline-test-")
        cls.measured = os.path.join(cls.folder.name, "measured")
        process = loadline("simulate", *TRAFFIC, *ENGINE, "--concurrency", "1,4,16,32,48,64,80,96", "--num-prompts", "500",
                           "--slo", "p99 ttft<=1000ms", "--quiet", "--output-dir", cls.measured)
        assert process.returncode == 0, process.stderr
        cls.kept = os.path.join(cls.folder.name, "predicted")
        cls.predicted = loadline_json("simulate", "--calibrate-from", cls.measured, "--slo", "p99 ttft<=2000ms", "--json", "--quiet",
                                      "--output-dir", cls.kept, timeout=600)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_capacity_of_the_engine_that_was_measured(self):
        truth = loadline_json("simulate", *TRAFFIC, *ENGINE, "--slo", "p99 ttft<=2000ms", "--seed", "5", "--json")
        overlap(self, capacity(self.predicted), capacity(truth))
        self.assertAlmostEqual(capacity(self.predicted)["value"] / capacity(truth)["value"], 1, delta=0.05)

    def test_another_objective_of_the_same_prediction(self):
        again = loadline_json("report", self.kept, "--slo", "p99 ttft<=4000ms", "--format", "json")
        truth = loadline_json("simulate", *TRAFFIC, *ENGINE, "--slo", "p99 ttft<=4000ms", "--seed", "6", "--json")
        self.assertTrue(again["predicted"])
        overlap(self, capacity(again), capacity(truth))

    def test_what_the_run_tells_of_the_engine(self):
        parameters = {one["key"]: one for one in self.predicted["prediction"]["parameters"]}
        for key, truth in (("token_compute_s", 6.16e-5), ("token_budget", 512), ("max_sequences", 72)):
            self.assertTrue(parameters[key]["told"], key)
            self.assertLessEqual(parameters[key]["low"], truth, key)
            self.assertGreaterEqual(parameters[key]["high"], truth, key)
        self.assertFalse(parameters["kv_tokens"]["told"])
        self.assertIsNone(parameters["kv_tokens"]["low"])
        self.assertLess(self.predicted["prediction"]["fit_error"], 0.03)

    def test_it_is_marked_everywhere(self):
        self.assertTrue(self.predicted["predicted"])
        self.assertEqual(self.predicted["prediction"]["from"], self.measured)
        self.assertTrue(self.predicted["sentence"].startswith("Predicted, not measured"))
        self.assertIn("predicted", [doubt["id"] for doubt in self.predicted["doubts"]])
        self.assertIn("in place of p99 ttft<=1000ms", " ".join(self.predicted["prediction"]["changed"]))
        self.assertEqual(read_json(os.path.join(self.kept, "report.json")), self.predicted)
        self.assertIn("predicted, not measured", read(os.path.join(self.kept, "report.html")))
        self.assertIn("## Prediction", read(os.path.join(self.kept, "report.md")))
        measured = read_json(os.path.join(self.measured, "report.json"))
        self.assertFalse(measured["predicted"])
        self.assertIsNone(measured["prediction"])

    def test_a_cache_makes_first_tokens_come_sooner(self):
        warm = loadline_json("simulate", "--calibrate-from", self.measured, "--cache-rate", "0.8", "--concurrency", "4,16,48", "--json",
                             "--num-prompts", "300", timeout=600)
        cold = {level["target"]: level for level in read_json(os.path.join(self.measured, "report.json"))["levels"]}
        self.assertAlmostEqual(warm["cache"]["measured_rate"], 0.8, delta=0.01)
        for level in warm["levels"]:
            self.assertLess(level["ttft_ms"]["p99"], cold[level["target"]]["ttft_ms"]["p99"])
        self.assertNotIn("cache_off_target", [doubt["id"] for doubt in warm["doubts"]])

    def refuse(self, words, *arguments):
        process = loadline("simulate", *arguments)
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertEqual(len(process.stderr.strip().splitlines()), 1, process.stderr)
        for word in words:
            self.assertIn(word, process.stderr)

    def test_what_cannot_be_predicted(self):
        self.refuse(["nowhere"], "--calibrate-from", os.path.join(self.folder.name, "nowhere"))
        self.refuse(["--cache-rate", "0 to 1"], "--calibrate-from", self.measured, "--cache-rate", "1.5")
        self.refuse(["--cache-rate", "--calibrate-from"], "--cache-rate", "0.5")
        self.refuse(["--hardware", "simulated"], "--calibrate-from", self.measured, "--hardware", "8xH100-SXM")
        self.refuse(["--engine-parameter"], "--calibrate-from", self.measured, *ENGINE)
        self.refuse(["--slo"], "--calibrate-from", self.measured, "--slo", "p99 tft<=1s")
        self.refuse(["prediction itself"], "--calibrate-from", self.kept)
        for command in ("run", "plan"):
            process = loadline(command, "--calibrate-from", self.measured)
            self.assertEqual(process.returncode, 2, process.stderr)
            self.assertIn("loadline simulate", process.stderr)
        few = os.path.join(self.folder.name, "few")
        loadline("simulate", *TRAFFIC, "--concurrency", "1,4", "--num-prompts", "60", "--quiet", "--output-dir", few)
        self.refuse(["2 complete levels", "3 or more"], "--calibrate-from", few)

    def test_other_hardware_by_the_table(self):
        run = os.path.join(self.folder.name, "named")
        process = loadline("simulate", *TRAFFIC, "--fact", "hardware.name=H100-SXM", "--fact", "hardware.count=1", "--concurrency", "1,8,32",
                           "--num-prompts", "200", "--quiet", "--output-dir", run)
        self.assertEqual(process.returncode, 0, process.stderr)
        moved = loadline_json("simulate", "--calibrate-from", run, "--hardware", "2xH100-SXM", "--concurrency", "1,8,32", "--num-prompts", "200",
                              "--json", timeout=600)
        measured = {level["target"]: level for level in read_json(os.path.join(run, "report.json"))["levels"]}
        self.assertIn("memory bandwidth times 2", " ".join(moved["prediction"]["changed"]))
        for level in moved["levels"]:
            ratio = level["aggregate_output_tokens_per_s"] / measured[level["target"]]["aggregate_output_tokens_per_s"]
            self.assertGreater(ratio, 1.05)
            self.assertLess(ratio, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
