"""Objectives: of classes of the log, of any percentile, read again later; the decisions; the two demonstrations."""
import os
import random
import unittest

from program import loadline, loadline_json, new_folder, read

EXACT = ["--trace", "builtin:worked-example", "--concurrency", "8,24,48,80", "--num-prompts", "1200", "--quiet"]


def json_of(process):
    """What a command printed, also where its verdict on the run is exit status 1."""
    if process.returncode not in (0, 1):
        raise AssertionError(f"exit {process.returncode}: {process.stderr}")
    import json
    return json.loads(process.stdout)


def write_log(path):
    """Conversations of three turns: those of `batch` have long prompts."""
    chance = random.Random(3)
    rows = ["timestamp_ms,input_length,output_length,cached,session,turn,delay_ms,client,max,status"]
    for i in range(900):
        conversation, turn = divmod(i, 3)
        client = "batch" if conversation % 5 == 0 else "web"
        tokens = chance.randint(3000, 5000) if client == "batch" else chance.randint(50, 400)
        rows.append(f"{i * 500},{tokens},{chance.randint(20, 60)},,s{conversation},{turn},,{client},,")
    with open(path, "w") as file:
        file.write("\n".join(rows) + "\n")


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = new_folder()
        self.addCleanup(self.temporary.cleanup)
        self.folder = self.temporary.name

    def at(self, name):
        return os.path.join(self.folder, name)


class ReadAgain(Folder):
    OTHER = ["--slo", "p95 ttft<=600ms where prompt<=2000", "--slo", "p90 e2e<=12s", "--goodput", "ttft:400 tpot:9"]

    def test_equals_a_run_that_had_asked_so(self):
        loadline("simulate", *EXACT, "--slo", "p99 ttft<=1000ms", "--output-dir", self.at("one"))
        loadline("simulate", *EXACT, *self.OTHER, "--output-dir", self.at("two"))
        again = json_of(loadline("report", self.at("one"), *self.OTHER, "--format", "json", "--quiet"))
        asked = json_of(loadline("report", self.at("two"), "--format", "json", "--quiet"))
        self.assertEqual(len(again["levels"]), 4)
        for key in ("slo", "goodput_limits", "levels", "capacity", "operating_point", "peak", "valid"):
            self.assertEqual(again[key], asked[key], key)
        first = json_of(loadline("report", self.at("one"), "--format", "json", "--quiet"))
        self.assertNotEqual(again["capacity"], first["capacity"])
        # The percentile that was asked for draws the curve.
        closed = again["capacity"]["closed"]
        self.assertIsNotNone(closed["interpolated"])
        values = [level["objectives"][0]["value_ms"] for level in again["levels"]]
        self.assertEqual(values, sorted(values))
        self.assertGreater(values[-1], 600)
        figure = loadline("report", self.at("one"), "--slo", "p90 ttft<=600ms", "--format", "svg", "--quiet").stdout
        self.assertIn("p90 TTFT, ms", figure)

    def test_a_part_of_the_window(self):
        loadline("simulate", *EXACT, "--slo", "p99 ttft<=1000ms", "--output-dir", self.at("run"))
        whole = json_of(loadline("report", self.at("run"), "--format", "json", "--quiet"))
        part = json_of(loadline("report", self.at("run"), "--window", "10s..40s", "--format", "json", "--quiet"))
        self.assertIsNone(whole["loadline"]["reading"])
        self.assertIn("10s..40s", part["loadline"]["reading"])
        self.assertIn("10s..40s", part["sentence"])
        for all_of, some in zip(whole["levels"], part["levels"]):
            self.assertEqual(some["measured_s"], 30)
            self.assertAlmostEqual(some["warmup_s"], all_of["warmup_s"] + 10)
            self.assertLess(some["measured_requests"], all_of["measured_requests"])
            self.assertGreater(some["measured_requests"], 20)
        everything = json_of(loadline("report", self.at("run"), "--window", "0s..", "--format", "json", "--quiet"))
        self.assertEqual(everything["levels"], whole["levels"])
        longest = max(level["measured_s"] for level in whole["levels"])
        late = json_of(loadline("report", self.at("run"), "--window", f"{longest - 1}s..", "--format", "json", "--quiet"))
        self.assertEqual(len(late["levels"]), 1)
        self.assertIn("left out, because their window is shorter: 24 users, 48 users, 80 users", late["loadline"]["reading"])


