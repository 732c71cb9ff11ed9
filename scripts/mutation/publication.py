"""The page that says what the suites noticed, and the data of each draw on it."""

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


def counts(mutants, key):
    """Mutants, and how many of them were killed, by area or kind."""
    groups = collections.defaultdict(lambda: [0, 0])
    for each in mutants:
        groups[key(each)][0] += 1
        groups[key(each)][1] += each["killed"]
    return dict(sorted(groups.items()))


def table(title, groups):
    lines = [f"| {title} | mutants | killed | share |", "|---|---|---|---|"]
    lines += [f"| {name} | {every} | {killed} | {share(killed, every)} |" for name, (every, killed) in groups.items()]
    every, killed = (sum(pair[at] for pair in groups.values()) for at in (0, 1))
    return lines + [f"| **all** | {every} | {killed} | **{share(killed, every)}** |"]


def sample_of(survivors):
    names = sorted(survivors)
    random.Random(SEED).shuffle(names)
    return names[:SAMPLE]


HEAD = """# What the suites notice

Mechanical mutants of the reference: every small change of eleven kinds (`scripts/mutation/mutations.py` lists them) that the text of a \
function offers is a candidate, and the candidates are drawn by a seed. No mutant is chosen, or left out, by what it means. A mutant is killed \
when a case that passes on the unchanged program fails on it, times out, or loses it; it runs on all cases that reach its function. A mutant \
that does not compile is no mutant, and one of a `.cpp` file whose object code is that of the original is not counted; nothing else is left \
out. The cases ran as `assay run` runs them, without `--perturb`.

Each draw shows the suites as they were when it was measured; what was written since is told by the verdict *mended*. The files beside this \
page (`results/power/`) have what a draw counted.
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


def draw_of(root, found, contracts, command):
    """What a draw has counted: kept as data, because the lines of its mutants hold only for the sources that were measured."""
    mutants, twins = found
    counted = [each for name, each in sorted(mutants.items()) if name not in twins]
    survivors = {each["name"]: each for each in counted if not each["killed"]}
    return {
        "command": command, "contracts": contracts, "twins": len(twins & set(mutants)),
        "areas": counts(counted, lambda each: area_of(each["file"])), "kinds": counts(counted, lambda each: each["kind"]),
        "unreached": sum(each["ran"] == 0 for each in survivors.values()),
        "survivors": {name: text_of(each, root) for name, each in survivors.items()},
    }


def page(root):
    draws = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((root / "results/power").glob("*.json"))]
    judged = judgements(root)
    lines = [HEAD, "| draw | mutants | killed | share | of those that commands can show |", "|---|---|---|---|---|"]
    for draw in draws:
        every, killed = total(draw)
        lines.append(f"| {', '.join(draw['areas'])} | {every} | {killed} | {share(killed, every)} | {share(killed, shown(draw, judged))} |")
    for draw in draws:
        lines += section(draw, judged)
    return "\n".join(lines) + "\n"


def total(draw):
    return tuple(sum(pair[at] for pair in draw["areas"].values()) for at in (0, 1))


def verdicts(draw, judged):
    sample = [name for name in sample_of(draw["survivors"]) if name in judged]
    return sample, collections.Counter(judged[name]["verdict"] for name in sample)


def shown(draw, judged):
    """How many of its mutants commands can show, if all survivors are as those that were judged."""
    sample, found = verdicts(draw, judged)
    holes = (found["hole"] + found["mended"]) * len(draw["survivors"]) / max(1, len(sample))
    return total(draw)[1] + holes


def section(draw, judged):
    every, killed = total(draw)
    lines = ["", f"## {', '.join(draw['areas'])}", "",
             f"`{draw['command']}` drew these mutants: run under {draw['contracts']}; {draw['twins']} of the same object code.", ""]
    lines += table("area", draw["areas"]) + [""] + table("kind", draw["kinds"])
    sample, found = verdicts(draw, judged)
    lines += ["", f"{draw['unreached']} of the {len(draw['survivors'])} survivors are in functions that no case reaches.", "",
              f"{len(sample)} of {len(draw['survivors'])} survivors, of the first {SAMPLE} as seed {SEED} orders them, are judged, each by reading "
              "the code, the clauses and the cases:", ""]
    lines += [f"- {verdict} ({VERDICTS[verdict]}): {found[verdict]}" for verdict in VERDICTS if found[verdict]]
    lines += ["", f"If the other survivors are as these, commands can show {shown(draw, judged):.0f} of the {every} mutants, and the cases "
              f"killed {share(killed, shown(draw, judged))} of these.", "", "| mutant | change | verdict | reason |", "|---|---|---|---|"]
    return lines + [f"| {name} | {draw['survivors'][name]} | {judged[name]['verdict']} | {judged[name]['reason']} |" for name in sample]


def judgements(root):
    path = root / "results/power/judged.toml"
    if not path.exists():
        return {}
    return {row["mutant"]: row for row in tomllib.loads(path.read_text(encoding="utf-8"))["judged"]}
