"""The part of `loadline trace stats` that pandas and DuckDB can do, on the CSV that trace_bench leaves in its folder:
read it, quantiles of both lengths, correlation. Prints processor seconds and peak memory, each in a process of its own.

    python3 -m venv venv && venv/bin/pip install pandas duckdb
    venv/bin/python bench/trace_reference.py FOLDER/azure.csv

What is not installed is left out, by name.
"""

import importlib.util
import os
import resource
import sys

QUANTILES = [0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999]


def with_pandas(path):
    import pandas

    log = pandas.read_csv(path, parse_dates=["TIMESTAMP"])
    lengths = log[["ContextTokens", "GeneratedTokens"]]
    quantiles = lengths.quantile(QUANTILES, interpolation="lower")
    rank = lengths.corr(method="spearman").iloc[0, 1]
    pearson = lengths.corr().iloc[0, 1]
    gaps = log["TIMESTAMP"].sort_values().diff().dt.total_seconds()
    return len(log), quantiles.loc[0.5, "ContextTokens"], rank, pearson, gaps.std() / gaps.mean()


def with_duckdb(path):
    import duckdb

    session = duckdb.connect(config={"threads": 1})
    session.execute("create table log as select * from read_csv(?, header = true)", [path])
    quantiles = session.execute(
        "select quantile_disc(ContextTokens, $1), quantile_disc(GeneratedTokens, $1) from log".replace("$1", str(QUANTILES))
    ).fetchone()
    rows, pearson = session.execute("select count(*), corr(ContextTokens, GeneratedTokens) from log").fetchone()
    rank = session.execute(
        "select corr(a, b) from (select rank() over (order by ContextTokens) + count(*) over (partition by ContextTokens) / 2 a,"
        " rank() over (order by GeneratedTokens) + count(*) over (partition by GeneratedTokens) / 2 b from log)"
    ).fetchone()[0]
    gap_cv = session.execute(
        "select stddev_pop(gap) / avg(gap) from (select epoch_us(TIMESTAMP) - lag(epoch_us(TIMESTAMP)) over (order by"
        " TIMESTAMP) gap from log)"
    ).fetchone()[0]
    return rows, quantiles[0][QUANTILES.index(0.5)], rank, pearson, gap_cv


def measure(name, action, path):
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        rows, median, rank, pearson, gap_cv = action(path)
        print(f"{name}: {rows} rows, prompt p50 {median}, rank correlation {rank:.4f}, Pearson {pearson:.4f}, gap CV {gap_cv:.3f}")
        sys.stdout.flush()
        os._exit(0)
    _, status, used = os.wait4(child, 0)
    if status != 0:
        print(f"{name} failed")
        return
    seconds = used.ru_utime + used.ru_stime
    print(f"  {seconds:.2f} s, {os.path.getsize(path) / seconds / 1e9:.2f} GB/s a core, {used.ru_maxrss / 1024:.0f} MiB at most")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    for name, action in (("pandas", with_pandas), ("duckdb", with_duckdb)):
        if importlib.util.find_spec(name) is None:
            print(f"{name} is not installed: left out")
        else:
            measure(name, action, sys.argv[1])


main()