class Classes(Folder):
    def test_objectives_of_clients_sessions_turns_and_lengths(self):
        write_log(self.at("log.csv"))
        classes = ["client=web", "client=batch", "session=s7", "turn=1", "turn>1", "prompt<=1000", "prompt>1000"]
        slo = [word for of in classes for word in ("--slo", f"p90 ttft<=300ms where {of}")]
        process = loadline("simulate", "--trace", self.at("log.csv"), "--concurrency", "4,16", "--num-prompts", "1800",
                           "--warmup-requests", "0", *slo, "--output-dir", self.at("run"), "--json", "--quiet")
        report = json_of(process)
        self.assertEqual([one["class"] for one in report["slo"]], classes)
        for level in report["levels"]:
            judged = {one["class"]: one for one in level["objectives"]}
            n = {of: one["n"] for of, one in judged.items()}
            self.assertEqual(n["client=web"] + n["client=batch"], 1800)
            self.assertEqual(n["turn=1"] + n["turn>1"], 1800)
            self.assertEqual(n["prompt<=1000"], n["client=web"], "the lengths tell the clients apart")
            self.assertAlmostEqual(n["client=batch"], 360, delta=15)  # a fifth of the conversations
            self.assertAlmostEqual(n["session=s7"], 6, delta=3, msg="three turns, in each of two passes over the log")
            self.assertGreater(judged["client=batch"]["value_ms"], judged["client=web"]["value_ms"])
            self.assertEqual(judged["client=web"]["value_ms"], judged["client=web"]["class_latency_ms"]["p90"])
        # The names that the run's objectives used can be asked for again, and no others.
        again = json_of(loadline("report", self.at("run"), "--slo", "p50 ttft<=1s where client=batch", "--format", "json", "--quiet"))
        batch = next(one for one in report["levels"][0]["objectives"] if one["class"] == "client=batch")
        self.assertEqual(again["levels"][0]["objectives"][0]["n"], batch["n"])
        refused = loadline("report", self.at("run"), "--slo", "p50 ttft<=1s where session=s8")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("session 's8' is none of them", refused.stderr)

    def test_a_class_that_nobody_belongs_to_is_open(self):
        report = json_of(loadline("simulate", *EXACT, "--json", "--slo", "p99 ttft<=1s where prompt>30000"))
        for level in report["levels"]:
            self.assertEqual(level["verdict"], "open")
            self.assertIn("class_empty", [doubt["id"] for doubt in level["doubts"]])
        self.assertIsNone(report["operating_point"])


class Decisions(unittest.TestCase):
    def sentence(self, decision, *more):
        report = json_of(loadline("simulate", *EXACT, "--json", "--slo", "p99 ttft<=1000ms", "--decision", decision, *more))
        return report["primary_metric"], report["sentence"], report

    def test_each_says_its_own_metric_first(self):
        metric, sentence, report = self.sentence("interactive")
        self.assertEqual(metric, "user_rate_tokens_per_s")
        self.assertRegex(sentence, r"^At \d+ users who wait for each answer, the level nearest to the operating point, a user sees ")
        metric, sentence, report = self.sentence("batch", "--price-per-hour", "36")
        self.assertEqual(metric, "aggregate_output_tokens_per_s")
        self.assertTrue(sentence.startswith("At most "), sentence)
        self.assertAlmostEqual(report["sizing"]["cost_per_million_output_tokens"],
                               36 / 3600 / report["peak"]["aggregate_output_tokens_per_s"] * 1e6)
        metric, sentence, report = self.sentence("comparison")
        self.assertEqual(metric, "capacity_ratio")
        self.assertTrue(sentence.startswith("One run alone compares nothing"), sentence)
        self.assertIn("users who wait for each answer", sentence)


