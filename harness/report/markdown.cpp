// The record of a run as Markdown, for the summary page of a CI step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "harness/protocol/utf8.hpp"
#include "harness/report/record.hpp"

namespace assay::report {
namespace {

/// CI pages cut long files; the JSON has the rest.
constexpr std::size_t kMostCases = 50;
constexpr std::array kOutcomeColumns{"pass",   "fail",  "crash",       "timeout",
                                     "waived", "flaky", "unsupported", "internal"};

/// Text inside a table or a line: nothing in it is read as markup, and all of it is UTF-8.
std::string plain(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '\n' || c == '\r') {
      safe += ' ';
    } else if (c == '<') {
      safe += "&lt;";
    } else {
      if (std::string_view("\\`*_[]|#").find(c) != std::string_view::npos) safe += '\\';
      safe += c;
    }
  }
  return safe;
}

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
    text += fmt::format("| {} |", plain(area));
    for (const char* outcome : kOutcomeColumns) {
      text += counts[outcome] == 0 ? " |" : fmt::format(" {} |", counts[outcome]);
    }
    text += "\n";
  }
  return text + "\n";
}

std::string bad_case(const CaseRecord& test) {
  std::string text = fmt::format("- **{}** {} ({}): {}\n", test.outcome, plain(test.id),
                                 test.contract, plain(cut(test.sentence, 400)));
  if (!test.expected.empty()) {
    text += fmt::format("  - expected {}, got {}\n", plain(cut(test.expected, 200)),
                        plain(cut(test.got, 200)));
  }
  if (!test.replay.empty()) text += fmt::format("  - `{}`\n", test.replay);
  return text;
}

std::string bad_cases(const SubjectRecord& subject) {
  std::string text;
  std::size_t count = 0;
  for (const CaseRecord& test : subject.cases) {
    if (spoils(test) && ++count <= kMostCases) text += bad_case(test);
  }
  if (count > kMostCases) text += fmt::format("- and {} more\n", count - kMostCases);
  return text.empty() ? "" : "**What went wrong**\n\n" + text + "\n";
}

std::string unanswered(const SubjectRecord& subject) {
  std::string text;
  std::size_t count = 0;
  for (const auto& [command, cases] : subject.unanswered) {
    if (++count <= kMostCases) text += fmt::format("- {} ({})\n", plain(command), cases);
  }
  if (count > kMostCases) text += fmt::format("- and {} more\n", count - kMostCases);
  return text.empty() ? "" : "**Not answered, and not excused** (cases)\n\n" + text + "\n";
}

std::string about_support(const SubjectRecord& subject) {
  std::string text;
  for (const std::string& finding : subject.support_findings) text += "- " + plain(finding) + "\n";
  return text.empty() ? "" : "**About the support files**\n\n" + text + "\n";
}

std::string waivers(const SubjectRecord& subject) {
  std::string text;
  for (const CaseRecord& test : subject.cases) {
    if (test.outcome != "waived") continue;
    text += fmt::format("- {} ({}): {}\n", plain(test.id), test.contract, plain(test.excuse));
  }
  if (!text.empty()) text = "**Waived**\n\n" + text + "\n";
  if (subject.waiver_findings.empty()) return text;
  text += "**About the waivers**\n\n";
  for (const std::string& finding : subject.waiver_findings) text += "- " + plain(finding) + "\n";
  return text + "\n";
}

}  // namespace

bool spoils(const CaseRecord& test) {
  if (test.outcome == "unsupported") return test.required && !test.excused;
  return test.outcome != "pass" && test.outcome != "waived";
}

std::string to_markdown(const RunRecord& run) {
  std::string text = fmt::format("# {}\n\n", plain(run.line));
  for (const SubjectRecord& subject : run.subjects) {
    text += fmt::format("## {}\n\n{} {}; {}\n\n", plain(subject.subject), plain(subject.name),
                        plain(subject.version), plain(subject.line));
    text += area_table(subject) + bad_cases(subject) + unanswered(subject) + waivers(subject) +
            about_support(subject);
  }
  const Environment& machine = run.environment;
  text += fmt::format("assay {} ({}{}) on {}, {} cores; {}\n", machine.version, machine.revision,
                      machine.dirty ? ", with changes" : "", plain(machine.cpu), machine.cores,
                      run.started);
  return text;
}

}  // namespace assay::report
