#!/usr/bin/env python3
"""Checks the specifications of a copy of tlaplus/Examples, and compares with recorded counts.

    scripts/tla-corpus.py CORPUS COUNTS.csv [--ordeal build/release/ordeal] [--jobs N]
        [--timeout SECONDS] [--library DIR]... [--only TEXT] [--markdown FILE]

CORPUS is a checkout of the repository; COUNTS.csv has the columns spec, cfg, distinct, total,
result, modules, cfg_features. Each model is checked on one thread; a line tells what came of it:

    same      verdict and counts are the recorded ones
    liveness  so are the counts; what happens in the end was not checked
    counts    other counts
    verdict   another verdict
    error     the specification was refused, or something could not be evaluated
    timeout   no result in time
"""
import argparse
import concurrent.futures
import csv
import json
import os
import subprocess
import sys
import time

EXPECTED = {"success": ("holds", "undecided"), "safety failure": ("violated",),
            "liveness failure": ("undecided", "violated"), "deadlock failure": ("violated",),
            "assumption failure": ("violated",)}


def run(args, row):
    spec = os.path.join(args.corpus, row["spec"])
    cfg = os.path.join(args.corpus, row["cfg"])
    command = [args.ordeal, "tla", "check", spec, "--config", cfg, "--threads", "1", "--json", "-",
               "--quiet", "--progress", "never", "--max-memory", "8G"]
    for library in args.library:
        command += ["--library", library]
    begun = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=args.timeout,
                              cwd=os.path.dirname(spec))
    except subprocess.TimeoutExpired:
        return {"what": "timeout", "why": "", "seconds": args.timeout}
    out = {"seconds": time.time() - begun, "why": ""}
    try:
        report = json.loads(done.stdout)
    except ValueError:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        return out | {"what": "error", "why": lines[-1] if lines else f"exit {done.returncode}"}
    out["distinct"] = report["distinct_states"]
    out["total"] = report["generated_states"]
    if report["verdict"] == "error":
        return out | {"what": "error", "why": report["error"]["message"].replace("\n", " | ")}
    unchecked = [p["name"] for p in report["properties"]
                 if p.get("word") == "temporal" or "not checked yet" in p.get("note", "")]
    if report["verdict"] not in EXPECTED.get(row["result"], ()):
        why = "; ".join(v["property"] + ": " + v["why"].split("\n")[0]
                        for v in report["violations"])
        return out | {"what": "verdict", "why": f"{report['verdict']}: {why}"}
    if row["distinct"] not in ("", None) and row["result"] == "success":
        if (str(out["distinct"]), str(out["total"])) != (row["distinct"], row["total"]):
            return out | {"what": "counts", "why": f"{out['distinct']} / {out['total']}, recorded "
                                                   f"{row['distinct']} / {row['total']}"}
    if report["verdict"] == "undecided":
        if not unchecked:
            return out | {"what": "verdict", "why": "undecided: " + str(report.get("bounds"))}
        return out | {"what": "liveness", "why": ", ".join(unchecked)}
    return out | {"what": "same"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus")
    parser.add_argument("counts")
    parser.add_argument("--ordeal", default="build/release/ordeal")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--markdown")
    args = parser.parse_args()
    args.ordeal = os.path.abspath(args.ordeal)
    args.library = [os.path.abspath(library) for library in args.library]
    with open(args.counts, newline="") as file:
        rows = [row for row in csv.DictReader(file) if args.only in row["cfg"] + row["spec"]]
    totals = {}
    lines = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for row, result in zip(rows, pool.map(lambda row: run(args, row), rows)):
            totals[result["what"]] = totals.get(result["what"], 0) + 1
            name = row["cfg"].removeprefix("specifications/")
            print(f"{result['what']:9}{result['seconds']:8.2f} s  {name}  {result['why'][:300]}",
                  flush=True)
            lines.append((name, row, result))
    print(", ".join(f"{count} {what}" for what, count in sorted(totals.items())))
    if args.markdown:
        with open(args.markdown, "w") as file:
            for name, row, result in lines:
                file.write(f"| {name} | {row['distinct']} | {row['total']} | {result['what']} | "
                           f"{result['seconds']:.1f} | {result['why'][:200].replace('|', '/')} |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