class Demonstrations(unittest.TestCase):
    LEVEL = ["--trace", "builtin:worked-example", "--concurrency", "64", "--num-prompts", "20000", "--slo", "p99 ttft<=1000ms", "--json", "--quiet"]

    def level(self, *more):
        report = json_of(loadline("simulate", *self.LEVEL, *more))
        return report, report["levels"][0]

    def test_mean_lengths_hide_the_tail(self):
        real, spread = self.level()
        flat, means = self.level("--workload-mean")
        # The same means (763.5 and 733.7 tokens), and so nearly the same throughput...
        self.assertEqual(means["prompt_tokens"]["mean"], 764)
        self.assertEqual(means["completion_tokens"]["mean"], 734)
        self.assertAlmostEqual(spread["prompt_tokens"]["mean"] / 764, 1, delta=0.05)
        self.assertAlmostEqual(spread["completion_tokens"]["mean"] / 734, 1, delta=0.05)
        self.assertAlmostEqual(means["aggregate_output_tokens_per_s"] / spread["aggregate_output_tokens_per_s"], 1, delta=0.05)
        # ... but p99 TTFT at 64 users is some 20 times as long as the means say (docs/method.md): 1,390 ms and 73 ms.
        factor = spread["ttft_ms"]["p99"] / means["ttft_ms"]["p99"]
        self.assertGreater(factor, 15)
        self.assertLess(factor, 25)
        self.assertEqual(means["verdict"], "under")
        self.assertEqual(spread["verdict"], "over")
        self.assertIn("mean_lengths", [doubt["id"] for doubt in flat["doubts"]])
        self.assertNotIn("mean_lengths", [doubt["id"] for doubt in real["doubts"]])
        self.assertEqual((real["input"]["workload"], flat["input"]["workload"]), ("drawn", "mean"))
        self.assertIn("demonstration", flat["sentence"])

    def test_one_repeated_prompt_measures_the_cache(self):
        real, spread = self.level()
        report, level = self.level("--workload-repeat")
        self.assertEqual(spread["prompts"]["unique"], spread["prompts"]["sent"])
        self.assertEqual(level["prompts"]["unique"], 1)
        self.assertEqual(spread["cache"]["measured_rate"], 0)
        self.assertGreater(level["cache"]["measured_rate"], 0.97)
        self.assertLess(level["ttft_ms"]["p99"], spread["ttft_ms"]["p99"] / 20)
        self.assertIn("this run measured the cache", report["sentence"])
        said = [doubt["text"] for doubt in level["doubts"] if doubt["id"] == "few_unique_prompts"]
        self.assertEqual(len(said), 1)
        self.assertIn("This level measured the cache", said[0])
        # With the cache off the prompts are still few, and nothing else is claimed.
        report, level = self.level("--workload-repeat", "--engine-parameter", "prefix_cache=false")
        self.assertEqual(level["cache"]["measured_rate"], 0)
        self.assertIn("few_unique_prompts", [doubt["id"] for doubt in level["doubts"]])

    def test_over_http_the_server_tells_the_hits(self):
        process = loadline("run", "--trace", "builtin:worked-example", "--workload-repeat", "--concurrency", "4", "--num-prompts", "60",
                           "--warmup-requests", "4", "--engine-speed", "20", "--slo", "p99 ttft<=1000ms", "--output-dir",
                           os.path.join(self.folder.name, "run"), "--json", "--quiet")
        report = json_of(process)
        level = report["levels"][0]
        self.assertGreater(level["cache"]["measured_rate"], 0.9)
        self.assertIn("few_unique_prompts", [doubt["id"] for doubt in level["doubts"]])
        page = read(os.path.join(self.folder.name, "run", "report.md"))
        self.assertIn("this run measured the cache", page)

    def setUp(self):
        self.folder = new_folder()
        self.addCleanup(self.folder.cleanup)


if __name__ == "__main__":
    unittest.main(verbosity=2)
