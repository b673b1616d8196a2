"""`loadline trace convert|sample|anonymize|check|merge`, and how logs are named."""
import gzip
import json
import os
import shutil
import subprocess
import unittest

import direct_stats
from program import DATA, LOADLINE, loadline, loadline_json, new_folder, read

CHAT = os.path.join(DATA, "small-chat.csv")
PREFIXES = os.path.join(DATA, "shared-prefixes.jsonl")
TEXT = "\n".join(json.dumps({"timestamp": 1760997396774034 + i * 10**6, "session_id": f"s{i % 3}",
                             "input": "You are a careful assistant. " * 40 + f"Question {i}: why? " * (i + 1),
                             "output": "Because. " * (5 + i)}) for i in range(12)) + "\n"


def stats(*arguments):
    return loadline_json("trace", "stats", "--json", *arguments)


class Named(unittest.TestCase):
    def test_packed_patterns_and_standard_input(self):
        plain = stats(CHAT)
        with new_folder() as folder:
            packed = os.path.join(folder, "chat.csv.gz")
            with open(CHAT, "rb") as plain_file, gzip.open(packed, "wb") as file:
                shutil.copyfileobj(plain_file, file)
            self.assertEqual(stats(packed), plain)
            with open(os.path.join(folder, "other.csv"), "w") as file:
                lines = read(CHAT).splitlines()
                file.write("\n".join(lines[:1] + lines[:0:-1]) + "\n")
            both = stats(os.path.join(folder, "*.csv*"))
            self.assertEqual((both["read"], both["rows"]), (2 * plain["read"], 2 * plain["rows"]))
            self.assertEqual(both["prompt_tokens"], plain["prompt_tokens"])
            nothing = loadline("trace", "stats", os.path.join(folder, "*.log"))
            self.assertEqual(nothing.returncode, 2)
            self.assertIn("no file matches", nothing.stderr)
            with open(packed, "rb") as file:
                piped = subprocess.run([LOADLINE, "trace", "stats", "--json", "-"], stdin=file, capture_output=True,
                                       timeout=60)
            self.assertEqual(json.loads(piped.stdout), plain)
            with open(packed, "rb") as file:
                damaged = file.read()[:-100]
            with open(os.path.join(folder, "cut.gz"), "wb") as file:
                file.write(damaged)
            cut = loadline("trace", "stats", os.path.join(folder, "cut.gz"))
            self.assertEqual(cut.returncode, 2)
            self.assertIn("gzip data is damaged", cut.stderr)

    def test_the_choice_of_the_format_is_printed(self):
        process = loadline("trace", "convert", CHAT)
        self.assertIn("read as azure", process.stderr)
        wrong = loadline("trace", "stats", "--format", "azur", CHAT)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("did you mean azure", wrong.stderr)


