"""`loadline run --tokenizer` against a server that streams without usage: the answers' text is counted, once, by the file."""
import http.server
import json
import os
import sqlite3
import threading
import unittest

from program import DATA, loadline, new_folder, read_json

TOKENIZERS = os.path.join(DATA, "tokenizers")
# Cut where no token ends: the chunks' own counts would be more.
CHUNKS = ["the thr", "oughp", "ut of the ser", "ver in tok", "ens per sec", "ond"]
TEXT_TOKENS = 16  # of the whole, by Hugging Face's library (tests/data/tokenizers/expected.jsonl)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    usage = None

    def log_message(self, *_):
        pass

    def answer(self, body, kind="application/json"):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path != "/v1/models":
            return self.send_error(404)
        return self.answer(json.dumps({"data": [{"id": "small", "object": "model"}]}).encode())

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not request.get("stream"):
            choice = {"message": {"role": "assistant", "content": "x"}, "finish_reason": "stop"}
            # Probed once: prompts need a count, answers are what this test is about.
            return self.answer(json.dumps({"choices": [choice], "usage": {"prompt_tokens": 9}}).encode())
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for text in CHUNKS:
            self.event(json.dumps({"choices": [{"index": 0, "delta": {"content": text}}]}))
        self.event(json.dumps({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}))
        if self.usage:
            self.event(json.dumps({"choices": [], "usage": self.usage}))
        self.event("[DONE]")
        return self.wfile.write(b"0\r\n\r\n")

    def event(self, data):
        line = f"data: {data}\n\n".encode()
        self.wfile.write(f"{len(line):x}\r\n".encode() + line + b"\r\n")


class Tokenizer(unittest.TestCase):
    def setUp(self):
        temporary = new_folder()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def measured(self, usage, *arguments):
        """The report and the stored requests of one small level."""
        handler = type("Answering", (Handler,), {"usage": usage})
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            out = os.path.join(self.folder, "run")
            process = loadline("run", "--url", f"http://127.0.0.1:{server.server_port}", "--endpoint-type", "chat",
                               "--trace", "builtin:worked-example", "--concurrency", "2", "--num-prompts", "20",
                               "--warmup-requests", "2", "--output-dir", out, *arguments)
            server.shutdown()
        self.assertIn(process.returncode, (0, 1), process.stderr)
        database = sqlite3.connect(os.path.join(out, "run.sqlite"))
        self.addCleanup(database.close)
        rows = database.execute("SELECT completion_tokens, token_source, prompt_tokens, events FROM request "
                                "WHERE outcome IN ('ok', 'short')").fetchall()
        self.assertGreaterEqual(len(rows), 20)
        return read_json(os.path.join(out, "report.json")), rows, database

    @staticmethod
    def said(report, doubt):
        return [one["text"] for one in report["doubts"] if one["id"] == doubt]

    def test_without_usage_the_text_is_counted(self):
        report, rows, _ = self.measured(None, "--tokenizer", os.path.join(TOKENIZERS, "byte_level.json"))
        self.assertEqual({row[:3] for row in rows}, {(TEXT_TOKENS, "tokenizer", None)})
        self.assertEqual({row[3] for row in rows}, {len(CHUNKS)})
        level = report["levels"][0]
        self.assertEqual(level["completion_tokens"]["mean"], TEXT_TOKENS)
        self.assertGreater(level["aggregate_output_tokens_per_s"], 0)
        self.assertEqual([text for text in self.said(report, "tokens_estimated") if "20 were counted" in text],
                         self.said(report, "tokens_estimated"))
        self.assertEqual(len(self.said(report, "tokens_estimated")), 1)

    def test_without_usage_and_tokenizer_the_count_is_absent(self):
        report, rows, _ = self.measured(None)
        self.assertEqual({row[:2] for row in rows}, {(None, "none")})
        self.assertIsNone(report["levels"][0]["aggregate_output_tokens_per_s"])

    def test_the_servers_count_stays_and_a_disagreement_is_said(self):
        report, rows, database = self.measured({"prompt_tokens": 7, "completion_tokens": 20}, "--tokenizer",
                                               os.path.join(TOKENIZERS, "byte_level.json"))
        self.assertEqual({row[:2] for row in rows}, {(20, "server")})
        said = self.said(report, "tokens_estimated")
        self.assertEqual(len(said), 1)
        self.assertIn("(-20.0%)", said[0])
        compared = json.loads(database.execute("SELECT value FROM run WHERE key='tokenizer.compared'").fetchone()[0])
        self.assertEqual(compared["tokenizer_tokens"], TEXT_TOKENS * compared["answers"])
        self.assertEqual(compared["server_tokens"], 20 * compared["answers"])

    def test_files_that_cannot_count_are_refused_before_anything_is_sent(self):
        def write(name, text):
            path = os.path.join(self.folder, name)
            with open(path, "w") as file:
                file.write(text)
            return path

        unigram = write("unigram.json", json.dumps({"model": {"type": "Unigram", "vocab": []}}))
        for file, words in ((os.path.join(self.folder, "missing.json"), ["missing.json", "cannot read"]),
                            (write("text.json", "no JSON"), ["text.json", "not JSON"]),
                            (unigram, ["unigram.json", "Unigram", "BPE"])):
            process = loadline("run", "--url", "http://127.0.0.1:1", "--tokenizer", file, timeout=60)
            self.assertEqual(process.returncode, 2, process.stderr)
            self.assertEqual(len(process.stderr.strip().splitlines()), 1, process.stderr)
            for word in words:
                self.assertIn(word, process.stderr)
        process = loadline("run", "--tokenizer", os.path.join(TOKENIZERS, "byte_level.json"), timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertIn("--url", process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
