"""Levels are isolated from what else runs on the server, or say that they were not."""
import http.client
import json
import os
import subprocess
import time
import unittest

from program import LOADLINE, free_port, loadline, new_folder, read_json


class OtherRequests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.port = free_port()
        cls.engine = subprocess.Popen([LOADLINE, "engine", "--port", str(cls.port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.stop)
        for _ in range(200):
            try:
                cls.ask("GET", "/health")[0].close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the engine does not listen")

    @classmethod
    def stop(cls):
        cls.engine.terminate()
        cls.engine.wait(timeout=30)

    @classmethod
    def ask(cls, method, path, body=None):
        """The connection, to be closed, and the head of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", cls.port, timeout=60)
        connection.request(method, path, body, {"Content-Type": "application/json"})
        return connection, connection.getresponse()

    def doubts_of_a_run(self):
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            process = loadline("run", "--url", f"http://127.0.0.1:{self.port}", "--trace", "builtin:worked-example", "--scale-lengths", "0.02",
                               "--concurrency", "2", "--warmup-requests", "2", "--num-prompts", "20", "--output-dir", folder, "--quiet")
            self.assertIn(process.returncode, (0, 1), process.stderr)
            report = read_json(os.path.join(folder, "report.json"))
            return [doubt["id"] for doubt in report["doubts"]]

    def test_somebody_elses_long_request(self):
        self.assertNotIn("server_busy", self.doubts_of_a_run(), "an idle server")
        body = json.dumps({"model": "loadline-engine", "prompt": [1, 2, 3], "max_tokens": 20000, "stream": True, "ignore_eos": True})
        connection, response = self.ask("POST", "/v1/completions", body)
        self.assertEqual(response.status, 200, response.read(200) if response.status != 200 else "")
        response.read(1)
        try:
            self.assertIn("server_busy", self.doubts_of_a_run())
        finally:
            connection.close()


if __name__ == "__main__":
    unittest.main(verbosity=2)