class Converted(unittest.TestCase):
    def test_a_converted_trace_says_what_the_log_said(self):
        for log in (CHAT, PREFIXES):
            with new_folder() as folder:
                path = os.path.join(folder, "trace.jsonl")
                self.assertEqual(loadline("trace", "convert", "--output", path, log).returncode, 0)
                was, now = stats(log), stats(path)
                for key in ("rows", "prompt_tokens", "completion_tokens", "pearson", "completion_by_prompt", "arrivals",
                            "sharing", "sessions"):
                    self.assertEqual(now[key], was[key], key)
                again = loadline("trace", "convert", "--output", path, log)
                self.assertEqual(again.returncode, 2)
                self.assertIn("never overwritten", again.stderr)
                self.assertEqual(loadline("trace", "check", path).returncode, 0)

    def test_other_tools_formats(self):
        with new_folder() as folder:
            for form in ("mooncake", "aiperf"):
                path = os.path.join(folder, form)
                self.assertEqual(loadline("trace", "convert", "--to", form, "--output", path, PREFIXES).returncode, 0)
                now, was = stats(path), stats(PREFIXES)
                self.assertEqual(now["prompt_tokens"], was["prompt_tokens"])
                self.assertEqual(now["sharing"]["token_hit_rate"], was["sharing"]["token_hit_rate"])
            table = loadline("trace", "convert", "--to", "csv", CHAT).stdout.splitlines()
            self.assertEqual(len(table), 1 + 399)
            unknown = loadline("trace", "convert", "--to", "mooncke", CHAT)
            self.assertEqual(unknown.returncode, 2)
            self.assertIn("did you mean mooncake", unknown.stderr)

    def test_text_never_reaches_a_trace(self):
        with new_folder() as folder:
            log, path = os.path.join(folder, "text.jsonl"), os.path.join(folder, "trace.jsonl")
            with open(log, "w") as file:
                file.write(TEXT)
            process = loadline("trace", "convert", "--tokens-per-char", "0.25", "--output", path, log)
            self.assertEqual(process.returncode, 0, process.stderr)
            trace = read(path)
            for word in ("careful", "Question", "Because"):
                self.assertNotIn(word, trace + process.stdout + process.stderr)
            self.assertIn('"tokens":"estimated"', trace)
            self.assertGreater(stats(path)["sharing"]["token_hit_rate"], 0.3)
            self.assertEqual(loadline("trace", "check", path).returncode, 0)
            with open(path, "a") as file:
                file.write('{"timestamp":99999999,"input_length":20,"output_length":1,"prompt":"a secret","hash_runs":[]}\n')
            found = loadline("trace", "check", path)
            self.assertEqual(found.returncode, 1)
            self.assertIn("line 14: `prompt`", found.stdout)
            self.assertNotIn("a secret", found.stdout + found.stderr)
            again = os.path.join(folder, "anonymous.jsonl")
            self.assertEqual(loadline("trace", "anonymize", "--tokens-per-char", "0.25", "--output", again, log).returncode, 0)
            for word in ("text.jsonl", "2025", folder):
                self.assertNotIn(word, read(again))


    def test_text_in_several_files_is_text_in_one(self):
        with new_folder() as folder:
            lines, names = TEXT.splitlines(), []
            for part in range(3):
                names.append(os.path.join(folder, f"part{part}.jsonl"))
                with open(names[-1], "w") as file:
                    file.write("\n".join(lines[part * 4:part * 4 + 4]) + "\n")
            whole = os.path.join(folder, "whole.jsonl")
            with open(whole, "w") as file:
                file.write(TEXT)
            ratio = ("--tokens-per-char", "0.25")
            together, one = stats(*ratio, *names), stats(*ratio, whole)
            for key in ("rows", "prompt_tokens", "completion_tokens"):
                self.assertEqual(together[key], one[key], key)
            self.assertEqual(direct_stats.differences(one["sharing"], together["sharing"]), [])
            parts = []
            for name in names:  # imports of their own: what they share with one another nobody can know
                parts.append(name + ".part")
                self.assertEqual(loadline("trace", "stats", *ratio, "--part", parts[-1], name).returncode, 0)
            merged = loadline_json("trace", "merge", "--json", *parts)
            self.assertLess(merged["sharing"]["token_hit_rate"], one["sharing"]["token_hit_rate"])


class Sampled(unittest.TestCase):
    def test_a_sample_is_a_trace_and_says_how_far_it_is(self):
        with new_folder() as folder:
            path = os.path.join(folder, "sample.jsonl")
            process = loadline("trace", "sample", "--requests", 100, "--output", path, PREFIXES)
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertIn("by the sampler sessions", process.stderr)
            self.assertIn("prompt KS", process.stderr)
            self.assertEqual(stats(path)["rows"], 100)
            self.assertEqual(loadline("trace", "sample", "--requests", 100, PREFIXES).stdout, read(path), "one seed, one sample")
            other = loadline("trace", "sample", "--requests", 100, "--seed", 2, PREFIXES).stdout
            self.assertNotEqual(other, read(path))

    def test_a_limit_is_explicit(self):
        process = loadline("trace", "sample", "--requests", 50, "--max-prompt-tokens", 1000, "--over-limit", "drop", PREFIXES)
        self.assertEqual(process.returncode, 0, process.stderr)
        rows = [json.loads(line) for line in process.stdout.splitlines()[1:]]
        self.assertLessEqual(max(row["input_length"] for row in rows), 1000)
        self.assertIn("left out", process.stderr)


