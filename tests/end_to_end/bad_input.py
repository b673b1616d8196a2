"""Bad input gets one clear sentence (what, where, what to do) and the exit status of the reference; nothing is overwritten."""
import os
import unittest

from program import DATA, loadline, loadline_json, new_folder, read


class BadInput(unittest.TestCase):
    def setUp(self):
        self.temporary = new_folder()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)

    def refuse(self, status, words, *arguments):
        """`loadline ARGUMENTS` ends with `status` and one sentence that holds all `words`."""
        process = loadline(*arguments, cwd=self.folder, timeout=60)
        self.assertEqual(process.returncode, status, process.stderr)
        self.assertEqual(process.stdout, "")
        lines = process.stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, process.stderr)
        for word in words:
            self.assertIn(word, lines[0])

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def test_no_such_file(self):
        self.refuse(2, ["missing.csv"], "trace", "stats", "missing.csv")
        self.refuse(2, ["missing.csv"], "run", "--trace", "missing.csv")
        self.refuse(2, ["missing.yaml"], "run", "missing.yaml")
        self.refuse(2, ["missing"], "report", "missing")
        self.refuse(2, ["missing"], "bound", "--model", "missing", "--hardware", "H100-SXM")

    def test_empty_trace(self):
        self.refuse(2, ["empty.csv"], "trace", "stats", self.write("empty.csv", ""))
        self.refuse(2, ["empty.csv"], "run", "--trace", self.write("empty.csv", ""))

    def test_trace_without_a_usable_row(self):
        path = self.write("zero.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,0\n")
        self.refuse(2, ["zero.csv", "2"], "trace", "stats", path)

    def test_unknown_format(self):
        self.refuse(2, ["novel.txt"], "trace", "stats", self.write("novel.txt", "It was a dark and stormy night.\n"))

    def test_a_folder_is_no_trace(self):
        self.refuse(2, [self.folder], "trace", "stats", self.folder)

    def test_url_that_refuses(self):
        self.refuse(3, ["127.0.0.1:1"], "run", "--url", "http://127.0.0.1:1", "--output-dir", "out")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out")))

    def test_url_that_is_none(self):
        self.refuse(2, ["ftp"], "run", "--url", "ftp://127.0.0.1")
        self.refuse(2, ["--url"], "run", "--url", "http://user:secret@127.0.0.1:1")

    def test_objectives(self):
        self.refuse(2, ["tftt", "ttft"], "run", "--slo", "p99 tftt<=1s")
        self.refuse(2, ["--slo"], "run", "--slo", "fast")
        self.refuse(2, ["--slo"], "simulate", "--slo", "p99 ttft<=1s", "--slo", "p99 ttft<=2s")

    def test_objectives_that_contradict_each_other(self):
        slo = lambda *texts: [word for text in texts for word in ("--slo", text)]
        self.refuse(2, ["p99 TTFT ≤ 1,000 ms", "p99 TTFT ≤ 2,000 ms", "give one"], "simulate", *slo("p99 ttft<=1s", "p99 ttft<=2s"))
        self.refuse(2, ["p50 TTFT ≤ 2,000 ms", "contradicts", "lower percentile"], "run", *slo("p99 ttft<=1s", "p50 ttft<=2s"))
        self.refuse(2, ["E2E latency ≤ 500 ms", "contradicts", "ends before"], "run", *slo("p99 ttft<=1s", "p99 e2e<=500ms"))

    def test_classes_of_objectives(self):
        self.refuse(2, ["promt", "did you mean prompt"], "simulate", "--slo", "p99 ttft<=1s where promt<=2000")
        self.refuse(2, ["prompt<=0", "no range"], "simulate", "--slo", "p99 ttft<=1s where prompt<=0")
        self.refuse(2, ["built-in workload names no sessions"], "simulate", "--slo", "p99 ttft<=1s where session=a")
        log = self.write("log.csv", "timestamp_ms,input_length,output_length,cached,session,turn,delay_ms,client,max,status\n"
                                    "0,100,10,,s1,0,,alice,,\n10,100,10,,s2,0,,bob,,\n")
        self.refuse(2, ["log.csv has no client 'alise', did you mean alice?"], "simulate", "--quiet", "--trace", log, "--slo", "p99 ttft<=1s where client=alise")

    def test_demonstrations(self):
        self.refuse(2, ["--workload-mean", "--workload-repeat"], "simulate", "--workload-mean", "--workload-repeat")
        self.refuse(2, ["--content log", "--workload-mean"], "run", "--workload-mean", "--content", "log")
        self.refuse(2, ["--cache warm", "--workload-repeat"], "run", "--workload-repeat", "--cache", "warm")

    def test_objectives_out_of_reach_are_said_and_never_extrapolated(self):
        levels = ["--trace", "builtin:worked-example", "--concurrency", "8,16,32", "--num-prompts", "1000", "--json", "--quiet"]
        low = loadline_json("simulate", *levels, "--slo", "p99 ttft<=1ms")
        closed = low["capacity"]["closed"]
        self.assertEqual(closed["crossing"], "below_first_level")
        self.assertIsNone(closed["requests_per_s"]["value"])
        self.assertIsNone(closed["interpolated"])
        self.assertEqual(closed["requests_per_s"]["high"], low["levels"][0]["completed_requests_per_s"])
        self.assertIn("Already 8 users", low["sentence"])
        high = loadline_json("simulate", *levels, "--slo", "p99 ttft<=100s")
        closed = high["capacity"]["closed"]
        self.assertEqual(closed["crossing"], "above_last_level")
        self.assertIsNone(closed["requests_per_s"]["value"])
        self.assertIsNone(closed["interpolated"])
        self.assertEqual(closed["requests_per_s"]["low"], high["levels"][-1]["completed_requests_per_s"])
        self.assertIsNone(high["sizing"]["replicas"])
        for report in (low, high):
            self.assertIn("not_bracketed", [doubt["id"] for doubt in report["doubts"]])

    def test_levels(self):
        for text in ("", "0", "1,1", "x"):
            self.refuse(2, ["--concurrency"], "run", "--concurrency", text)

    def test_output_folder_that_exists(self):
        os.mkdir(os.path.join(self.folder, "out"))
        keep = self.write("out/keep.txt", "mine")
        self.refuse(2, ["out", "exists"], "run", "--output-dir", "out")
        self.refuse(2, ["out", "exists"], "simulate", "--output-dir", "out")
        self.assertEqual(read(keep), "mine")

    def test_plan_file(self):
        self.refuse(2, ["plan.yaml line 2", "concurency", "concurrency"], "run", self.write("plan.yaml", "seed: 1\nconcurency: 4\n"))
        self.refuse(2, ["plan.yaml line 1", "seed"], "run", self.write("plan.yaml", "seed: many\n"))
        self.refuse(2, ["plan.yaml"], "run", self.write("plan.yaml", "- 1\n- 2\n"))
        self.refuse(2, ["plan.yaml"], "run", self.write("plan.yaml", "a: [\n"))
        self.refuse(2, ["api_key"], "run", self.write("plan.yaml", "api_key: sk-123\n"))

    def test_arguments(self):
        self.refuse(2, ["--no-such-flag"], "run", "--no-such-flag")
        self.refuse(2, ["did you mean builtin:chat-azure-2023"], "simulate", "--trace", "builtin:chat-azur")
        self.refuse(2, ["--fact"], "run", "--fact", "quantization")
        self.refuse(2, ["H1000"], "bound", "--model", os.path.join(DATA, "llama-3.1-8b", "config.json"), "--hardware", "H1000")
        self.refuse(2, ["--engine-speed"], "run", "--engine-speed", "0")
        self.refuse(2, ["frobnicate", "simulate"], "frobnicate")
        self.refuse(2, ["runn", "did you mean run"], "runn")
        self.refuse(2, ["--trace-format"], "simulate", "--trace-format", "azure", "--trace", "builtin:worked-example")
        self.refuse(2, ["--weights"], "run", "--url", "http://127.0.0.1:1", "--weights", "fp8")
        self.refuse(2, ["--engine-parameter", "--url"], "run", "--url", "http://127.0.0.1:1", "--engine-parameter", "overlap=1")
        self.refuse(2, ["afile"], "simulate", "--output-dir", os.path.join(self.write("afile", "x"), "sub"))

    def test_part_of_a_window(self):
        for text in ("", "30s", "..", "40s..30s", "soon..later", "-5s..10s"):
            self.refuse(2, ["--window"], "report", self.folder, f"--window={text}")

    def test_folder_that_is_no_run(self):
        self.write("run.sqlite", "this is no database, however long the text may be, and it is long enough")
        self.refuse(2, ["run.sqlite"], "report", self.folder)


if __name__ == "__main__":
    unittest.main(verbosity=2)
