#!/usr/bin/env python3
"""Checks the specifications of a copy of tlaplus/Examples, and compares with what is recorded.

    scripts/tla-corpus.py CORPUS [--counts FILE.csv] [--ordeal build/release/ordeal] [--jobs N]
        [--timeout SECONDS] [--library DIR]... [--only TEXT] [--markdown FILE]

CORPUS is a checkout of the repository; it is copied, and the copy is worked on. What is recorded
stands in the manifest.json of each folder: all models of mode "exhaustive search" are checked, or
those that a CSV names by the columns spec, cfg, distinct, total, result. Each is checked on one
thread; a line tells what came of it:

    same      verdict and counts are the recorded ones
    liveness  so are the counts; some of what happens in the end is undecided
    unknown   the verdict is the recorded one; no counts are recorded
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
import shutil
import subprocess
import sys
import tempfile
import time

EXPECTED = {"success": ("holds", "undecided"), "safety failure": ("violated",),
            "liveness failure": ("undecided", "violated"), "deadlock failure": ("violated",),
            "assumption failure": ("violated",)}
LASSO = "liveness failure"  # a run that goes on for ever


def recorded_in_manifests(corpus):
    rows = []
    root = os.path.join(corpus, "specifications")
    for folder in sorted(os.listdir(root)):
        path = os.path.join(root, folder, "manifest.json")
        if not os.path.exists(path):
            continue
        with open(path) as file:
            manifest = json.load(file)
        for module in manifest["modules"]:
            for model in module["models"]:
                if model["mode"] != "exhaustive search":
                    continue
                rows.append({"spec": module["path"], "cfg": model["path"],
                             "distinct": str(model.get("distinctStates", "")),
                             "total": str(model.get("totalStates", "")),
                             "result": model["result"]})
    return rows


def run(args, corpus, row):
    spec = os.path.join(corpus, row["spec"])
    cfg = os.path.join(corpus, row["cfg"])
    command = [args.ordeal, "tla", "check", spec, "--config", cfg, "--threads", "1", "--json", "-",
               "--quiet", "--progress", "never", "--max-memory", "8G"]
    for library in args.library:
        command += ["--library", library]
    out = {"verdict": "", "distinct": "", "total": "", "why": ""}
    begun = time.time()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=args.timeout,
                              cwd=corpus)
    except subprocess.TimeoutExpired:
        return out | {"what": "timeout", "seconds": args.timeout}
    out["seconds"] = time.time() - begun
    try:
        report = json.loads(done.stdout)
    except ValueError:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        why = " | ".join(lines[:3]).replace(corpus + "/", "")
        return out | {"what": "error", "why": why or f"exit {done.returncode}"}
    out |= {"verdict": report["verdict"], "distinct": str(report["distinct_states"]),
            "total": str(report["generated_states"])}
    if report["verdict"] == "error":
        why = report["error"]["message"].replace("\n", " | ").replace(corpus + "/", "")
        return out | {"what": "error", "why": why}
    unchecked = [p["name"] + ": " + p.get("note", "").split("\n")[0]
                 for p in report["properties"] if p["verdict"] == "undecided"]
    has_lasso = any("loop_start" in (v.get("trace") or {}) for v in report["violations"])
    if report["verdict"] == "violated" and has_lasso != (row["result"] == LASSO):
        return out | {"what": "verdict", "why": "another kind of violation"}
    if report["verdict"] not in EXPECTED.get(row["result"], ()):
        why = "; ".join(v["property"] + ": " + v["why"].split("\n")[0]
                        for v in report["violations"])
        return out | {"what": "verdict", "why": why}
    if row["distinct"] and row["result"] == "success":
        if (out["distinct"], out["total"]) != (row["distinct"], row["total"]):
            return out | {"what": "counts"}
    if report["verdict"] == "undecided":
        if not unchecked:
            return out | {"what": "verdict", "why": "undecided: " + str(report.get("bounds"))}
        return out | {"what": "liveness", "why": "; ".join(unchecked)}
    return out | {"what": "same" if row["distinct"] or row["result"] != "success" else "unknown"}


def thousands(text):
    return f"{int(text):,}" if text else "–"


def markdown(path, lines):
    with open(path, "w") as file:
        file.write("| model | recorded | ours | distinct: recorded | ours | total: recorded | ours | "
                   "seconds | |\n| --- | --- | --- | --: | --: | --: | --: | --: | --- |\n")
        for row, result in lines:
            violated = row["result"] != "success"
            cells = [row["cfg"].removeprefix("specifications/"), row["result"],
                     result["verdict"] or result["what"], thousands(row["distinct"]),
                     "–" if violated else thousands(result["distinct"]), thousands(row["total"]),
                     "–" if violated else thousands(result["total"]), f"{result['seconds']:.2f}",
                     (result["what"] + (": " if result["why"] else "") + result["why"][:200])
                     .replace("|", "/")]
            file.write("| " + " | ".join(cells) + " |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--counts")
    parser.add_argument("--ordeal", default="build/release/ordeal")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--library", action="append", default=[])
    parser.add_argument("--only", default="")
    parser.add_argument("--markdown")
    args = parser.parse_args()
    args.ordeal = os.path.abspath(args.ordeal)
    args.library = [os.path.abspath(library) for library in args.library]
    if args.counts:
        with open(args.counts, newline="") as file:
            rows = list(csv.DictReader(file))
    else:
        rows = recorded_in_manifests(args.corpus)
    rows = [row for row in rows if args.only in row["cfg"] + row["spec"]]
    totals = {}
    lines = []
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(os.path.join(args.corpus, "specifications"),
                        os.path.join(scratch, "specifications"))
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for row, result in zip(rows, pool.map(lambda row: run(args, scratch, row), rows)):
                totals[result["what"]] = totals.get(result["what"], 0) + 1
                name = row["cfg"].removeprefix("specifications/")
                print(f"{result['what']:9}{result['seconds']:8.2f} s  {name}  {result['why'][:300]}",
                      flush=True)
                lines.append((row, result))
    print(", ".join(f"{count} {what}" for what, count in sorted(totals.items())))
    if args.markdown:
        markdown(args.markdown, lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
