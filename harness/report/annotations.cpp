// What went wrong in a run as workflow commands, which GitHub shows beside the code.
#include <fmt/format.h>

#include "harness/report/record.hpp"

namespace assay::report {
namespace {

/// GitHub shows so many errors a step.
constexpr std::size_t kMost = 10;

std::string escaped(const std::string& text, bool is_property) {
  std::string safe;
  for (const char c : text) {
    const bool special = c == '%' || c == '\n' || c == '\r';
    if (special || (is_property && (c == ':' || c == ','))) {
      safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string error_at(const CaseRecord& test) {
  std::string message = test.sentence;
  if (!test.expected.empty()) message += "\nexpected " + test.expected + "\ngot " + test.got;
  if (!test.replay.empty()) message += "\n" + test.replay;
  return fmt::format("::error file={},line={},title={}::{}\n", escaped(test.file, true), test.line,
                     escaped(test.outcome + " " + test.id, true), escaped(message, false));
}

}  // namespace

std::string to_annotations(const RunRecord& run) {
  std::string text;
  std::size_t count = 0;
  for (const SubjectRecord& subject : run.subjects) {
    for (const CaseRecord& test : subject.cases) {
      if (spoils(test) && ++count <= kMost) text += error_at(test);
    }
    for (const std::string& finding : subject.waiver_findings) {
      text += "::warning title=waivers::" + escaped(finding, false) + "\n";
    }
  }
  if (run.exit_code == 0 || count > 0) {
    if (run.verdict == "INCOMPLETE")
      text += "::warning title=INCOMPLETE::" + escaped(run.line, false) + "\n";
  } else {
    text +=
        fmt::format("::error title={}::{}\n", escaped(run.verdict, true), escaped(run.line, false));
  }
  if (count > kMost) text += fmt::format("::notice::{} more cases went wrong\n", count - kMost);
  return text;
}

}  // namespace assay::report
