"""How the sweep chooses its levels: visits, search, open search, budget, repetitions, the way back down."""
import os
import unittest

from program import loadline, loadline_json, new_folder, read_json

# docs/method.md section 4, truth of the engine model at p99 ttft<=1000ms.
USERS, CLOSED, OPEN = 50.1, 9.88, 7.72
OBJECTIVE = ("--trace", "builtin:worked-example", "--slo", "p99 ttft<=1000ms")


def of(report, purpose):
    return [level for level in report["levels"] if level["purpose"] == purpose]


class Sweep(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = loadline_json("simulate", "--json", "--slo", "p99 ttft<=1500ms", "--trace", "builtin:worked-example")

    def test_a_curve_and_visits(self):
        ladder, visits = of(self.report, "ladder"), of(self.report, "visit")
        self.assertEqual(len(ladder) + len(visits), len(self.report["levels"]))
        self.assertGreaterEqual(len(ladder), 8)
        self.assertGreaterEqual(len(visits), 12)
        for visit in visits:
            self.assertEqual(visit["measured_requests"], 1000)
        sweep = self.report["sweep"]
        self.assertEqual(sweep["mode"], "sweep")
        self.assertEqual(sweep["closed_visits"], len(visits))
        self.assertIsNone(sweep["open_end"])
        self.assertAlmostEqual(sweep["engine_s"], sum(level["engine_s"] for level in self.report["levels"]), places=6)

    def test_the_truth_lies_in_the_interval(self):
        # docs/method.md: 67.6 users, 10.83 requests/s.
        capacity = self.report["capacity"]["closed"]
        self.assertLess(capacity["load_low"], 67.6)
        self.assertGreater(capacity["load_high"], 67.6)
        self.assertLess(capacity["requests_per_s"]["low"], 10.83)
        self.assertGreater(capacity["requests_per_s"]["high"], 10.83)

    def test_it_says_why_it_ended(self):
        sweep, rate = self.report["sweep"], self.report["capacity"]["closed"]["requests_per_s"]
        reached = (rate["high"] - rate["low"]) / (2 * rate["value"])
        self.assertAlmostEqual(sweep["closed_precision"], reached, places=9)
        if sweep["closed_end"] == "precision":
            self.assertLessEqual(reached, 0.05)
        else:
            self.assertEqual(sweep["closed_end"], "budget")
            self.assertGreater(sweep["engine_s"], 6600)


class Search(unittest.TestCase):
    def test_capacity_alone(self):
        report = loadline_json("simulate", "--json", "--search", *OBJECTIVE)
        self.assertEqual([level["target"] for level in of(report, "ramp")][:4], [1, 2, 4, 8])
        self.assertEqual([level["measured_requests"] for level in of(report, "ramp")][:4], [30, 30, 120, 300])
        capacity = report["capacity"]["closed"]["requests_per_s"]
        self.assertLess(capacity["low"], CLOSED)
        self.assertGreater(capacity["high"], CLOSED)
        self.assertEqual(report["sweep"]["mode"], "search")

    def test_a_short_budget_is_kept_and_says_what_is_left(self):
        for options in (["--search"], []):
            report = loadline_json("simulate", "--json", "--budget", "20m", *options, *OBJECTIVE)
            self.assertLessEqual(report["sweep"]["engine_s"], 1200 + 120, "one level at most beyond")
            self.assertEqual(report["sweep"]["closed_end"], "budget")
            self.assertGreater(report["sweep"]["closed_precision"], 0.05)
            self.assertGreaterEqual(report["sweep"]["closed_visits"], 1)

    def test_a_coarser_precision_ends_sooner(self):
        fine = loadline_json("simulate", "--json", "--search", *OBJECTIVE, "--capacity-precision", "5%")
        coarse = loadline_json("simulate", "--json", "--search", *OBJECTIVE, "--capacity-precision", "20%")
        self.assertEqual(coarse["sweep"]["closed_end"], "precision")
        self.assertLess(coarse["sweep"]["engine_s"], fine["sweep"]["engine_s"])
        self.assertLessEqual(coarse["sweep"]["closed_precision"], 0.2)


class OpenCapacity(unittest.TestCase):
    def test_it_is_found_after_the_closed_one_and_leads(self):
        report = loadline_json("simulate", "--json", "--search", "--open", *OBJECTIVE)
        closed, opened = report["capacity"]["closed"]["requests_per_s"], report["capacity"]["open"]["requests_per_s"]
        self.assertLess(closed["low"], CLOSED)
        self.assertGreater(closed["high"], CLOSED)
        self.assertLess(opened["low"], OPEN)
        self.assertGreater(opened["high"], OPEN)
        self.assertLess(opened["value"], closed["value"])
        self.assertEqual(report["operating_point"]["kind"], "request_rate", "the headline of the decision capacity")
        self.assertTrue(report["sentence"].startswith("Poisson arrivals at"), report["sentence"])
        rates = [level for level in report["levels"] if level["kind"] == "request_rate"]
        self.assertTrue(all(level["arrivals"] == "poisson" for level in rates))
        self.assertTrue(all(level["purpose"] in ("step", "visit") for level in rates))

    def test_after_a_list_of_levels(self):
        report = loadline_json("simulate", "--json", "--open", "--concurrency", "32,48,64,96", "--num-prompts", "2000",
                               "--budget", "20m", *OBJECTIVE)
        self.assertEqual(report["sweep"]["closed_end"], "listed")
        self.assertIn(report["sweep"]["open_end"], ("budget", "precision"))
        self.assertIsNotNone(report["capacity"]["open"])


class Repetitions(unittest.TestCase):
    def test_each_pass_has_its_capacity(self):
        report = loadline_json("simulate", "--json", "--repeats", "3", "--concurrency", "32,40,48,56,64,80",
                               "--num-prompts", "1000", *OBJECTIVE)
        self.assertEqual([level["pass"] for level in report["levels"]], [0] * 6 + [1] * 6 + [2] * 6)
        passes = report["sweep"]["passes"]
        self.assertEqual([one["pass"] for one in passes], [0, 1, 2])
        values = [one["closed"]["requests_per_s"]["value"] for one in passes]
        self.assertEqual(len(set(values)), 3, "no prompt is repeated")
        between = report["sweep"]["between_passes_requests_per_s"]
        self.assertLess(between["low"], min(values) * 1.0001)
        self.assertLess(between["low"], between["value"])
        self.assertLess(between["value"], between["high"])

    def test_up_and_down(self):
        report = loadline_json("simulate", "--json", "--up-and-down", "--concurrency", "8,16,32", "--num-prompts", "500", *OBJECTIVE)
        self.assertEqual([level["target"] for level in report["levels"]], [8, 16, 32, 16, 8])
        self.assertEqual([row["load"] for row in report["sweep"]["up_and_down"]], [16, 8])
        self.assertNotIn("hysteresis", [doubt["id"] for doubt in report["doubts"]], "a model remembers nothing")


class OverHttp(unittest.TestCase):
    def test_a_search_of_the_embedded_engine(self):
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            process = loadline("run", "--search", "--budget", "4m", "--trace", "builtin:worked-example", "--slo", "p99 ttft<=1000ms",
                               "--engine-speed", "10", "--output-dir", folder, "--quiet", timeout=300)
            self.assertIn(process.returncode, (0, 1), process.stderr)
            report = read_json(os.path.join(folder, "report.json"))
            self.assertEqual(report["sweep"]["mode"], "search")
            self.assertGreaterEqual(len(of(report, "ramp")), 3)
            self.assertTrue(all(level["purpose"] in ("ramp", "visit") for level in report["levels"]))
            again = loadline_json("report", folder, "--format", "json")
            self.assertEqual(again["levels"], report["levels"], "read again by the same rules")
            self.assertEqual(again["sweep"], report["sweep"])
            other = loadline_json("report", folder, "--format", "json", "--slo", "p99 ttft<=2000ms")
            self.assertTrue(other["sweep"]["for_other_objective"])
            self.assertFalse(again["sweep"]["for_other_objective"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
