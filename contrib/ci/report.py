#!/usr/bin/env python3
"""Writes what `git plan-audit verify --format json` said as a summary, annotations and a JUnit file.

report.py SAID.json JUNIT.xml

The summary goes to the file that GITHUB_STEP_SUMMARY names (GitHub, Forgejo, Gitea), else to standard output.
Annotations are written where GITHUB_ACTIONS is set.
"""

import json
import os
import re
import sys
from xml.sax.saxutils import escape, quoteattr

# GitHub drops a summary that is larger than 1 MiB, and shows ten annotations of a kind.
SUMMARY_BYTES = 900_000
ANNOTATIONS = 9
TEXT_LETTERS = 64_000
# What XML 1.0 cannot hold.
NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def plain(text):
    """Returns a text that any of the formats can hold."""
    return NOT_XML.sub("\ufffd", str(text))[:TEXT_LETTERS]


def lines_of(finding):
    """Returns a finding as lines: what it says, and the way out."""
    said = f"{finding['code']}: {finding['message']}"
    return [said] + ([f"hint: {finding['hint']}"] if "hint" in finding else [])


def cell(text):
    """Returns a text that stays within its cell of a Markdown table, and is no markup."""
    text = plain(text).replace("\n", " ").replace("|", "\\|")
    return text.replace("<", "&lt;").replace("`", "'").replace("[", "\\[")


def summary(said):
    rows = [f"## git plan-audit: {said['outcome']}", ""]
    commits = said.get("commits", [])
    if commits:
        rows += ["| commit | plan | outcome |", "|---|---|---|"]
    for commit in commits:
        name = commit["commit"][:12]
        plans = commit.get("plans", {}) or {"": {"outcome": commit["outcome"]}}
        rows += [f"| {name} | {cell(plan)} | {cell(one['outcome'])} |" for plan, one in plans.items()]
    loud = [each for each in said["findings"] if each["severity"] != "info"]
    if loud:
        rows += ["", "| finding | | hint |", "|---|---|---|"]
        rows += [
            f"| {cell(each['code'])} | {cell(each['message'])} | {cell(each.get('hint', ''))} |" for each in loud
        ]
    text = "\n".join(rows) + "\n"
    return text.encode()[:SUMMARY_BYTES].decode(errors="ignore")


def annotations(said):
    def data(text):
        return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    order = {"error": 0, "warning": 1}
    loud = sorted((each for each in said["findings"] if each["severity"] in order), key=lambda each: order[each["severity"]])
    for each in loud[:ANNOTATIONS]:
        title = data(f"plan-audit {each['code']}").replace(":", "%3A").replace(",", "%2C")
        print(f"::{each['severity']} title={title}::{data(chr(10).join(lines_of(each)))}")
    if len(loud) > ANNOTATIONS:
        print(f"::notice title=plan-audit::and {len(loud) - ANNOTATIONS} more findings in the summary")


def case(group, name, outcome, findings):
    """Writes one test case: FAIL is a failure, UNKNOWN an error, NO_PLAN is skipped."""
    body = plain("\n".join(line for each in findings for line in lines_of(each)))
    head = f"  <testcase classname={quoteattr(plain(group))} name={quoteattr(plain(name))} time=\"0\""
    element = {"FAIL": "failure", "UNKNOWN": "error", "REFUSED": "error"}.get(outcome)
    if element:
        return f"{head}><{element} message={quoteattr(outcome)} type={quoteattr(outcome)}>{escape(body)}</{element}></testcase>"
    if outcome == "NO_PLAN":
        return f"{head}><skipped/></testcase>"
    return f"{head}/>"


def junit(said):
    errors = [each for each in said["findings"] if each["severity"] == "error"]
    cases = []
    for commit in said.get("commits", []):
        for plan, one in commit.get("plans", {}).items():
            own = [each for each in errors if each.get("plan") == plan]
            cases.append((f"plan-audit.{plan}", f"{commit['commit'][:12]} {plan}", one["outcome"], own))
    whole = [each for each in errors if "plan" not in each]
    cases.append(("plan-audit", "judgement", said["outcome"], whole))
    count = [outcome for _, _, outcome, _ in cases]
    numbers = (
        f'tests="{len(cases)}" failures="{count.count("FAIL")}" '
        f'errors="{count.count("UNKNOWN") + count.count("REFUSED")}" skipped="{count.count("NO_PLAN")}" time="0"'
    )
    rows = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites name="git plan-audit" {numbers}>']
    rows += [f' <testsuite name="git plan-audit" {numbers}>']
    rows += [case(*each) for each in cases]
    return "\n".join(rows + [" </testsuite>", "</testsuites>"]) + "\n"


def main(source, target):
    with open(source, encoding="utf-8") as file:
        said = json.load(file)
    with open(target, "w", encoding="utf-8") as file:
        file.write(junit(said))
    place = os.environ.get("GITHUB_STEP_SUMMARY")
    if place:
        with open(place, "a", encoding="utf-8") as file:
            file.write(summary(said))
    else:
        sys.stdout.write(summary(said))
    if os.environ.get("GITHUB_ACTIONS"):
        annotations(said)


if __name__ == "__main__":
    main(*sys.argv[1:])
