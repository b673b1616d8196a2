"""The clients of the field beside loadline, each alone against the bench's own server, whose timing is known: every answer's first
token comes 100 ms after its request, the others 10 ms apart. What a client reports beyond that it added itself.

    bench/peers.py BUILD_DIR [--streams 64,512] [--only NAMES] [--path FOLDERS] [--json]

The server has core 0, the client core 1. A client that is not installed is named and left out. FOLDERS (colon-separated) are
searched for programs before PATH: the bin folders of virtual environments. Nothing comes from the network: prompts are given as
text, and the server counts words.
"""
import argparse
import glob
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

FIRST_MS, PERIOD_MS = 100, 10
OUTPUT_TOKENS = 64
ROUNDS = 4  # requests of each stream
MODEL = "loadline-engine"
PATIENCE_S = 300
PROMPT = "a prompt of some words that nobody reads " * 4


def write_tokenizer(folder):
    """A tokenizer of words, for clients that will not start without one; returns its folder."""
    words = {word: i for i, word in enumerate(["[UNK]"] + sorted(set(PROMPT.split())))}
    tokenizer = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
                 "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None,
                 "model": {"type": "WordLevel", "vocab": words, "unk_token": "[UNK]"}}
    path = os.path.join(folder, "tokenizer")
    os.mkdir(path)
    for name, content in (("tokenizer.json", tokenizer), ("tokenizer_config.json",
                          {"tokenizer_class": "PreTrainedTokenizerFast", "unk_token": "[UNK]", "eos_token": "[UNK]"})):
        with open(os.path.join(path, name), "w") as file:
            json.dump(content, file)
    return path


def read_json(pattern, folder):
    files = sorted(glob.glob(os.path.join(folder, pattern), recursive=True))
    if not files:
        raise ValueError(f"it wrote no {pattern}")
    with open(files[-1]) as file:
        return json.load(file)


def find(tree, *path):
    for step in path:
        tree = tree[step]
    return tree


class Loadline:
    name = "loadline"

    def command(self, program, url, streams, folder):
        log = os.path.join(folder, "log.csv")
        with open(log, "w") as file:
            file.write("TIMESTAMP,ContextTokens,GeneratedTokens\n")
            for i in range(2000):
                file.write(f"2026-03-02 09:{i // 60:02}:{i % 60:02}.0000000,32,{OUTPUT_TOKENS}\n")
        return [program, "run", "--url", url, "--trace", log, "--sampler", "rows", "--concurrency", str(streams),
                "--warmup-requests", "0", "--num-prompts", str(streams * ROUNDS), "--client-threads", "1", "--quiet",
                "--output-dir", os.path.join(folder, "run")]

    def figures(self, folder):
        level = read_json("run/report.json", folder)["levels"][0]
        return level["ttft_ms"]["p99"], level["itl_ms"]["p50"]


class Vllm:
    name = "vllm"

    def command(self, program, url, streams, folder):
        data = os.path.join(folder, "prompts.jsonl")
        with open(data, "w") as file:
            for i in range(streams * ROUNDS):
                file.write(json.dumps({"prompt": f"{i} {PROMPT}", "output_tokens": OUTPUT_TOKENS}) + "\n")
        return [program, "bench", "serve", "--backend", "openai", "--base-url", url, "--model", MODEL, "--dataset-name", "custom",
                "--dataset-path", data, "--custom-output-len", str(OUTPUT_TOKENS), "--skip-tokenizer-init",
                "--custom-skip-chat-template", "--ignore-eos", "--num-prompts", str(streams * ROUNDS), "--max-concurrency",
                str(streams), "--save-result", "--result-dir", folder, "--percentile-metrics", "ttft,itl"]

    def figures(self, folder):
        result = read_json("*.json", folder)
        return result["p99_ttft_ms"], result["median_itl_ms"]


