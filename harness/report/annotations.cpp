// Writes failures of a run as workflow commands, which GitHub shows next to the code.
#include <fmt/format.h>

#include "harness/report/record.hpp"
#include "harness/text/neutral.hpp"

namespace assay::report {
namespace {

/// GitHub shows at most this many errors per step.
constexpr std::size_t kMost = 10;

std::string error_at(const CaseRecord& test) {
  std::string message = test.sentence;
  if (!test.expected.empty()) message += "\nexpected " + test.expected + "\ngot " + test.got;
  if (!test.replay.empty()) message += "\n" + test.replay;
  return fmt::format("::error file={},line={},title={}::{}\n", for_annotation_property(test.file),
                     test.line, for_annotation_property(test.outcome + " " + test.id),
                     for_annotation(message));
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
      text += "::warning title=waivers::" + for_annotation(finding) + "\n";
    }
  }
  if (run.exit_code == 0 || count > 0) {
    if (run.verdict == "INCOMPLETE")
      text += "::warning title=INCOMPLETE::" + for_annotation(run.line) + "\n";
  } else {
    text += fmt::format("::error title={}::{}\n", for_annotation_property(run.verdict),
                        for_annotation(run.line));
  }
  if (count > kMost) text += fmt::format("::notice::{} more cases went wrong\n", count - kMost);
  return text;
}

}  // namespace assay::report
