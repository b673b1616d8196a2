"""`loadline run` with production logs against the embedded engine over real HTTP: what is sent is the log."""
import json
import math
import os
import sqlite3
import unittest

from program import DATA, loadline, loadline_json, new_folder, read_json

SPEED = "20"


def conversation_log(path, sessions=24, turns=3, span_ms=20000):
    """A canonical trace of conversations whose prompts grow, with their pauses, in order of arrival."""
    rows, next_id = [], 1
    for session in range(sessions):
        prompt, start = 120 + 7 * session, session * span_ms // sessions
        for turn in range(turns):
            blocks = prompt // 32
            run = [[0, 2], [next_id, blocks - 2]]
            row = {"timestamp": start + turn * 4000, "input_length": prompt, "output_length": 11 + session % 5,
                   "session": f"s{session}", "turn": turn, "hash_runs": run}
            if turn:
                row["delay"] = 700 + session
            rows.append(row)
            prompt += 64
        next_id += 1000
    rows.sort(key=lambda row: row["timestamp"])
    header = {"loadline_trace": 1, "source": "test", "rows": len(rows), "block_size": 32, "tail": "dropped",
              "ids": "chained", "sharing": "hashed", "tokens": "counted", "time_resolution_ms": 1, "tokenizer": None}
    with open(path, "w") as file:
        for line in [header] + rows:
            file.write(json.dumps(line) + "\n")
    return rows


class Runs(unittest.TestCase):
    def run_log(self, folder, trace, *options):
        process = loadline("run", "--trace", trace, "--engine-speed", SPEED, "--output-dir", folder, "--quiet",
                           "--warmup-requests", "0", *options, timeout=300)
        self.assertIn(process.returncode, (0, 1), process.stderr)
        return read_json(os.path.join(folder, "report.json"))

    def rows(self, folder, query):
        database = sqlite3.connect(os.path.join(folder, "run.sqlite"))
        rows = database.execute(query).fetchall()
        database.close()
        return rows


