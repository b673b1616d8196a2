"""`loadline trace stats` on every public trace: what it says against a direct computation (direct_stats.py)."""
import csv
import datetime
import gzip
import json
import os
import unittest

import direct_stats
from direct_stats import Row
from program import loadline, loadline_json, read, shared


def nanoseconds(text):
    """Of "2023-11-16 18:15:46.6805900", in UTC."""
    whole, _, fraction = text.partition(".")
    moment = datetime.datetime.strptime(whole, "%Y-%m-%d %H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return int(moment.timestamp()) * 10**9 + int((fraction or "0").ljust(9, "0")[:9])


def in_order(rows):
    return sorted(rows, key=lambda row: row.arrival)


def weka_chains(session, number):
    """Requests of a session and of the sub-agents inside it, each its own chain, ids made unique to the session."""
    own = []
    for request in session["requests"]:
        if request["type"] == "subagent":
            inner = {"requests": request["requests"]}
            yield from weka_chains(inner, number)
        else:
            own.append(request)
    yield [(number, request) for request in own]


class RealTraces(unittest.TestCase):
    maxDiff = None

    def path(self, name):
        path = shared("traces/" + name)
        if path is None:
            self.skipTest(f"{name}: the large real traces are not here (LOADLINE_SHARED)")
        return path

    def check(self, path, expected, *options):
        found = loadline_json("trace", "stats", "--json", *options, path)
        self.assertEqual(found["read"], found["rows"] + sum(found["refused"].values()) + sum(found["filtered"].values()))
        self.assertEqual(direct_stats.differences(expected, found), [])
        return found

    def azure(self, name):
        path = self.path(name)
        with open(path, newline="") as file:
            rows = [Row(int(line["ContextTokens"]), int(line["GeneratedTokens"]), nanoseconds(line["TIMESTAMP"]))
                    for line in csv.DictReader(file)]
        usable = [row for row in rows if row.prompt > 0 and row.completion > 0]
        found = self.check(path, direct_stats.stats(usable))
        self.assertEqual(found["read"], len(rows))
        self.assertEqual(found["time_zone"], "UTC")

    def test_azure_2023_chat(self):
        self.azure("azure_llm_2023_conv.csv")

    def test_azure_2023_code(self):
        self.azure("azure_llm_2023_code.csv")

    def test_vidur_is_the_same_log_as_azure(self):
        path = self.path("vidur_splitwise_conv.csv")
        with open(path, newline="") as file:
            rows = [Row(int(line["num_prefill_tokens"]), int(line["num_decode_tokens"]),
                        round(float(line["arrived_at"]) * 10**9)) for line in csv.DictReader(file)]
        found = self.check(path, direct_stats.stats(rows))
        other = loadline_json("trace", "stats", "--json", self.path("azure_llm_2023_conv.csv"))
        for key in ("rows", "prompt_tokens", "completion_tokens", "pearson", "spearman", "completion_by_prompt"):
            self.assertEqual(found[key], other[key], key)
        self.assertAlmostEqual(found["arrivals"]["span_s"], other["arrivals"]["span_s"], delta=1e-5)
        self.assertEqual(found["arrivals"]["busiest_60s"], other["arrivals"]["busiest_60s"])

    def lengths_only(self, name):
        path = self.path(name)
        with open(path, newline="") as file:
            rows = [Row(int(float(line["num_prefill_tokens"])), int(float(line["num_decode_tokens"])))
                    for line in csv.DictReader(file)]
        found = self.check(path, direct_stats.stats([row for row in rows if row.prompt > 0 and row.completion > 0]))
        self.assertEqual(found["read"], len(rows))
        self.assertIsNone(found["arrivals"])
        return found

    def test_etalon_sharegpt(self):
        self.assertEqual(self.lengths_only("etalon_sharegpt_8k_lengths.csv")["read"], 30731)

    def test_vidur_arxiv(self):
        found = self.lengths_only("vidur_arxiv_summarization_lengths.csv")
        self.assertEqual(found["read"], 28257)
        self.assertLess(found["pearson"], 0)

    def test_mooncake_conversation(self):
        path = self.path("mooncake_conversation.jsonl")
        rows = [Row(row["input_length"], row["output_length"], row["timestamp"] * 10**6, row["hash_ids"])
                for row in map(json.loads, read(path).splitlines())]
        found = self.check(path, direct_stats.stats(in_order(rows), 512))
        self.assertEqual(found["rows"], 12031)
        self.assertTrue(found["arrivals"]["coarse"])

    def weka(self, path, sessions):
        chains = [chain for number, session in enumerate(sessions) for chain in weka_chains(session, number)]
        rows = [Row(request["in"], request["out"], None, [(number, block) for block in request["hash_ids"]], index)
                for index, chain in enumerate(chains) for number, request in chain]
        usable = [row for row in rows if row.prompt > 0 and row.completion > 0]
        expected = direct_stats.stats(usable)
        expected["sessions"] = direct_stats.turns(usable)
        found = self.check(path, expected)
        self.assertIsNone(found["arrivals"])
        self.assertEqual(found["sharing"]["block_size"], 64)
        self.assertEqual(found["sharing"]["unique_blocks"], len({block for row in usable for block in row.ids}))
        self.assertEqual(found["sessions"]["origin"], "declared")
        return found, len(chains)

    def test_weka_agentic_coding(self):
        path = self.path("weka_agentic_coding.jsonl.gz")
        with gzip.open(path, "rt") as file:
            found, chains = self.weka(path, [json.loads(line) for line in file])
        self.assertEqual((found["read"] - sum(found["filtered"].values()), chains), (2282, 67))

    def test_weka_single(self):
        path = self.path("weka_trace_single.json")
        self.weka(path, [json.loads(read(path))])

    def test_lmcache_texts(self):
        for name, count in (("lmcache_magagent_7b6", 13), ("lmcache_magagent_b31", 10), ("lmcache_miniswe_189f", 6),
                            ("lmcache_miniswe_c7d0", 6)):
            path = self.path(f"text/{name}.jsonl")
            refused = loadline("trace", "stats", path)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("--tokens-per-char", refused.stderr)
            rows = [json.loads(line) for line in read(path).splitlines()]
            found = loadline_json("trace", "stats", "--json", "--tokens-per-char", "0.25", path)
            self.assertEqual(found["rows"], count)
            self.assertEqual(found["tokens"], "estimated")
            self.assertEqual(found["prompt_tokens"]["max"], max(int(len(row["input"]) * 0.25 + 0.5) for row in rows))
            stamps = sorted(row["timestamp"] for row in rows)
            self.assertAlmostEqual(found["arrivals"]["span_s"], (stamps[-1] - stamps[0]) / 1e6, delta=1e-6)
            self.assertEqual(found["sharing"]["origin"], "hashed")
            self.assertEqual(found["sessions"]["count"], len({row["session_id"] for row in rows}))
            self.assertGreater(found["sharing"]["token_hit_rate"], 0.2, "turns of one agent begin alike")

    def test_otel_exports(self):
        folder = self.path("otel")
        for name, count in (("simple_chain", 3), ("parallel_requests", 5), ("prefix_sharing_example", 7),
                            ("code_review_workflow", 15)):
            path = os.path.join(folder, f"inference_perf_{name}.json")
            with open(path) as file:
                spans = json.load(file)["spans"]
            found = loadline_json("trace", "stats", "--json", "--tokens-per-char", "0.25", path)
            self.assertEqual((found["read"], found["rows"], len(spans)), (count, count, count), name)
            counted = [span["attributes"] for span in spans if "gen_ai.usage.prompt_tokens" in span["attributes"]]
            self.assertEqual(found["tokens"], "counted" if len(counted) == count else "estimated", name)
            if counted:
                self.assertEqual(found["prompt_tokens"]["max"], max(span["gen_ai.usage.prompt_tokens"] for span in counted))

    def test_tables_without_requests_are_refused_with_the_reason(self):
        folder = self.path("servegen")
        tables = [os.path.join(folder, model, name) for model in sorted(os.listdir(folder))
                  for name in sorted(os.listdir(os.path.join(folder, model)))]
        self.assertGreater(len(tables), 15)
        for path in tables + [self.path("quantiles.json")]:
            process = loadline("trace", "stats", path)
            self.assertEqual(process.returncode, 2, path)
            self.assertEqual(process.stdout, "")
            self.assertEqual(process.stderr.count("\n"), 1, process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
