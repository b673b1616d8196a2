"""NVIDIA Dynamo's real front end (Rust) with its mocker: the scheduler of an engine without weights, whose times are simulated.

Its knee is known: --max-num-seqs 8. Counts are held against the front end's own metrics.
"""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "end_to_end"))
sys.path.insert(0, HERE)
from network import free_port  # noqa: E402
from program import loadline, new_folder, read, read_json  # noqa: E402

FOLDER = os.environ["LOADLINE_DYNAMO"]
PLANES = ["--discovery-backend", "file", "--request-plane", "tcp", "--event-plane", "zmq"]
LONGEST_START_S = 90


class Dynamo(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.state = tempfile.TemporaryDirectory(prefix="loadline-dynamo-")
        # Every plane on loopback: they would talk over the machine's outer address.
        planes = {name: "127.0.0.1" for name in ("DYN_TCP_RPC_HOST", "DYN_TCP_RESPONSE_STREAM_HOST", "DYN_EVENT_PLANE_HOST",
                                                  "DYN_HTTP_RPC_HOST", "DYN_SYSTEM_HOST")}
        environment = dict(os.environ, HF_HUB_OFFLINE="1", DYN_FILE_KV=cls.state.name, **planes)
        port = free_port()
        cls.url = f"http://127.0.0.1:{port}"
        commands = [["dynamo.mocker", "--model-path", os.path.join(FOLDER, "tokenizer"), "--model-name", "mocked", "--block-size", "16",
                     "--max-num-seqs", "8", "--max-num-batched-tokens", "2048", "--num-gpu-blocks-override", "4096", *PLANES],
                    ["dynamo.frontend", "--http-host", "127.0.0.1", "--http-port", str(port), *PLANES]]
        cls.log = open(os.path.join(cls.state.name, "log"), "w")
        cls.processes = [subprocess.Popen([os.path.join(FOLDER, "venv/bin/python"), "-m", *command], env=environment, cwd=cls.state.name,
                                          stdout=cls.log, stderr=cls.log) for command in commands]
        try:
            cls.wait_until_ready()
        except BaseException:
            cls.tearDownClass()
            raise

    @classmethod
    def wait_until_ready(cls):
        deadline = time.monotonic() + LONGEST_START_S
        while time.monotonic() < deadline:
            dead = [process for process in cls.processes if process.poll() is not None]
            if dead:
                break
            try:
                with urllib.request.urlopen(cls.url + "/v1/models", timeout=2) as answer:
                    if json.load(answer)["data"]:
                        return
            except OSError:
                pass
            time.sleep(0.1)
        raise AssertionError("Dynamo did not start: " + read(cls.log.name)[-2000:])

    @classmethod
    def tearDownClass(cls):
        for process in cls.processes:
            process.send_signal(signal.SIGTERM)
        for process in cls.processes:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        cls.log.close()
        cls.state.cleanup()

    def run_with(self, temporary, *arguments):
        trace = os.path.join(temporary, "log.csv")
        with open(trace, "w") as file:
            file.write("TIMESTAMP,ContextTokens,GeneratedTokens\n")
            for second in range(60):
                file.write(f"2026-03-02 09:15:{second:02d}.0000000,{48 + second % 5 * 8},{24 + second % 3 * 8}\n")
        folder = os.path.join(temporary, "run")
        process = loadline("run", "--url", self.url, "--trace", trace, "--warmup-requests", "0", "--output-dir", folder, *arguments)
        self.assertIn(process.returncode, (0, 1), process.stderr)
        return folder

    def test_a_sweep_with_its_knee_at_eight(self):
        with new_folder() as temporary:
            folder = self.run_with(temporary, "--concurrency", "1,2,8,16", "--num-prompts", "32", "--slo", "p99 ttft<=2000ms")
            report = read_json(os.path.join(folder, "report.json"))
            levels = {level["target"]: level for level in report["levels"]}
            self.assertEqual(sorted(levels), [1, 2, 8, 16])
            for level in levels.values():
                self.assertEqual(level["requests"]["ok"], 32, level["requests"])
            self.assertEqual(report["facts"]["engine"]["name"], "dynamo")
            carried = {users: level["aggregate_output_tokens_per_s"] for users, level in levels.items()}
            # Below the knee users add up; beyond it they wait: twice the users bring little, and the first token late.
            self.assertGreater(carried[8], 2 * carried[2])
            self.assertLess(carried[16], 1.5 * carried[8])
            self.assertGreater(levels[16]["ttft_ms"]["p50"], 2 * levels[8]["ttft_ms"]["p50"])

            database = sqlite3.connect(os.path.join(folder, "run.sqlite"))
            completion, prompt = database.execute("SELECT sum(completion_tokens), sum(prompt_tokens) FROM request").fetchone()
            wrong = database.execute("SELECT count(*) FROM request WHERE completion_tokens <> planned_completion_tokens "
                                     "OR prompt_tokens <> planned_prompt_tokens").fetchone()[0]
            counted = json.loads(database.execute("SELECT value FROM run WHERE key='server.counters'").fetchone()[0])
            database.close()
            self.assertEqual(wrong, 0, "lengths are forced, and token-id prompts are exact")
            self.assertEqual(counted["generation_tokens"], completion)
            self.assertEqual(counted["prompt_tokens"], prompt)

    def test_chat(self):
        with new_folder() as temporary:
            folder = self.run_with(temporary, "--endpoint-type", "chat", "--concurrency", "4", "--num-prompts", "12")
            report = read_json(os.path.join(folder, "report.json"))
            self.assertEqual(report["levels"][0]["requests"]["ok"], 12)


if __name__ == "__main__":
    if not os.path.exists(os.path.join(FOLDER, "ready-1")):
        reason = os.path.join(FOLDER, "unavailable")
        print("skipped: real_dynamo:", read(reason).strip() if os.path.exists(reason) else "tools/setup_dynamo.sh was not run")
        sys.exit(77)
    unittest.main(verbosity=2)
