#!/usr/bin/env python3
"""Line and branch coverage of the protocols, from what gcc counted.

  scripts/coverage.py --build build/coverage [--least 95] [--markdown FILE]

Reads the counts of a build with --coverage (after its programs ran), prints line and branch
coverage of every folder of protocols/, and lists what was not taken, with its source. Fails where a
folder is below --least percent, where something that was not taken has no reason in
protocols/uncovered.txt, and where a reason is given for something that was taken.

What is counted: every line that gcc made code of, and every branch of a condition, a loop, a switch
or a && and ||. Not counted: the edges that gcc adds to calls for exceptions, which no source text
asks for (the preset compiles the protocols with -fno-exceptions, so that there are none: they throw
nothing; where there are, gcov marks the edge "throw": true, and the edge beside it, on which the
call returns, is no choice either). Copies of one function, in several programs or for several
types, are one. A reason that begins with "gcc:" says that the branches are the compiler's own, such
as the flags that tell which temporaries are to be destroyed: they are listed, and not counted.
"""
import argparse
import gzip
import json
import os
import re
import subprocess
import sys

REASONS = "protocols/uncovered.txt"


def fail(message):
    print("coverage: " + message, file=sys.stderr)
    sys.exit(2)


def gcov_documents(build):
    """What gcov tells of every object file that was run."""
    counts = []
    for folder, _, names in os.walk(build):
        counts += [os.path.join(folder, name) for name in names if name.endswith(".gcda")]
    if not counts:
        fail(f"nothing was counted in {build}: build the preset coverage and run its programs")
    for path in sorted(counts):
        done = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", path],
                              capture_output=True, check=False)
        if done.returncode != 0:
            fail(f"gcov cannot read {path}: {done.stderr.decode().strip()}")
        text = done.stdout
        if text[:2] == b"\x1f\x8b":
            text = gzip.decompress(text)
        for line in text.decode().splitlines():
            if line.strip():
                yield json.loads(line)


def is_measured(path):
    return (path.startswith("protocols/") and not path.endswith("_test.cc")
            and os.path.basename(path) != "testing.h")


def choices(branches):
    """The branches without those of calls that may throw."""
    out = []
    i = 0
    while i < len(branches):
        following = branches[i + 1] if i + 1 < len(branches) else None
        if branches[i]["fallthrough"] and following and following["throw"]:
            i += 2
        elif branches[i]["throw"]:
            i += 1
        else:
            out.append(branches[i]["count"])
            i += 1
    return out


class Line:
    def __init__(self):
        self.taken = False
        self.branches = {}  # by place of the function in the source: taken or not, one by one
        self.functions = set()

    def add(self, place, name, count, branches):
        self.taken = self.taken or count > 0
        self.functions.add(name)
        known = self.branches.setdefault(place, [])
        known.extend([False] * (len(branches) - len(known)))
        for i, taken in enumerate(branches):
            known[i] = known[i] or taken > 0

    def branch_counts(self):
        every = [taken for branches in self.branches.values() for taken in branches]
        return sum(every), len(every)


def short_name(demangled):
    """on of "ordeal::Paxos::on(ordeal::Context&, …)"."""
    name = re.sub(r"\[abi:[^\]]*\]", "", demangled).replace("(anonymous namespace)::", "")
    name = re.sub(r"\{lambda.*", "", name) or name
    name = name.split("(")[0]
    return re.split(r"::|\s", name.strip(": "))[-1]


def measure(root, documents):
    files = {}
    for document in documents:
        folder = document["current_working_directory"]
        for file in document["files"]:
            path = os.path.relpath(os.path.join(folder, file["file"]), root).replace(os.sep, "/")
            if not is_measured(path):
                continue
            places = {f["name"]: (f["start_line"], f["start_column"]) for f in file["functions"]}
            names = {f["name"]: short_name(f["demangled_name"]) for f in file["functions"]}
            lines = files.setdefault(path, {})
            for line in file["lines"]:
                function = line.get("function_name", "")
                lines.setdefault(line["line_number"], Line()).add(
                    places.get(function, (0, 0)), names.get(function, ""), line["count"],
                    choices(line["branches"]))
    return files


def read_reasons(root):
    """path | source text of the line, or "fn NAME" for a whole function | why it is not taken"""
    reasons = {}
    path = os.path.join(root, REASONS)
    if not os.path.exists(path):
        return reasons
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [part.strip() for part in line.split(" | ")]
            if len(parts) < 3 or not parts[0] or not parts[-1]:
                fail(f"{REASONS}:{number}: the form is: path | source text or fn NAME | reason")
            key = (parts[0], " | ".join(parts[1:-1]))
            if key in reasons:
                fail(f"{REASONS}:{number}: {key[0]} | {key[1]} has a reason already")
            reasons[key] = parts[-1]
    return reasons