class Merged(unittest.TestCase):
    def test_parts_give_exactly_the_whole(self):
        """Row by row: requests of one instant lose their order, so the cache of a size is compared by halves of time."""
        for log, head, cut in ((CHAT, 1, "rows"), (PREFIXES, 0, "rows"), (PREFIXES, 0, "time")):
            lines = read(log).splitlines()
            with new_folder() as folder:
                parts = []
                for part in range(3):
                    piece, path = os.path.join(folder, f"log{part}"), os.path.join(folder, f"part{part}")
                    with open(piece, "w") as file:
                        third = len(lines) // 3
                        mine = lines[head:][part::3] if cut == "rows" else lines[part * third:(part + 1) * third]
                        file.write("\n".join(lines[:head] + mine) + "\n")
                    self.assertEqual(loadline("trace", "stats", "--part", path, piece).returncode, 0)
                    parts.append(path)
                if log == PREFIXES:
                    alone = loadline("trace", "merge", "--json", *parts)
                    self.assertEqual(alone.returncode, 2)
                    self.assertIn("--one-log", alone.stderr)
                merged, whole = loadline_json("trace", "merge", "--one-log", "--json", *parts), stats(log)
                for key in ("rows", "read", "refused", "prompt_tokens", "completion_tokens", "pearson", "spearman",
                            "completion_by_prompt", "arrivals", "sharing"):
                    if key == "sharing":
                        del whole[key]["remarks"]  # the parts say more, of ties between them
                    if cut == "rows" and key == "sharing":
                        del whole[key]["lru"]
                        self.assertEqual(len(merged[key]["remarks"]), 1 if log == PREFIXES else 0)
                    self.assertEqual(direct_stats.differences(whole[key], merged[key], key), [])
                with open(parts[0], "rb") as file:
                    damaged = file.read()[:-10]
                with open(parts[0], "wb") as file:
                    file.write(damaged)
                cut = loadline("trace", "merge", "--one-log", "--json", *parts)
                self.assertEqual(cut.returncode, 2)
                self.assertIn("part0", cut.stderr)

    def refuse(self, sentence, *parts):
        process = loadline("trace", "merge", "--json", *parts)
        self.assertEqual((process.returncode, process.stdout), (2, ""))
        self.assertIn(sentence, process.stderr)
        self.assertEqual(process.stderr.count("\n"), 1, process.stderr)

    def test_what_is_no_part_of_one_log_is_refused(self):
        with new_folder() as folder:
            chat, prefixes, copy, longer = (os.path.join(folder, name) for name in ("chat", "prefixes", "copy", "longer"))
            for log, part in ((CHAT, chat), (PREFIXES, prefixes)):
                self.assertEqual(loadline("trace", "stats", "--part", part, log).returncode, 0)
            shutil.copy(chat, copy)
            shutil.copy(chat, longer)
            with open(longer, "ab") as file:
                file.write(b"x")
            self.refuse("chat is named twice", chat, chat)
            self.refuse("small-chat.csv is there twice", chat, copy)
            self.refuse("small-chat.csv is in the format azure", chat, prefixes)
            self.refuse("longer goes on behind its end", longer)
            self.refuse("shared-prefixes.jsonl is no part", chat, PREFIXES)
            self.refuse("small-chat.csv is neither a part", CHAT)
            self.assertEqual(loadline_json("trace", "merge", "--json", chat)["rows"], 399)

    def test_turns_that_a_cut_may_have_separated_are_said(self):
        """A turn of aiperf-mooncake tells only its pause after the turn before; mooncake's rows stand alone."""
        turns = [{"session_id": f"s{i // 2}", "input_length": 600, "output_length": 5, "hash_ids": [i, i + 100],
                  **({"delay": 500} if i % 2 else {"timestamp": 1000 * i})} for i in range(8)]
        alone = [{"timestamp": 1000 * i, "input_length": 600, "output_length": 5, "hash_ids": [i, i + 100]} for i in range(8)]
        for rows, remarks in ((turns, 1), (alone, 0)):
            with new_folder() as folder:
                parts = []
                for part, piece in enumerate((rows[:4], rows[4:])):
                    log = os.path.join(folder, f"log{part}")
                    parts.append(log + ".part")
                    with open(log, "w") as file:
                        file.write("\n".join(map(json.dumps, piece)) + "\n")
                    self.assertEqual(loadline("trace", "stats", "--part", parts[-1], log).returncode, 0)
                merged = loadline_json("trace", "merge", "--one-log", "--json", *parts)
                self.assertEqual((merged["rows"], len(merged["remarks"])), (8, remarks), merged["remarks"])

    def test_a_full_disk_leaves_no_part(self):
        with new_folder() as folder:
            part = os.path.join(folder, "part")
            full = subprocess.run(["bash", "-c", "ulimit -f 1; trap '' XFSZ; exec \"$@\"", "bash", LOADLINE, "trace", "stats", "--json",
                                   "--part", part, PREFIXES], capture_output=True, text=True, timeout=60)
            self.assertEqual((full.returncode, full.stdout), (2, ""))
            self.assertIn("could not be written", full.stderr)
            self.assertFalse(os.path.exists(part))

    def test_canonical_traces_of_one_log(self):
        lines = read(CHAT).splitlines()
        with new_folder() as folder:
            traces = []
            for part, rows in enumerate((lines[1:200], lines[200:])):
                piece, path = os.path.join(folder, f"log{part}.csv"), os.path.join(folder, f"trace{part}")
                with open(piece, "w") as file:
                    file.write("\n".join(lines[:1] + rows) + "\n")
                self.assertEqual(loadline("trace", "convert", "--output", path, piece).returncode, 0)
                traces.append(path)
            whole = os.path.join(folder, "whole")
            self.assertEqual(loadline("trace", "merge", "--output", whole, *reversed(traces)).returncode, 0)
            now, was = stats(whole), stats(CHAT)
            for key in ("rows", "prompt_tokens", "completion_tokens", "arrivals"):
                self.assertEqual(now[key], was[key], key)
            mixed = loadline("trace", "merge", whole, CHAT)
            self.assertEqual(mixed.returncode, 2)


