#!/usr/bin/env python3
"""Writes docs/reference/commands.md from the program's own --help: make_reference.py LOADLINE [--check]."""
import os
import subprocess
import sys

COMMANDS = [["run"], ["report"], ["compare"], ["gate"], ["simulate"], ["plan"], ["trace", "stats"], ["trace", "convert"], ["trace", "sample"],
            ["trace", "anonymize"], ["trace", "check"], ["trace", "merge"], ["bound"], ["engine"], ["calibrate"]]
TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "reference", "commands.md")


def page(program):
    text = ["# Commands", "", "Written by `tools/make_reference.py` from `loadline COMMAND --help`; a test keeps it true. "
            "Every long option of `run`, `simulate` and `plan` is also a plan file key, `-` written as `_`, except those under Output, "
            "`--api-key` and `--header`.", ""]
    for command in COMMANDS:
        answer = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True, timeout=30).stdout
        text += [f"## loadline {' '.join(command)}", "", "```", answer.strip(), "```", ""]
    return "\n".join(text)


if __name__ == "__main__":
    fresh = page(sys.argv[1])
    if "--check" in sys.argv:
        if open(TARGET).read() != fresh:
            sys.exit("docs/reference/commands.md is not what the program says; run tools/make_reference.py LOADLINE")
    else:
        os.makedirs(os.path.dirname(TARGET), exist_ok=True)
        with open(TARGET, "w") as file:
            file.write(fresh)
