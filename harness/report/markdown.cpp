// Writes the record of a run as Markdown, for the summary page of a CI step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "harness/report/record.hpp"
#include "harness/text/neutral.hpp"
#include "harness/text/reach.hpp"

namespace assay::report {
namespace {

/// CI pages truncate long files; the JSON is complete.
constexpr std::size_t kMostCases = 50;
constexpr std::array kOutcomeColumns{"pass",   "fail",  "crash",       "timeout",
                                     "waived", "flaky", "unsupported", "internal"};

std::string cut(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (text[end] & 0xc0) == 0x80) --end;
  return text.substr(0, end) + " …";
}

std::string area_table(const SubjectRecord& subject) {
  std::map<std::string, std::map<std::string, std::size_t>> areas;
  for (const CaseRecord& test : subject.cases) {
    ++areas[test.id.substr(0, test.id.find('/'))][test.outcome];
  }
  if (areas.empty()) return "";
  std::string head = "| area |", rule = "|---|";
  for (const char* outcome : kOutcomeColumns) {
    head += fmt::format(" {} |", outcome);
    rule += "--:|";
  }
  std::string text = head + "\n" + rule + "\n";
  for (auto& [area, counts] : areas) {
    text += fmt::format("| {} |", for_markdown(area));
    for (const char* outcome : kOutcomeColumns) {
      text += counts[outcome] == 0 ? " |" : fmt::format(" {} |", counts[outcome]);
    }
    text += "\n";
  }
  return text + "\n";
}

std::string bad_case(const CaseRecord& test) {
  std::string text =
      fmt::format("- **{}** {} ({}): {}\n", test.outcome, for_markdown(test.id),
                  for_markdown(test.contract), for_markdown(cut(test.sentence, 400)));
  if (!test.expected.empty()) {
    text += fmt::format("  - expected {}, got {}\n", for_markdown(cut(test.expected, 200)),
                        for_markdown(cut(test.got, 200)));
  }
  if (!test.replay.empty()) text += fmt::format("  - {}\n", markdown_code(test.replay));
  if (test.shortest.empty()) return text;
  text += "  - a short program that shows it:\n";
  std::istringstream lines(test.shortest);
  for (std::string line; std::getline(lines, line);) {
    for (std::size_t at = 0; (at = line.find('@', at)) != std::string::npos;) {
      line.replace(at, 1, "\\x40");  // mentions nobody
    }
    text += fmt::format("    - {}\n", markdown_code(line));
  }
  return text;
}

std::string causes(const SubjectRecord& subject) {
  std::string text;
  for (const CauseRecord& cause : subject.causes) {
    text += fmt::format("- {} ({}; {} cases, {} of them with the same wrong value or error)\n",
                        for_markdown(in_words(cause)), for_markdown(cause.clause),
                        cause.cases.size(), cause.exact.size());
  }
  return text.empty() ? "" : "**It fails as if**\n\n" + text + "\n";
}

Reach reach_of(const CaseRecord& test) { return reach_or_training(test.reach); }

/// What a training meets first, with heads if some are met otherwise.
std::string bad_cases(const SubjectRecord& subject) {
  std::vector<const CaseRecord*> bad;
  for (const CaseRecord& test : subject.cases) {
    if (spoils(test)) bad.push_back(&test);
  }
  std::ranges::stable_sort(bad, {}, [](const CaseRecord* test) { return reach_of(*test); });
  const bool has_heads = !bad.empty() && reach_of(*bad.front()) != reach_of(*bad.back());
  std::optional<Reach> head;
  std::string text;
  std::size_t count = 0;
  for (const CaseRecord* test : bad) {
    if (++count > kMostCases) continue;
    const Reach reach = reach_of(*test);
    if (has_heads && head != reach) {
      text += fmt::format("{}**Cases {}**\n\n", head ? "\n" : "", in_words(reach));
    }
    head = reach;
    text += bad_case(*test);
  }
  if (count > kMostCases) text += fmt::format("- and {} more\n", count - kMostCases);
  return text.empty() ? "" : "**What went wrong**\n\n" + text + "\n";
}

std::string mistakes(const SubjectRecord& subject) {
  std::string text;
  std::set<std::string> told;
  for (const CaseRecord& test : subject.cases) {
    if (test.mistake.empty() || !told.insert(test.mistake).second) continue;
    text += fmt::format("- {}: {} ({})\n",
                        for_markdown(test.clauses.empty() ? "" : test.clauses.front()),
                        for_markdown(test.mistake), for_markdown(test.id));
  }
  return text.empty()
             ? ""
             : "**Mistakes of PyTorch that it has, and what they can do to a training**\n\n" +
                   text + "\n";
}

std::string unanswered(const SubjectRecord& subject) {
  std::string text;
  std::size_t count = 0;
  for (const auto& [command, cases] : subject.unanswered) {
    if (++count <= kMostCases) text += fmt::format("- {} ({})\n", for_markdown(command), cases);
  }
  if (count > kMostCases) text += fmt::format("- and {} more\n", count - kMostCases);
  return text.empty() ? "" : "**Not answered, and not excused** (cases)\n\n" + text + "\n";
}

std::string about_support(const SubjectRecord& subject) {
  std::string text;
  for (const std::string& finding : subject.support_findings)
    text += "- " + for_markdown(finding) + "\n";
  return text.empty() ? "" : "**About the support files**\n\n" + text + "\n";
}

std::string about_its_end(const SubjectRecord& subject) {
  std::string text;
  if (!subject.last_words.empty()) {
    text += "**Last words**\n\n" + markdown_code(subject.last_words) + "\n\n";
  }
  for (const std::string& remark : subject.remarks) text += "- " + for_markdown(remark) + "\n";
  return text;
}

std::string waivers(const SubjectRecord& subject) {
  std::string text;
  for (const CaseRecord& test : subject.cases) {
    if (test.outcome != "waived") continue;
    text += fmt::format("- {} ({}): {}\n", for_markdown(test.id), for_markdown(test.contract),
                        for_markdown(test.excuse));
  }
  if (!text.empty()) text = "**Waived**\n\n" + text + "\n";
  if (subject.waiver_findings.empty()) return text;
  text += "**About the waivers**\n\n";
  for (const std::string& finding : subject.waiver_findings)
    text += "- " + for_markdown(finding) + "\n";
  return text + "\n";
}

}  // namespace