class Outputs(unittest.TestCase):
    def test_what_cannot_be_printed_is_an_error(self):
        for options in (("stats",), ("stats", "--json"), ("stats", "--html"), ("convert",), ("sample",)):
            with open("/dev/full", "w") as full:
                process = subprocess.run([LOADLINE, "trace", *options, CHAT], stdout=full, stderr=subprocess.PIPE, text=True,
                                         timeout=60)
            self.assertEqual(process.returncode, 2, options)
            self.assertIn("could not be written", process.stderr.replace("cannot write to file", "could not be written"))

    def test_contradictions(self):
        for options in (("sample", "--requests", "0"), ("sample", "--over-limit", "drop"), ("convert", "--output", "-"),
                        ("sample", "--max-prompt-tokens", "100"), ("stats", "--part", CHAT), ("stats", "--json", "--html")):
            process = loadline("trace", *options, CHAT)
            self.assertEqual((process.returncode, process.stdout, process.stderr.count("\n")), (2, "", 1), process.stderr)


class Pages(unittest.TestCase):
    def test_html(self):
        process = loadline("trace", "stats", "--html", PREFIXES)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertTrue(process.stdout.startswith("<!doctype html>"))
        self.assertNotIn("http://", process.stdout.replace("http://www.w3.org", ""))

    def test_bytes_of_a_named_model(self):
        config = os.path.join(DATA, "llama-3.1-8b")
        sharing = stats("--model-config", config, PREFIXES)["sharing"]
        for point in sharing["lru"]:
            self.assertEqual(point["capacity_bytes"], point["capacity_blocks"] * sharing["block_size"] * 131072)


if __name__ == "__main__":
    unittest.main(verbosity=2)
