"""A run that is killed or interrupted in the middle of a level stays reportable."""
import json
import os
import signal
import sqlite3
import subprocess
import time
import unittest

from program import DATA, LOADLINE, loadline, new_folder


class Killed(unittest.TestCase):
    def stop_in_the_second_level(self, folder, how):
        """Starts a run, waits until its second level has stored requests, ends it by signal `how`; its exit status."""
        process = subprocess.Popen([LOADLINE, "run", "--trace", os.path.join(DATA, "small-chat.csv"), "--concurrency", "4,8", "--engine-speed", "10",
                                    "--warmup-requests", "0", "--num-prompts", "400", "--output-dir", folder, "--ui", "none"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.1)
            try:
                database = sqlite3.connect(f"file:{folder}/run.sqlite?mode=ro", uri=True)
                if database.execute("SELECT count(*) FROM request WHERE level=1").fetchone()[0] >= 20:
                    break
            except sqlite3.OperationalError:
                continue
        self.assertIsNone(process.poll(), "the run ended before it could be stopped")
        process.send_signal(how)
        process.wait(timeout=60)
        process.stderr.close()
        return process.returncode

    def check_report(self, folder):
        process = loadline("report", folder, "--format", "json")
        self.assertIn(process.returncode, (0, 1), process.stderr)
        report = json.loads(process.stdout)
        self.assertEqual([level["target"] for level in report["levels"]], [4])
        self.assertEqual(report["levels"][0]["measured_requests"], 400)
        self.assertIn("stopped", report["sentence"])

    def test_no_complete_level_is_no_result(self):
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            self.assertEqual(self.stop_in_the_second_level(folder, signal.SIGKILL), -signal.SIGKILL)
            database = sqlite3.connect(os.path.join(folder, "run.sqlite"))
            database.execute("UPDATE level SET state='running'")
            database.commit()
            database.close()
            process = loadline("report", folder, "--format", "json")
            self.assertEqual(process.returncode, 1, process.stderr)
            report = json.loads(process.stdout)
            self.assertFalse(report["valid"])
            self.assertEqual(report["levels"], [])

    def test_sigkill(self):
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            self.assertEqual(self.stop_in_the_second_level(folder, signal.SIGKILL), -signal.SIGKILL)
            self.check_report(folder)

    def test_interrupt_keeps_what_was_measured(self):
        with new_folder() as temporary:
            folder = os.path.join(temporary, "run")
            self.assertEqual(self.stop_in_the_second_level(folder, signal.SIGINT), 130)
            self.assertTrue(os.path.exists(os.path.join(folder, "report.html")))
            self.check_report(folder)


if __name__ == "__main__":
    unittest.main(verbosity=2)