std::string in_words(const CauseRecord& cause) {
  constexpr std::size_t kMostOthers = 2;
  std::string text = (cause.perhaps ? "perhaps: " : "") + cause.sentence;
  for (std::size_t i = 0; i < std::min(kMostOthers, cause.others.size()); ++i) {
    text += " or: " + cause.others[i];
  }
  return text;
}

bool spoils(const CaseRecord& test) {
  if (test.outcome == "unsupported") return test.required && !test.excused;
  return test.outcome != "pass" && test.outcome != "waived";
}

std::string to_markdown(const RunRecord& run) {
  std::string text = fmt::format("# {}\n\n", for_markdown(run.line));
  for (const SubjectRecord& subject : run.subjects) {
    text += fmt::format("## {}\n\n{} {}; {}\n\n", for_markdown(subject.subject),
                        for_markdown(subject.name), for_markdown(subject.version),
                        for_markdown(subject.line));
    text += area_table(subject) + causes(subject) + bad_cases(subject) + mistakes(subject) +
            unanswered(subject) + waivers(subject) + about_support(subject) +
            about_its_end(subject);
  }
  const Environment& machine = run.environment;
  text += fmt::format("assay {} ({}{}) on {}, {} cores; {}\n", for_markdown(machine.version),
                      for_markdown(machine.revision), machine.dirty ? ", with changes" : "",
                      for_markdown(machine.cpu), machine.cores, run.started);
  return text;
}

}  // namespace assay::report
