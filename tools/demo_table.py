#!/usr/bin/env python3
"""Two runs of the same levels side by side: demo_table.py VIRTUAL/report.json HTTP/report.json."""
import json
import sys


def p99(latency):
    """The p99 with failures as infinite, in ms, with its interval; only the lower end where no more is known."""
    if latency["p99_high"] is not None:
        return f"{latency['p99_failures_as_infinite']:,.0f} [{latency['p99_low']:,.0f}, {latency['p99_high']:,.0f}]"
    if latency["p99_failures_as_infinite"] is not None and latency["p99_low"] is not None:
        return f"{latency['p99_failures_as_infinite']:,.0f} [{latency['p99_low']:,.0f}, ..."
    return f">= {latency['p99_low']:,.0f}" if latency["p99_low"] is not None else "-"


def rows(path):
    with open(path) as file:
        return {level["target"]: level for level in json.load(file)["levels"]}


virtual, http = rows(sys.argv[1]), rows(sys.argv[2])
print(f"{'users':>6}  {'tok/s virtual':>13} {'over HTTP':>10}   {'p99 TTFT ms virtual':>24} {'over HTTP':>24}")
for users in sorted(set(virtual) & set(http)):
    a, b = virtual[users], http[users]
    print(f"{users:>6.0f}  {a['aggregate_output_tokens_per_s']:>13,.0f} {b['aggregate_output_tokens_per_s']:>10,.0f}   "
          f"{p99(a['ttft_ms']):>24} {p99(b['ttft_ms']):>24}")