class Conversations(Runs):
    @classmethod
    def setUpClass(cls):
        cls.temporary = new_folder()
        cls.trace = os.path.join(cls.temporary.name, "trace.jsonl")
        cls.log = conversation_log(cls.trace)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_a_turn_waits_for_its_turn_before_and_all_is_sent_as_drawn(self):
        folder = os.path.join(self.temporary.name, "closed")
        report = self.run_log(folder, self.trace, "--concurrency", "6", "--num-prompts", "72")
        sent = self.rows(folder, "SELECT session, turn, sent_ns, closed_ns, prompt_tokens, completion_tokens, "
                                 "planned_prompt_tokens, planned_completion_tokens FROM request WHERE outcome='ok' ORDER BY sent_ns")
        self.assertEqual(len(sent), 72)
        closed = {}
        for session, turn, sent_ns, closed_ns, *_ in sent:
            if turn:
                self.assertGreaterEqual(sent_ns, closed[session, turn - 1])
            closed[session, turn] = closed_ns
        for row in sent:
            self.assertEqual(row[4:6], row[6:8], "sent = drawn, token by token")
        logged = {(row["input_length"], row["output_length"]) for row in self.log}
        self.assertLessEqual({row[4:6] for row in sent}, logged, "prompt and completion of one row stay together")
        self.assertEqual(report["input"]["sampler"], "sessions")
        sample = report["input"]["sample"]
        self.assertLess(max(sample["prompt_ks"], sample["completion_ks"]), 0.2)
        level = report["levels"][0]
        self.assertGreater(level["in_flight_mean"], 5, "users find a conversation to the end")
        self.assertAlmostEqual(level["cache"]["measured_rate"], level["cache"]["target_rate"], delta=0.02)

    def test_the_logs_own_times_are_kept_to_the_nanosecond(self):
        folder = os.path.join(self.temporary.name, "own-times")
        report = self.run_log(folder, self.trace, "--arrivals", "trace", "--arrival-scale", "2", "--num-prompts", "72")
        started, = self.rows(folder, "SELECT started_ns FROM level")[0]
        requests = self.rows(folder, "SELECT session, turn, due_ns FROM request")
        first = sorted(due - started for _, turn, due in requests if turn == 0)
        logged = sorted(row["timestamp"] * 10**6 // 2 for row in self.log if row["turn"] == 0)
        self.assertEqual(first, logged)
        self.assertEqual(report["levels"][0]["arrivals"], "trace")
        pauses = self.rows(folder, "SELECT later.due_ns - before.closed_ns FROM request later JOIN request before ON "
                                   "later.session=before.session AND later.turn=before.turn+1 WHERE before.closed_ns IS NOT NULL")
        self.assertGreater(len(pauses), 30)
        self.assertLessEqual({pause for pause, in pauses}, {(700 + session) * 10**6 for session in range(24)})

    def test_a_warm_cache_holds_what_came_before_the_window(self):
        rates = {}
        for state in ("cold", "warm"):
            folder = os.path.join(self.temporary.name, state)
            report = self.run_log(folder, self.trace, "--concurrency", "4", "--num-prompts", "30", "--sampler", "replay",
                                  "--cache", state)
            level = report["levels"][0]
            self.assertAlmostEqual(level["cache"]["measured_rate"], level["cache"]["target_rate"], delta=0.03)
            rates[state] = level["cache"]["measured_rate"]
        self.assertGreater(rates["warm"], rates["cold"] + 0.05)

    def test_a_limit_drops_or_cuts_and_says_so(self):
        for choice, key in (("drop", "dropped_prompts"), ("clip", "cut_prompts")):
            folder = os.path.join(self.temporary.name, choice)
            report = self.run_log(folder, self.trace, "--concurrency", "4", "--num-prompts", "20", "--max-prompt-tokens",
                                  "250", "--over-limit", choice)
            longest, = self.rows(folder, "SELECT max(prompt_tokens) FROM request")[0]
            self.assertLessEqual(longest, 250)
            self.assertGreater(report["input"][key], 0)
            self.assertIn("prompts_cut", [doubt["id"] for doubt in report["doubts"]])

    def test_contradictions(self):
        for options, word in ((("--arrivals", "trace", "--sampler", "rows"), "--sampler replay"),
                              (("--arrival-scale", "2"), "--arrivals trace"),
                              (("--burstiness", "2", "--request-rate", "1"), "--arrivals gamma"),
                              (("--over-limit", "drop"), "--max-prompt-tokens"),
                              (("--content", "log"), "no prompt text"),
                              (("--cache", "warm", "--sampler", "sessions"), "--sampler replay")):
            process = loadline("run", "--trace", self.trace, *options)
            self.assertEqual(process.returncode, 2, options)
            self.assertIn(word, process.stderr)
            self.assertEqual(process.stderr.count("\n"), 1 + process.stderr.startswith(self.trace), process.stderr)


class Bursts(Runs):
    def test_gamma_gaps_have_the_asked_variation(self):
        plan = loadline_json("plan", "--trace", os.path.join(DATA, "small-chat.csv"), "--request-rate", "5", "--arrivals",
                             "gamma", "--burstiness", "0.25", "--num-prompts", "4000", "--json", "--requests", "4000", "--quiet")
        due = [request["due_s"] for request in plan["levels"][0]["first_requests"]]
        gaps = [b - a for a, b in zip(due, due[1:])]
        mean = sum(gaps) / len(gaps)
        variation = math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / len(gaps)) / mean
        self.assertAlmostEqual(mean, 0.2, delta=0.03)
        self.assertAlmostEqual(variation, 2, delta=0.3)


class Texts(Runs):
    def test_the_logs_own_words_are_sent(self):
        with new_folder() as temporary:
            trace, folder = os.path.join(temporary, "texts.jsonl"), os.path.join(temporary, "run")
            words = [("hello there " * (10 + i)).strip() for i in range(20)]
            with open(trace, "w") as file:
                for i, text in enumerate(words):
                    file.write(json.dumps({"timestamp": i * 1000, "text_input": text, "output_length": 5 + i % 3}) + "\n")
            report = self.run_log(folder, trace, "--concurrency", "2", "--num-prompts", "20", "--content", "log")
            self.assertEqual(report["input"]["content"], "log")
            sent = self.rows(folder, "SELECT prompt_tokens, completion_tokens FROM request WHERE outcome='ok'")
            self.assertEqual(len(sent), 20)
            self.assertEqual(len({prompt for prompt, _ in sent}), 20, "each text has its own length")
            self.assertEqual(sorted(completion for _, completion in sent), sorted(5 + i % 3 for i in range(20)))
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(b"hello there", file.read(), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
