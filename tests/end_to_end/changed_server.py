"""A server that is another one at the end of the run, or was restarted in between, makes the run invalid and is named."""
import os
import socket
import sqlite3
import subprocess
import time
import unittest

from program import LOADLINE, free_port, new_folder, read_json


class ChangedServer(unittest.TestCase):
    def setUp(self):
        self.port = free_port()
        self.engine = None
        self.addCleanup(self.stop)
        temporary = new_folder()
        self.addCleanup(temporary.cleanup)
        self.run_folder = os.path.join(temporary.name, "run")

    def start(self, *parameters):
        self.engine = subprocess.Popen([LOADLINE, "engine", "--port", str(self.port), "--speed", "20", *parameters],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(400):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the engine does not listen")

    def stop(self):
        if self.engine:
            self.engine.terminate()
            self.engine.wait(timeout=30)
            self.engine = None

    def finished_requests(self):
        try:
            with sqlite3.connect(f"file:{os.path.join(self.run_folder, 'run.sqlite')}?mode=ro", uri=True) as run:
                return run.execute("SELECT count(*) FROM request").fetchone()[0]
        except sqlite3.Error:
            return 0

    def doubts_when_replaced_by(self, *parameters):
        """The engine is stopped in the middle of a run and another one takes its place."""
        self.start()
        run = subprocess.Popen([LOADLINE, "run", "--url", f"http://127.0.0.1:{self.port}", "--trace", "builtin:worked-example", "--concurrency", "2",
                                "--warmup-requests", "0", "--num-prompts", "400", "--scale-lengths", "0.5", "--retries", "9",
                                "--output-dir", self.run_folder, "--quiet"], stderr=subprocess.PIPE, text=True)
        try:
            for _ in range(1200):
                if self.finished_requests() >= 10 or run.poll() is not None:
                    break
                time.sleep(0.05)
            self.assertIsNone(run.poll(), "the run is still going on")
            self.stop()
            self.start(*parameters)
            _, trouble = run.communicate(timeout=300)
        finally:
            run.kill()
        self.assertEqual(run.returncode, 1, trouble)
        report = read_json(os.path.join(self.run_folder, "report.json"))
        self.assertFalse(report["valid"])
        return [doubt["text"] for doubt in report["doubts"] if doubt["id"] == "server_changed"]

    def test_another_one_in_its_place(self):
        said = self.doubts_when_replaced_by("--engine-parameter", "token_budget=512")
        self.assertEqual(len(said), 1)
        self.assertIn("token_budget was '184' and is '512'", said[0])
        self.assertIn("it was restarted", said[0])

    def test_the_same_one_started_again(self):
        said = self.doubts_when_replaced_by()
        self.assertEqual(said, ["The server is not the one it was at the start: it was restarted."])


if __name__ == "__main__":
    unittest.main(verbosity=2)