class Gap:
    """Something that is not taken: a line, with those behind it that are not reached therefore."""

    def __init__(self, path, number, line, text):
        self.path, self.number, self.last, self.text = path, number, number, text
        self.functions = set(line.functions)
        taken, every = line.branch_counts()
        self.missing = every - taken
        self.says = ("not reached" if not line.taken
                     else f"{every - taken} of {every} branches not taken")
        self.reason = None

    def goes_on_with(self, number, line):
        return number == self.last + 1 and not line.taken and self.functions & line.functions

    def add(self, number, line):
        taken, every = line.branch_counts()
        self.last = number
        self.missing += every - taken

    def what(self):
        lines = self.last - self.number
        if lines == 0:
            return self.says
        return f"{self.says}, and {lines} line{'' if lines == 1 else 's'} behind it not reached"


class Folder:
    def __init__(self):
        self.lines = self.lines_taken = self.branches = self.branches_taken = 0
        self.gaps = []

    def line_percent(self):
        return 100.0 * self.lines_taken / self.lines if self.lines else 100.0

    def branch_percent(self):
        return 100.0 * self.branches_taken / self.branches if self.branches else 100.0


def sum_up(root, files):
    folders = {}
    for path in sorted(files):
        parts = path.split("/")
        folder = folders.setdefault(parts[1] if len(parts) > 2 else "(shared)", Folder())
        with open(os.path.join(root, path), encoding="utf-8") as file:
            source = file.read().splitlines()
        for number in sorted(files[path]):
            line = files[path][number]
            taken, every = line.branch_counts()
            folder.lines += 1
            folder.lines_taken += line.taken
            folder.branches += every
            folder.branches_taken += taken
            if line.taken and taken == every:
                continue
            last = folder.gaps[-1] if folder.gaps and folder.gaps[-1].path == path else None
            if last and last.goes_on_with(number, line):
                last.add(number, line)
            else:
                text = source[number - 1].strip() if number <= len(source) else ""
                folder.gaps.append(Gap(path, number, line, text))
    return folders


def give_reasons(folders, reasons):
    """Reasons that nothing asked for."""
    used = set()
    for folder in folders.values():
        for gap in folder.gaps:
            keys = [(gap.path, gap.text)]
            keys += [(gap.path, "fn " + name) for name in sorted(gap.functions)]
            for key in keys:
                if key in reasons:
                    used.add(key)
                    gap.reason = gap.reason or reasons[key]
            if gap.reason and gap.reason.startswith("gcc:"):
                folder.branches -= gap.missing
    return [key for key in reasons if key not in used]


def percent(part, whole):
    return f"{100.0 * part / whole:.1f} %" if whole else "–"


def markdown(folders, least):
    out = ["# Coverage of the protocols", "",
           "What the protocols' own tests (scenarios and searches) take of their code; made by "
           "`make coverage`, which fails where", f"a folder is below {least:g} % of its lines or "
           "branches, or where something is not taken and has no reason. The edges that gcc adds",
           "to calls for exceptions are no branches of the source, and not counted; nor is what "
           "is marked \"gcc:\" below.", "",
           "| folder | lines | | branches | |", "| --- | --: | --: | --: | --: |"]
    for name, f in sorted(folders.items()):
        out.append(f"| {name} | {f.lines_taken}/{f.lines} | {percent(f.lines_taken, f.lines)} | "
                   f"{f.branches_taken}/{f.branches} | {percent(f.branches_taken, f.branches)} |")
    out += ["", "## What is not taken, and why", ""]
    for name, f in sorted(folders.items()):
        for gap in f.gaps:
            out.append(f"- `{gap.path}`: `{gap.text}`: {gap.what()}: "
                       f"{gap.reason or 'no reason given'}")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description="coverage of the protocols")
    parser.add_argument("--build", required=True)
    parser.add_argument("--root", default=".")
    parser.add_argument("--least", type=float, default=95.0)
    parser.add_argument("--markdown")
    given = parser.parse_args()
    root = os.path.realpath(given.root)

    files = measure(root, gcov_documents(given.build))
    if not files:
        fail("no file of protocols/ was counted")
    folders = sum_up(root, files)
    unasked = give_reasons(folders, read_reasons(root))
    problems = []
    for name, f in sorted(folders.items()):
        print(f"{name:<28} lines {f.lines_taken:>5}/{f.lines:<5} "
              f"{percent(f.lines_taken, f.lines):>7}   branches "
              f"{f.branches_taken:>5}/{f.branches:<5} {percent(f.branches_taken, f.branches):>7}")
        if f.line_percent() < given.least or f.branch_percent() < given.least:
            problems.append(f"{name} is below {given.least:g} %")
    for _, f in sorted(folders.items()):
        for gap in f.gaps:
            print(f"\n{gap.path}:{gap.number}: {gap.what()}\n    {gap.text}\n"
                  f"    {gap.reason or 'NO REASON GIVEN'}")
            if gap.reason is None:
                problems.append(f"{gap.path}:{gap.number} has no reason in {REASONS}; it would be "
                                f"this line:\n{gap.path} | {gap.text} | …")
    for path, text in unasked:
        problems.append(f"{REASONS} has a reason for '{text}' in {path}, which is taken or not "
                        "there")
    if given.markdown:
        with open(given.markdown, "w", encoding="utf-8") as file:
            file.write(markdown(folders, given.least))
    if problems:
        print("\ncoverage: " + "\ncoverage: ".join(problems), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
