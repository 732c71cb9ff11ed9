"""The page that says what the suites noticed."""

import collections
import json
import random
import tomllib

SAMPLE, SEED = 200, 43
VERDICTS = {
    "equivalent": "no command can tell it from the original",
    "allowed": "the clause that is named allows what it does",
    "unseen": "no command shows what it changes",
    "hole": "commands show it, and no case looks",
    "mended": "a hole when this was measured; the case that is named was written then and kills it",
    "elsewhere": "a case kills it under another contract than the one that was run",
}


def area_of(path):
    return "/".join(path.split("/")[:2])


def measured(build, name):
    """All mutants that were run, each with whether it was killed, and the names of the survivors that compile to the same code."""
    mutants, twins = {}, set()
    for folder in sorted((build / "programs").glob(name + "-*")):
        if not (folder / "kills.json").exists():
            continue
        rows = {row["fault"]: row for row in json.loads((folder / "kills.json").read_text(encoding="utf-8"))["faults"]}
        for line in (folder / "mutants.jsonl").read_text(encoding="utf-8").splitlines():
            each = json.loads(line)
            if row := rows.get(each["name"]):
                mutants[each["name"]] = each | {"killed": not row["survived"], "lost": bool(row["lost"]), "ran": row["ran"]}
        if (folder / "twins.txt").exists():
            twins.update((folder / "twins.txt").read_text(encoding="utf-8").split())
    return mutants, twins


def share(killed, counted):
    return f"{100 * killed / counted:.1f} %" if counted else "–"


def table(title, mutants, key):
    groups = collections.defaultdict(list)
    for each in mutants:
        groups[key(each)].append(each)
    lines = [f"| {title} | mutants | killed | share |", "|---|---|---|---|"]
    for name in sorted(groups):
        killed = sum(each["killed"] for each in groups[name])
        lines.append(f"| {name} | {len(groups[name])} | {killed} | {share(killed, len(groups[name]))} |")
    killed = sum(each["killed"] for each in mutants)
    return lines + [f"| **all** | {len(mutants)} | {killed} | **{share(killed, len(mutants))}** |"]


def sample_of(survivors):
    names = sorted(each["name"] for each in survivors)
    random.Random(SEED).shuffle(names)
    return names[:SAMPLE]


HEAD = """# What the suites notice

Mechanical mutants of the reference: every small change of eleven kinds (`scripts/mutation/mutations.py` lists them) that the text of a \
function offers is a candidate, and the candidates are drawn by a seed. No mutant is chosen, or left out, by what it means. A mutant is killed \
when a case that passes on the unchanged program fails on it, times out, or loses it; it runs on all cases that reach its function, under \
{contracts}. A mutant that does not compile is no mutant, and one of a `.cpp` file whose object code is that of the original \
({twins} of them) is not counted; nothing else is left out. The cases ran as `assay run` runs them, without `--perturb`.

`{command}` draws the same mutants and measures again.
"""


def text_of(each, root):
    """The change in a line."""
    source = (root / each["file"]).read_text(encoding="utf-8")
    was = " ".join(source[each["start"]:each["end"]].split())
    becomes = " ".join(each["text"].split())
    if each["kind"] == "return":
        was, becomes = "", f"{becomes} before `{' '.join(source[each['start']:].split())[:60]}`"
        return becomes
    if each["kind"] == "once":
        return f"ends after one round: {shortened(was)}"
    return f"{shortened(was)} → {shortened(becomes) if becomes != ';' else 'nothing'}"


def shortened(text):
    text = text if len(text) <= 100 else text[:97] + "..."
    return f"`{text}`".replace("|", "\\|") if text else "nothing"


def page(root, found, contracts, command):
    mutants, twins = found
    counted = [each for name, each in sorted(mutants.items()) if name not in twins]
    survivors = [each for each in counted if not each["killed"]]
    lines = [HEAD.format(contracts=contracts, twins=len(twins & set(mutants)), command=command)]
    lines += table("area", counted, lambda each: area_of(each["file"])) + [""]
    lines += table("kind", counted, lambda each: each["kind"]) + [""]
    unreached = sum(each["ran"] == 0 for each in survivors)
    lines.append(f"{unreached} of the {len(survivors)} survivors are in functions that no case reaches.")
    judged = judgements(root)
    sample = sample_of(survivors)
    by_name = {each["name"]: each for each in survivors}
    of_sample = [name for name in sample if name in judged]
    counts = collections.Counter(judged[name]["verdict"] for name in of_sample)
    lines += ["", "## A sample of the survivors, judged", "",
              f"{len(of_sample)} of {len(survivors)} survivors, the first as seed {SEED} orders them, each judged by reading the code, the clauses and the cases:", ""]
    lines += [f"- {verdict} ({VERDICTS[verdict]}): {counts[verdict]}" for verdict in VERDICTS if counts[verdict]]
    seen = sum(each["killed"] for each in counted)
    holes = (counts["hole"] + counts["mended"]) * len(survivors) / max(1, len(of_sample))
    lines += ["", f"If the other survivors are as the sample, commands can show {seen + holes:.0f} of the {len(counted)} mutants, and the cases "
              f"killed {share(seen, seen + holes)} of these."]
    lines += ["", "| mutant | change | verdict | reason |", "|---|---|---|---|"]
    lines += [f"| {name} | {text_of(by_name[name], root)} | {judged[name]['verdict']} | {judged[name]['reason']} |" for name in of_sample]
    return "\n".join(lines) + "\n"


def judgements(root):
    path = root / "results/power/judged.toml"
    if not path.exists():
        return {}
    return {row["mutant"]: row for row in tomllib.loads(path.read_text(encoding="utf-8"))["judged"]}