class Guidellm:
    name = "guidellm"

    def command(self, program, url, streams, folder):
        data = os.path.join(folder, "prompts.jsonl")
        with open(data, "w") as file:
            for i in range(streams * ROUNDS):
                file.write(json.dumps({"prompt": f"{i} {PROMPT}", "output_tokens_count": OUTPUT_TOKENS}) + "\n")
        return [program, "benchmark", "run", "--target", url, "--model", MODEL, "--profile", "concurrent", "--rate", str(streams),
                "--max-requests", str(streams * ROUNDS), "--data", data, "--outputs", os.path.join(folder, "result.json"),
                "--disable-console-interactive"]

    def figures(self, folder):
        metrics = read_json("result.json", folder)["benchmarks"][0]["metrics"]
        return (find(metrics, "time_to_first_token_ms", "successful", "percentiles", "p99"),
                find(metrics, "inter_token_latency_ms", "successful", "percentiles", "p50"))


class Aiperf:
    name = "aiperf"

    def command(self, program, url, streams, folder):
        data = os.path.join(folder, "prompts.jsonl")
        with open(data, "w") as file:
            for i in range(streams * ROUNDS):
                file.write(json.dumps({"text": f"{i} {PROMPT}", "output_length": OUTPUT_TOKENS}) + "\n")
        return [program, "profile", "-m", MODEL, "--url", url, "--endpoint-type", "completions", "--streaming", "--concurrency",
                str(streams), "--request-count", str(streams * ROUNDS), "--input-file", data, "--custom-dataset-type",
                "single_turn", "--tokenizer", write_tokenizer(folder), "--use-server-token-count", "--extra-inputs",
                f"max_tokens:{OUTPUT_TOKENS}", "--ui", "none", "--artifact-dir", folder]

    def figures(self, folder):
        result = read_json("**/profile_export_aiperf.json", folder)
        return find(result, "time_to_first_token", "p99"), find(result, "inter_chunk_latency", "p50")


class Evalscope:
    name = "evalscope"

    def command(self, program, url, streams, folder):
        data = os.path.join(folder, "prompts.txt")
        with open(data, "w") as file:
            for i in range(streams * ROUNDS):
                file.write(f"{i} {PROMPT}\n")
        return [program, "perf", "--url", url + "/v1/chat/completions", "--api", "openai", "--model", MODEL, "--parallel",
                str(streams), "--number", str(streams * ROUNDS), "--dataset", "line_by_line", "--dataset-path", data,
                "--max-tokens", str(OUTPUT_TOKENS), "--stream", "--outputs-dir", folder, "--no-test-connection"]

    def figures(self, folder):
        rows = read_json("**/benchmark_percentile.json", folder)
        of = {str(row.get("Percentiles") or row.get("percentile")): row for row in rows}
        return of["99%"]["TTFT (s)"] * 1e3, of["50%"]["ITL (s)"] * 1e3


class InferencePerf:
    name = "inference-perf"

    def command(self, program, url, streams, folder):
        config = os.path.join(folder, "config.yml")
        with open(config, "w") as file:
            file.write(f"""
api: {{type: completion, streaming: true}}
data: {{type: mock}}
load:
  type: concurrent
  num_workers: 1
  worker_max_concurrency: {streams}
  stages: [{{num_requests: {streams * ROUNDS}, concurrency_level: {streams}}}]
server: {{type: vllm, model_name: {MODEL}, base_url: "{url}", ignore_eos: true}}
storage: {{local_storage: {{path: {folder}/out}}}}
report: {{request_lifecycle: {{summary: true, per_stage: false, per_request: false, percentiles: [50, 99]}}}}
""")
        return [program, "--config_file", config]

    def figures(self, folder):
        latency = find(read_json("**/summary_lifecycle_metrics.json", folder), "successes", "latency")
        return latency["time_to_first_token"]["p99"] * 1e3, latency["inter_token_latency"]["median"] * 1e3


CLIENTS = [Loadline(), Vllm(), Aiperf(), Guidellm(), Evalscope(), InferencePerf()]


def program_of(client, arguments):
    if client.name == "loadline":
        program = os.path.join(arguments.build, "bin", "loadline")
        return program if os.path.exists(program) else None
    return shutil.which(client.name, path=f"{arguments.path}:{os.environ['PATH']}")


