"""`loadline compare` and `loadline gate`: what they refuse, what they find, and that they find nothing where there is nothing."""
import json
import os
import re
import subprocess
import unittest

from program import LOADLINE, SOURCE, loadline, new_folder, read, read_json

WORKLOAD = ("--trace", "builtin:worked-example", "--slo", "p99 ttft<=1000ms")
SMALL = (*WORKLOAD, "--num-prompts", "300", "--quiet")
FOLDERS = []


def fresh_folder():
    """The path of a folder that is there until the tests have ended."""
    FOLDERS.append(new_folder())
    return FOLDERS[-1].name



def write_log(path, answers=True):
    """Conversations of two turns; every fourth has long prompts."""
    rows = ["timestamp_ms,input_length,output_length,cached,session,turn,delay_ms,client,max,status"]
    for i in range(400):
        conversation, turn = divmod(i, 2)
        tokens = 3000 if conversation % 4 == 3 else 200
        rows.append(f"{i * 500},{tokens},{30 if answers else ''},,s{conversation},{turn},,,,")
    with open(path, "w") as file:
        file.write("\n".join(rows) + "\n")


def complaints(schema, value, root, at="comparison"):
    """Where `value` does not fit: keys that are missing or unknown, types, enumerations."""
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[1]]
    found = []
    if "enum" in schema and value not in schema["enum"] or "const" in schema and value != schema["const"]:
        found.append(f"{at} is {value!r}")
    if "type" in schema:
        kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list, "null": type(None)}
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(isinstance(value, kinds[name]) and not (name in ("integer", "number") and isinstance(value, bool)) for name in names):
            found.append(f"{at} is a {type(value).__name__}")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        found += [f"{at} lacks {key}" for key in schema.get("required", []) if key not in value]
        for key, member in value.items():
            found += complaints(properties[key], member, root, f"{at}.{key}") if key in properties else [f"{at} has {key}"]
    if isinstance(value, list):
        for i, item in enumerate(value):
            found += complaints(schema["items"], item, root, f"{at}[{i}]")
    return found


class Comparing(unittest.TestCase):
    def fits(self, comparison):
        schema = read_json(os.path.join(SOURCE, "docs", "schema", "comparison.schema.json"))
        self.assertEqual(complaints(schema, comparison, schema), [])
        return comparison

    def compare(self, *arguments, status=0, timeout=300):
        process = loadline("compare", *arguments, "--json", timeout=timeout)
        self.assertEqual(process.returncode, status, process.stderr + process.stdout[:2000])
        return self.fits(json.loads(process.stdout))

    def error_of(self, *arguments, status=2):
        process = loadline(*arguments)
        self.assertEqual(process.returncode, status, process.stderr + process.stdout)
        return process.stderr


