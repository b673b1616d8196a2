"""`loadline trace stats`."""
import gzip
import json
import os
import unittest

from program import DATA, loadline, loadline_json, new_folder, read, shared


class SmallLogs(unittest.TestCase):
    def test_azure_columns(self):
        stats = loadline_json("trace", "stats", "--json", os.path.join(DATA, "small-chat.csv"))
        self.assertEqual((stats["read"], stats["rows"]), (400, 399))
        self.assertEqual(sum(stats["refused"].values()), 1)
        self.assertEqual(stats["read"], stats["rows"] + sum(stats["refused"].values()) + sum(stats["filtered"].values()))
        self.assertEqual(stats["sharing"]["origin"], "unknown")
        self.assertIsNone(stats["sharing"]["token_hit_rate"])

    def test_direct_computation_agrees(self):
        path = os.path.join(DATA, "shared-prefixes.jsonl")
        stats = loadline_json("trace", "stats", "--json", path)
        rows = [json.loads(line) for line in read(path).splitlines()]
        seen, hit = set(), 0
        for row in rows:
            leading = 0
            for block in row["hash_ids"]:
                if block not in seen:
                    break
                leading += 1
            hit += min(leading * 512, row["input_length"])
            seen.update(row["hash_ids"])
        self.assertAlmostEqual(stats["sharing"]["token_hit_rate"], hit / sum(row["input_length"] for row in rows), delta=1e-9)
        lengths = sorted(row["input_length"] for row in rows)
        self.assertEqual(stats["prompt_tokens"]["p99"], lengths[-(-99 * len(lengths) // 100) - 1])

    def test_several_files_are_one_log(self):
        path = os.path.join(DATA, "small-chat.csv")
        with new_folder() as folder:
            later = os.path.join(folder, "later.csv")
            with open(later, "w") as file:
                file.write("\n".join(read(path).splitlines()[:-10]) + "\n")
            self.assertEqual(loadline_json("trace", "stats", "--json", path, later)["rows"], 399 + 389)

    def test_no_file_is_counted_twice(self):
        path = os.path.join(DATA, "small-chat.csv")
        twice = loadline("trace", "stats", path, path)
        self.assertEqual(twice.returncode, 2)
        self.assertIn("small-chat.csv is named twice", twice.stderr)
        with new_folder() as folder:
            packed = os.path.join(folder, "copy.csv.gz")
            with open(path, "rb") as plain_file, gzip.open(packed, "wb") as file:
                file.write(plain_file.read())
            for command in ("stats", "convert"):
                copied = loadline("trace", command, path, packed)
                self.assertEqual(copied.returncode, 2)
                self.assertIn("copy.csv.gz hold the same", copied.stderr)

    def test_terminal_page(self):
        process = loadline("trace", "stats", os.path.join(DATA, "small-chat.csv"))
        self.assertEqual(process.returncode, 0)
        self.assertIn("399", process.stdout)


class RealTraces(unittest.TestCase):
    def stats(self, name):
        path = shared("traces/" + name)
        if path is None:
            self.skipTest("the large real traces are not here (LOADLINE_SHARED)")
        return loadline_json("trace", "stats", "--json", path)

    def test_azure_2023_chat(self):
        stats = self.stats("azure_llm_2023_conv.csv")
        self.assertEqual(stats["rows"], 19366)
        self.assertEqual([stats["prompt_tokens"][q] for q in ("p50", "p90", "p99")], [1020, 2735, 4142])
        self.assertEqual([stats["completion_tokens"][q] for q in ("p50", "p90", "p99")], [129, 424, 601])

    def test_mooncake_conversation(self):
        stats = self.stats("mooncake_conversation.jsonl")
        self.assertEqual(stats["rows"], 12031)
        self.assertAlmostEqual(stats["sharing"]["token_hit_rate"], 0.374, delta=0.0005)
        self.assertTrue(stats["arrivals"]["coarse"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
