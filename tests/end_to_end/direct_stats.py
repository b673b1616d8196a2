"""What `loadline trace stats --json` must say, computed directly from rows: slowly, and by the definitions alone."""
import collections
import math


class Row:
    def __init__(self, prompt, completion, arrival=None, ids=None, session=None, delay=None):
        self.prompt, self.completion, self.arrival = prompt, completion, arrival
        self.ids, self.session, self.delay = ids, session, delay


def rank(values, share):
    """Nearest rank; `values` sorted."""
    return values[max(1, math.ceil(share * len(values) - 1e-9)) - 1]


def lengths(values):
    ordered = sorted(values)
    result = {"min": ordered[0], "max": ordered[-1], "mean": sum(ordered) / len(ordered)}
    for name, share in (("p1", .01), ("p5", .05), ("p10", .1), ("p25", .25), ("p50", .5), ("p75", .75), ("p90", .9),
                        ("p95", .95), ("p99", .99), ("p99_9", .999)):
        result[name] = rank(ordered, share)
    return result


def correlation(x, y):
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    xy = math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    xx, yy = math.fsum((a - mean_x) ** 2 for a in x), math.fsum((b - mean_y) ** 2 for b in y)
    return xy / math.sqrt(xx * yy)


def mean_ranks(values):
    places = collections.defaultdict(list)
    for place, value in enumerate(sorted(values), 1):
        places[value].append(place)
    return [sum(places[value]) / len(places[value]) for value in values]


def completion_by_prompt(rows):
    prompts = sorted(row.prompt for row in rows)
    edges = [prompts[0] - 1] + [rank(prompts, share) for share in (.1, .25, .5, .75, .9, .95, .99)] + [prompts[-1]]
    edges = sorted(set(edges))
    bins = []
    for low, high in zip(edges, edges[1:]):
        inside = sorted(row.completion for row in rows if low < row.prompt <= high)
        if inside:
            bins.append({"from": low, "to": high, "n": len(inside), "p50": rank(inside, .5), "p90": rank(inside, .9)})
    return bins


def arrivals(rows):
    times = sorted(row.arrival for row in rows)  # whole nanoseconds
    span = times[-1] - times[0]
    gaps = [b - a for a, b in zip(times, times[1:])]
    mean = span / len(gaps)
    result = {"span_s": span / 1e9, "rate_per_s": len(gaps) / (span / 1e9), "equal_stamps": gaps.count(0),
              "gap_cv": math.sqrt(math.fsum((gap - mean) ** 2 for gap in gaps) / len(gaps)) / mean}
    for width in (1, 60):
        counts = collections.Counter((time - times[0]) // (width * 10**9) for time in times)
        whole = span // (width * 10**9)
        complete = [counts[i] for i in range(whole)]
        average = sum(complete) / whole
        result[f"dispersion_{width}s"] = math.fsum((n - average) ** 2 for n in complete) / whole / average
        result[f"busiest_{width}s"] = max(counts.values())
    return result


def lru_rate(rows, block_size, capacity):
    cache, hit = collections.OrderedDict(), 0
    for row in rows:
        leading = 0
        for block in row.ids:
            if block not in cache:
                break
            leading += 1
        hit += min(leading * block_size, row.prompt)
        for block in row.ids:
            cache[block] = None
            cache.move_to_end(block)
            if len(cache) > capacity:
                cache.popitem(last=False)
    return hit / sum(row.prompt for row in rows)


def sharing(rows, block_size):
    """Rows in order of arrival."""
    seen, roots = set(), set()
    hit = full = beyond = with_hit = with_two = 0
    shares = []
    for row in rows:
        leading = 0
        for block in row.ids:
            if block not in seen:
                break
            leading += 1
        tokens = min(leading * block_size, row.prompt)
        hit += tokens
        full += min(tokens, row.prompt // block_size * block_size)
        beyond += tokens - (min(block_size, row.prompt) if leading else 0)
        with_hit += leading > 0
        with_two += leading > 1
        shares.append(tokens / row.prompt)
        seen.update(row.ids)
        roots.update(row.ids[:1])
    prompts = sum(row.prompt for row in rows)
    return {"block_size": block_size, "blocks": sum(len(row.ids) for row in rows), "unique_blocks": len(seen),
            "roots": len(roots), "token_hit_rate": hit / prompts, "token_hit_rate_full_blocks": full / prompts,
            "token_hit_rate_beyond_first_block": beyond / prompts, "request_hit_rate_mean": math.fsum(shares) / len(rows),
            "requests_with_hit": with_hit / len(rows), "requests_with_two_blocks": with_two / len(rows),
            "lru": [{"capacity_blocks": len(seen) * percent // 100,
                     "token_hit_rate": lru_rate(rows, block_size, len(seen) * percent // 100)}
                    for percent in (1, 5, 10, 25, 50)]}


def turns(rows):
    counts = sorted(collections.Counter(row.session for row in rows).values())
    return {"count": len(counts), "single_turn_share": counts.count(1) / len(counts),
            "turns": {"p50": rank(counts, .5), "p90": rank(counts, .9), "p99": rank(counts, .99), "max": counts[-1],
                      "mean": sum(counts) / len(counts)}}


def stats(rows, block_size=None):
    result = {"rows": len(rows), "prompt_tokens": lengths([row.prompt for row in rows]),
              "completion_tokens": lengths([row.completion for row in rows]),
              "pearson": correlation([row.prompt for row in rows], [row.completion for row in rows]),
              "spearman": correlation(mean_ranks([row.prompt for row in rows]),
                                      mean_ranks([row.completion for row in rows])),
              "completion_by_prompt": completion_by_prompt(rows)}
    if all(row.arrival is not None for row in rows):
        result["arrivals"] = arrivals(rows)
    if block_size:
        result["sharing"] = sharing(rows, block_size)
    return result


def differences(expected, found, path=""):
    """Where `found` lacks or contradicts `expected`: integers exactly, ratios to 1e-9."""
    if isinstance(expected, dict):
        return [line for key, value in expected.items()
                for line in (differences(value, found.get(key), f"{path}.{key}") if isinstance(found, dict)
                             else [f"{path}: {found!r}"])]
    if isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            return [f"{path}: {found!r} is no list of {len(expected)}"]
        return [line for i, (a, b) in enumerate(zip(expected, found)) for line in differences(a, b, f"{path}[{i}]")]
    if isinstance(expected, float):
        near = isinstance(found, (int, float)) and math.isclose(expected, found, rel_tol=1e-9, abs_tol=1e-9)
        return [] if near else [f"{path}: {found!r}, computed {expected!r}"]
    return [] if expected == found else [f"{path}: {found!r}, computed {expected!r}"]