class Server:
    def __init__(self, build):
        self.process = subprocess.Popen(
            [os.path.join(build, "bench", "client_bench"), "--serve", "0", "--first-ms", str(FIRST_MS), "--period-ms",
             str(PERIOD_MS)], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().split()[-1]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        counts = json.loads(self.process.stdout.readline())
        self.process.wait()
        return counts


def run_pinned(command, folder):
    """CPU seconds of the program and its children; raises ValueError where it fails."""
    environment = dict(os.environ, OPENAI_API_KEY="none", HOME=folder)
    log = open(os.path.join(folder, "output.log"), "wb")
    process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, cwd=folder, env=environment, start_new_session=True,
                               preexec_fn=lambda: os.sched_setaffinity(0, {1}))
    end = time.monotonic() + PATIENCE_S
    while True:
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > end:
            os.killpg(process.pid, signal.SIGKILL)
            os.wait4(process.pid, 0)
            raise ValueError(f"not done after {PATIENCE_S} s")
        time.sleep(0.05)
    try:
        os.killpg(process.pid, signal.SIGKILL)  # some leave processes behind that would burden the next
    except ProcessLookupError:
        pass
    # A doubt is loadline's exit status 1; its report is there all the same.
    if status != 0 and not (os.path.basename(command[0]) == "loadline" and os.waitstatus_to_exitcode(status) == 1):
        with open(log.name, errors="replace") as file:
            words = [line.strip() for line in file if line.strip()]
        raise ValueError(f"it ended with status {os.waitstatus_to_exitcode(status)}: {words[-1][:200] if words else 'no word'}")
    return usage.ru_utime + usage.ru_stime


def measure(client, program, streams, build):
    with tempfile.TemporaryDirectory(prefix="peers_") as folder:
        server = Server(build)
        try:
            cpu_s = run_pinned(client.command(program, server.url, streams, folder), folder)
        finally:
            counts = server.stop()
        ttft, itl = client.figures(folder)
        return {"client": client.name, "streams": streams, "ttft_p99_ms": ttft, "itl_p50_ms": itl,
                "cpu_s_per_million_tokens": cpu_s * 1e6 / max(counts["tokens"], 1), "most_open": counts["most_open"],
                "requests": counts["requests"]}


def table(rows, remarks):
    lines = [f"truth: TTFT {FIRST_MS} ms, ITL {PERIOD_MS} ms; one core each for server and client",
             "| client | streams | TTFT p99, ms | ITL p50, ms | CPU s a million tokens | streams really open |",
             "|---|---|---|---|---|---|"]
    for row in rows:
        ttft, itl = ("-" if row[key] is None else f"{row[key]:.2f}" for key in ("ttft_p99_ms", "itl_p50_ms"))
        lines.append(f"| {row['client']} | {row['streams']} | {ttft} | {itl} | "
                     f"{row['cpu_s_per_million_tokens']:.1f} | {row['most_open']} |")
    return "\n".join(lines + remarks)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", help="build folder with bench/client_bench and bin/loadline")
    parser.add_argument("--streams", default="64,512")
    parser.add_argument("--only", default="", help="names of clients, comma-separated")
    parser.add_argument("--path", default="", help="folders to search for their programs first")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    arguments.build = os.path.abspath(arguments.build)
    rows, remarks = [], []
    for client in CLIENTS:
        if arguments.only and client.name not in arguments.only.split(","):
            continue
        program = program_of(client, arguments)
        if program is None:
            remarks.append(f"{client.name}: not installed, left out")
            continue
        for streams in map(int, arguments.streams.split(",")):
            try:
                rows.append(measure(client, program, streams, arguments.build))
            except (ValueError, KeyError, TypeError) as error:
                remarks.append(f"{client.name}, {streams} streams: {error!r}")
    remarks.append(f"load average {os.getloadavg()[0]:.1f}")
    print(json.dumps({"rows": rows, "remarks": remarks}, indent=1) if arguments.json else table(rows, remarks))
    return 0


if __name__ == "__main__":
    sys.exit(main())