class TwoFolders(Comparing):
    @classmethod
    def setUpClass(cls):
        cls.folder = fresh_folder()

        def run(name, *more, loads="8,32"):
            path = os.path.join(cls.folder, name)
            process = loadline("simulate", *SMALL, "--concurrency", loads, *more, "--output-dir", path)
            assert process.returncode in (0, 1), process.stderr
            return path

        cls.base = run("base")
        cls.again = run("again")
        cls.quantized = run("quantized", "--fact", "model.quantization=int4", "--fact", "engine.version=9")
        cls.newer = run("newer", "--fact", "engine.version=9", "--fact", "flags.cuda_graphs=on")
        cls.slow = run("slow", "--engine-parameter", "token_compute_s=6e-05")
        cls.other_seed = run("other_seed", "--seed", "2")
        cls.other_loads = run("other_loads", loads="16")

    def test_quantization_and_version_are_refused_and_listed_quantization_first(self):
        comparison = self.compare(self.base, self.quantized, status=4)
        self.assertEqual(comparison["manifest"]["comparability"], "refused")
        self.assertEqual([fact["key"] for fact in comparison["manifest"]["differing"]], ["model.quantization", "engine.version"])
        self.assertEqual(comparison["manifest"]["differing"][0]["b"], "int4")
        self.assertEqual(comparison["ratios"], [])
        self.assertIsNone(comparison["verdict"])
        self.assertIn("model.quantization", comparison["sentence"])

    def test_forced_numbers_stand_under_what_they_cannot_support(self):
        comparison = self.compare(self.base, self.quantized, "--force", status=1)
        self.assertTrue(comparison["forced"])
        self.assertFalse(comparison["valid"])
        self.assertIsNone(comparison["verdict"])
        self.assertTrue(comparison["sentence"].startswith("NOT A COMPARISON"))
        self.assertGreater(len(comparison["ratios"]), 5)

    def test_one_flag_is_found_and_its_engine_is_slower(self):
        comparison = self.compare(self.base, self.slow)
        self.assertEqual(comparison["manifest"]["variable"], "flags.token_compute_s")
        self.assertEqual([fact["key"] for fact in comparison["manifest"]["following"]], ["engine.build"])
        self.assertEqual(comparison["verdict"], "slower")
        first = comparison["ratios"][0]
        self.assertLess(first["b_over_a"]["high"], 1)
        self.assertEqual(first["method"], "paired_batches")
        swapped = self.compare(self.slow, self.base)
        self.assertEqual(swapped["verdict"], "faster")
        self.assertAlmostEqual(swapped["ratios"][0]["b_over_a"]["value"] * first["b_over_a"]["value"], 1, delta=1e-6)

    def test_a_repeat_is_one_and_never_faster_or_slower(self):
        comparison = self.compare(self.base, self.again)
        self.assertEqual(comparison["manifest"]["comparability"], "repeat")
        self.assertIn(comparison["verdict"], ("equivalent", "undecided"))
        for ratio in comparison["ratios"]:
            if ratio["b_over_a"]:
                self.assertEqual(ratio["b_over_a"]["value"], 1)

    def test_a_declared_version_takes_its_flags_along_in_the_open(self):
        self.compare(self.base, self.newer, status=4)
        comparison = self.compare(self.base, self.newer, "--variable", "engine.version")
        self.assertEqual(comparison["manifest"]["variable"], "engine.version")
        self.assertEqual([fact["key"] for fact in comparison["manifest"]["following"]], ["flags.cuda_graphs"])
        self.compare(self.base, self.quantized, "--variable", "engine.version", status=4)

    def test_other_work_is_refused(self):
        comparison = self.compare(self.base, self.other_seed, status=4)
        keys = [fact["key"] for fact in comparison["manifest"]["differing"]]
        self.assertIn("workload.seed", keys)
        self.assertIn("workload.requests", keys)
        self.assertIn("different work", comparison["sentence"])

    def test_another_objective_is_asked_of_both(self):
        comparison = self.compare(self.base, self.slow, "--slo", "p99 ttft<=300ms")
        self.assertEqual(comparison["verdict"], "slower")

    def test_the_page_and_the_text(self):
        out = os.path.join(self.folder, "out")
        process = loadline("compare", self.base, self.slow, "--output-dir", out)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("B is slower than A", process.stdout)
        page = read(os.path.join(out, "comparison.html"))
        self.assertIn("Both curves", page)
        self.assertGreaterEqual(page.count("<svg"), 2)
        self.assertNotRegex(page, r"(?:src|href)=\"https?:")
        self.assertIn("B is slower than A", read(os.path.join(out, "comparison.md")))
        self.fits(read_json(os.path.join(out, "comparison.json")))
        self.assertIn("exists", self.error_of("compare", self.base, self.slow, "--output-dir", out))

    def test_nothing_told_by_a_run_becomes_markup(self):
        evil = os.path.join(self.folder, "evil")
        loadline("simulate", *SMALL, "--concurrency", "8,32", "--fact", "model.quantization=<img src=x onerror=alert(1)>", "--output-dir", evil)
        process = loadline("compare", self.base, evil, "--format", "html")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertNotIn("<img", process.stdout)
        self.assertIn("&lt;img", process.stdout)

    def test_bad_input(self):
        self.assertIn("same run", self.error_of("compare", self.base, self.base))
        self.assertIn("same run", self.error_of("compare", self.base, self.base + "/."))
        self.assertIn("no load in common", self.error_of("compare", self.base, self.other_loads))
        self.assertIn("engine.version", self.error_of("compare", self.base, self.slow, "--variable", "engine.versoin"))
        self.assertIn("nothing-here", self.error_of("compare", self.base, os.path.join(self.folder, "nothing-here")))
        self.assertIn("measured already", self.error_of("compare", self.base, self.slow, "--num-prompts", "5"))
        self.assertIn("live", self.error_of("compare", self.base, "model"))
        self.assertIn("--format", self.error_of("compare", self.base, self.slow, "--format", "csv"))
        self.assertIn("--concurrency", self.error_of("compare", "model", "model:overlap=0.9"))
        self.assertIn("overlapp", self.error_of("compare", "model", "model:overlapp=0.9", "--concurrency", "2"))
        self.assertIn("--pairs", self.error_of("compare", "model", "model", "--concurrency", "2", "--pairs", "0"))
        for option, value in (("--calibrate-from", self.base), ("--cache-rate", "0.4")):
            self.assertIn(option, self.error_of("compare", "model", "model:overlap=0.9", "--concurrency", "2", option, value))
        unreachable = ("compare", "http://127.0.0.1:1", "http://127.0.0.1:2", "--concurrency", "2", "--output-dir", os.path.join(self.folder, "no"))
        self.error_of(*unreachable, status=3)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "no")))

    def test_facts_that_a_run_does_not_know_are_stated_and_never_overruled(self):
        self.assertIn("says of itself", self.error_of("compare", self.base, self.again, "--fact-b", "model.quantization=int4"))
        comparison = self.compare(self.base, self.again, "--fact-a", "flags.turbo=off", "--fact-b", "flags.turbo=on")
        self.assertEqual(comparison["manifest"]["variable"], "flags.turbo")

    def test_gate(self):
        def gate(run, *more, status):
            process = loadline("gate", run, "--against", self.base, "--json", *more)
            self.assertEqual(process.returncode, status, process.stderr + process.stdout[:1000])
            return self.fits(json.loads(process.stdout))

        passed = gate(self.again, status=0)["gate"]
        self.assertTrue(passed["pass"])
        failed = gate(self.slow, status=1)["gate"]
        self.assertEqual(failed["outcome"], "failed")
        self.assertIn("Failed", failed["sentence"])
        # Half as fast is allowed: then it passes.
        self.assertEqual(gate(self.slow, "--slower-than", "50%", status=0)["gate"]["outcome"], "passed")
        self.assertIsNone(gate(self.quantized, status=4)["gate"])
        self.assertIn("--against", self.error_of("gate", self.base))
        self.assertIn("run itself", self.error_of("gate", self.base, "--against", self.base))
        self.assertIn("--slower-than", self.error_of("gate", self.slow, "--against", self.base, "--slower-than", "x"))


class WithoutObjective(Comparing):
    def test_capacity_is_null_with_a_reason_and_equal_load_decides(self):
        folder = fresh_folder()
        common = ("simulate", "--trace", "builtin:worked-example", "--concurrency", "8,32", "--num-prompts", "300", "--quiet")
        for name, more in (("a", ()), ("b", ("--engine-parameter", "token_compute_s=6e-05"))):
            loadline(*common, *more, "--output-dir", os.path.join(folder, name))
        comparison = self.compare(os.path.join(folder, "a"), os.path.join(folder, "b"))
        self.assertEqual(comparison["decided_by"], "request_rate")
        self.assertEqual(comparison["verdict"], "slower")
        capacity = [ratio for ratio in comparison["ratios"] if ratio["metric"] == "capacity_closed"]
        self.assertEqual(len(capacity), 1)
        self.assertIsNone(capacity[0]["b_over_a"])
        self.assertIn("objective", capacity[0]["absence"])


class LiveTargets(Comparing):
    LEVELS = (*WORKLOAD, "--concurrency", "32,48,64,80,96", "--num-prompts", "1000", "--ui", "none")

    def test_three_percent_are_found_with_four_pairs(self):
        # By long runs of the model (20,000 requests a level, four pairs) this parameter costs 3.4% of the capacity
        # [2.3%, 4.4%].
        folder = os.path.join(fresh_folder(), "c")
        comparison = self.compare("model", "model:token_compute_s=4.58e-05", *self.LEVELS, "--seed", "3", "--output-dir", folder)
        self.assertEqual(comparison["manifest"]["variable"], "flags.token_compute_s")
        self.assertEqual(comparison["verdict"], "slower")
        first = comparison["ratios"][0]
        self.assertEqual((first["metric"], first["method"], first["n"]), ("capacity_closed", "student_pairs", 4))
        self.assertLess(first["b_over_a"]["high"], 1)
        self.assertLessEqual(first["b_over_a"]["low"], 0.977)
        self.assertGreaterEqual(first["b_over_a"]["high"], 0.956)
        self.assertEqual(comparison["passes"], 4)
        # Both sides are runs like any other, and say the same when they are read again.
        again = self.compare(os.path.join(folder, "a"), os.path.join(folder, "b"))
        self.assertEqual(again["ratios"], comparison["ratios"])
        a, b = read_json(os.path.join(folder, "a", "report.json")), read_json(os.path.join(folder, "b", "report.json"))
        self.assertEqual([level["request_digests"]["512"] for level in a["levels"]], [level["request_digests"]["512"] for level in b["levels"]])
        self.assertEqual(len({level["request_digests"]["512"] for level in a["levels"]}), 20)

    def test_the_same_model_twice_is_sent_the_same_and_every_ratio_is_exactly_1(self):
        """In virtual time a level depends on nothing but its plan and the engine: whatever differed would come from the comparison itself."""
        comparison = self.compare("model", "model", *WORKLOAD, "--concurrency", "32,64,96", "--num-prompts", "500", "--ui", "none",
                                  "--output-dir", os.path.join(fresh_folder(), "c"))
        self.assertEqual(comparison["manifest"]["comparability"], "repeat")
        ratios = [ratio["b_over_a"] for ratio in comparison["ratios"] if ratio["b_over_a"]]
        self.assertGreater(len(ratios), 5)
        self.assertEqual({(one["value"], one["low"], one["high"]) for one in ratios}, {(1, 1, 1)})

    def test_objectives_of_classes_are_judged_on_both_sides(self):
        folder = os.path.join(fresh_folder(), "c")
        log = os.path.join(os.path.dirname(folder), "log.csv")
        write_log(log)
        small = ("compare", "model", "model", "--trace", log, "--concurrency", "4,8", "--num-prompts", "800", "--warmup-requests", "0",
                 "--pairs", "2", "--ui", "none")
        slo = ("--slo", "p99 ttft<=1000ms where prompt<=2000", "--slo", "p90 ttft<=1000ms where session=s7")
        comparison = self.compare(*small[1:], *slo, "--output-dir", folder)
        self.assertEqual(comparison["manifest"]["comparability"], "repeat")
        for side in "ab":
            report = read_json(os.path.join(folder, side, "report.json"))
            self.assertEqual([one["class"] for one in report["slo"]], ["prompt<=2000", "session=s7"])
            self.assertEqual(len(report["levels"]), 4)
            for level in report["levels"]:
                n = {one["class"]: one["n"] for one in level["objectives"]}
                self.assertAlmostEqual(n["prompt<=2000"], 600, delta=4, msg="three of four conversations")
                self.assertAlmostEqual(n["session=s7"], 4, delta=2, msg="two turns, in each of two passes over the log")
        elsewhere = os.path.join(os.path.dirname(folder), "none")
        error = self.error_of(*small, "--slo", "p99 ttft<=1s where session=s700", "--output-dir", elsewhere)
        self.assertIn("has no session 's700'", error)
        self.assertFalse(os.path.exists(elsewhere))

    def test_answers_of_unknown_length_are_a_doubt_of_both_sides(self):
        """As in a run: nobody prescribes lengths that the log does not tell."""
        folder = os.path.join(fresh_folder(), "c")
        log = os.path.join(os.path.dirname(folder), "log.csv")
        write_log(log, answers=False)
        small = ("compare", "engine", "engine", "--trace", log, "--concurrency", "4", "--num-prompts", "20", "--warmup-requests", "0",
                 "--pairs", "2", "--engine-speed", "20", "--ui", "plain", "--output-dir", folder)
        process = loadline(*small, "--endpoint-type", "chat", timeout=120)
        self.assertIn(process.returncode, (0, 1), process.stderr)
        self.assertEqual(process.stderr.count("never calibrated"), 1, "what both sides tell is said once")
        for side in "ab":
            report = read_json(os.path.join(folder, side, "report.json"))
            self.assertIn("lengths_not_as_drawn", [doubt["id"] for doubt in report["doubts"]])
        refused = self.error_of(*small[:-1], folder + "2")
        self.assertIn("does not tell how long answers were", refused)
        self.assertFalse(os.path.exists(folder + "2"))

    def test_over_http_on_the_embedded_engine(self):
        folder = os.path.join(fresh_folder(), "c")
        process = loadline("compare", "engine", "engine:token_compute_s=6e-05", "--json", "--trace", "builtin:worked-example", "--concurrency", "16,24",
                           "--num-prompts", "80", "--warmup-requests", "24", "--pairs", "4", "--engine-speed", "20", "--ui", "none",
                           "--output-dir", folder, timeout=120)
        self.assertIn(process.returncode, (0, 1), process.stderr)  # 1: a busy machine may limit the client
        comparison = self.fits(json.loads(process.stdout))
        self.assertEqual(comparison["manifest"]["variable"], "flags.token_compute_s")
        self.assertEqual(comparison["decided_by"], "request_rate")
        self.assertEqual(comparison["verdict"], "slower")
        self.assertEqual(read_json(os.path.join(folder, "a", "report.json"))["loadline"]["seed"], 1)

    def test_two_urls(self):
        """A server that does not tell its facts is refused until they are stated; then it is a repeat of itself."""
        engine = subprocess.Popen([LOADLINE, "engine", "--port", "0", "--speed", "20"], stdout=subprocess.PIPE, text=True)
        try:
            url = re.search(r"http://[0-9.:]+", engine.stdout.readline()).group(0)
            small = ("compare", url, url, "--trace", "builtin:worked-example", "--concurrency", "8", "--num-prompts", "100",
                     "--warmup-requests", "20", "--pairs", "2", "--ui", "none", "--json", "--output-dir")
            folder = os.path.join(fresh_folder(), "c")
            error = self.error_of(*small, folder, status=4)
            self.assertLess(error.index("model.quantization"), error.index("hardware.count"))
            facts = []
            for key in re.search(r"unknown are ([^(]*) \(", error).group(1).split(", "):
                facts += ["--fact", key + "=1"]
            process = loadline(*small, folder, *facts)
            self.assertIn(process.returncode, (0, 1), process.stderr)  # 1: a busy machine may limit the client
            comparison = self.fits(json.loads(process.stdout))
            self.assertEqual(comparison["manifest"]["comparability"], "repeat")
            salts = [read_json(os.path.join(folder, side, "report.json"))["loadline"]["salt"] for side in "ab"]
            self.assertNotEqual(salts[0], salts[1])  # or its prefix cache would know B's prompts
        finally:
            engine.terminate()
            engine.wait(timeout=20)
            engine.stdout.close()

    def test_what_cannot_be_compared_is_refused_before_a_level(self):
        folder = os.path.join(fresh_folder(), "c")
        error = self.error_of("compare", "model", "model:token_budget=512,overlap=0.5", *self.LEVELS, "--output-dir", folder, status=4)
        self.assertIn("flags.token_budget", error)
        self.assertIn("flags.overlap", error)
        self.assertFalse(os.path.exists(folder))


if __name__ == "__main__":
    unittest.main(verbosity=2)
