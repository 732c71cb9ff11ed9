// Writes the record of a run for CI systems: as JUnit XML, and as workflow commands, by which
// GitHub shows failures next to the code.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/report/record.hpp"
#include "harness/text/neutral.hpp"

namespace assay::report {

// JUnit XML.

namespace {

/// What XML forbids, and marks that would show a text in another order than it is written in.
constexpr const char* kForbidden[] = {
    "\xef\xbf\xbe", "\xef\xbf\xbf", "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xaa",
    "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad", "\xe2\x80\xae", "\xe2\x81\xa6",
    "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9"};

/// Replaces invalid UTF-8 and the forbidden characters, of three bytes each, by replacement
/// characters.
std::string mended(const std::string& text) {
  using Json = nlohmann::json;
  std::string whole = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
  for (const char* forbidden : kForbidden) {
    for (std::size_t at = 0; (at = whole.find(forbidden, at)) != std::string::npos;) {
      whole.replace(at, 3, "\xef\xbf\xbd");
    }
  }
  return whole;
}

/// XML 1.0 cannot represent most control characters: they become `?`.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : mended(text)) {
    const auto code = static_cast<unsigned char>(c);
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\n':
        safe += "&#10;";
        break;
      case '#':  // a CI system that shows the file would obey `##[…]`
        safe += "&#35;";
        break;
      default:
        safe += code < 0x20 || code == 0x7f ? '?' : c;
    }
  }
  return safe;
}

enum class Kind { kPassed, kFailure, kError, kSkipped };

Kind kind_of(const CaseRecord& test) {
  if (test.outcome == "pass") return Kind::kPassed;
  if (test.outcome == "waived") return Kind::kSkipped;
  if (test.outcome == "unsupported") return spoils(test) ? Kind::kFailure : Kind::kSkipped;
  return test.outcome == "fail" || test.outcome == "flaky" ? Kind::kFailure : Kind::kError;
}

std::string details_of(const CaseRecord& test) {
  std::string text = test.sentence + "\n";
  if (!test.where.empty()) text += "where    " + test.where + "\n";
  if (!test.expected.empty()) text += "expected " + test.expected + "\n";
  if (!test.got.empty()) text += "got      " + test.got + "\n";
  if (!test.last_words.empty()) text += test.last_words + "\n";
  if (!test.shortest.empty()) text += "a short program that shows it:\n" + test.shortest + "\n";
  for (const auto& [command, reply] : test.program) text += "> " + command + "\n< " + reply + "\n";
  return text + test.replay + "\n";
}

std::string why_skipped(const CaseRecord& test) {
  return (test.excuse.empty() ? "not answered" : test.excuse) + ": " + test.sentence;
}

std::string outcome_of(const CaseRecord& test) {
  switch (kind_of(test)) {
    case Kind::kFailure:
      return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", test.outcome,
                         escaped(test.sentence), escaped(details_of(test)));
    case Kind::kError:
      return fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n", test.outcome,
                         escaped(test.sentence), escaped(details_of(test)));
    case Kind::kSkipped:
      return fmt::format("      <skipped type=\"{}\" message=\"{}\"/>\n", test.outcome,
                         escaped(why_skipped(test)));
    case Kind::kPassed:
      break;
  }
  return "";
}

std::string property(const char* name, const std::string& value) {
  return fmt::format("        <property name=\"{}\" value=\"{}\"/>\n", name, escaped(value));
}

std::string testcase(const SubjectRecord& subject, const CaseRecord& test) {
  const std::size_t slash = test.id.rfind('/');
  std::string properties = property("contract", test.contract);
  for (const std::string& clause : test.clauses) properties += property("clause", clause);
  if (!test.reach.empty()) properties += property("reach", test.reach);
  for (const CauseRecord& cause : subject.causes) {
    const bool is_it = spoils(test) && std::ranges::count(cause.cases, test.id) > 0;
    if (is_it) properties += property("cause", in_words(cause));
  }
  return fmt::format(
      "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" time=\"{:.6f}\">\n"
      "      <properties>\n{}      </properties>\n{}    </testcase>\n",
      escaped(subject.subject + "." + test.id.substr(0, slash)),
      escaped(test.id.substr(slash + 1) + " [" + test.contract + "]"), escaped(test.file),
      test.seconds, properties, outcome_of(test));
}

struct Totals {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const CaseRecord& test) {
    ++tests;
    seconds += test.seconds;
    const Kind kind = assay::report::kind_of(test);
    failures += kind == Kind::kFailure ? 1 : 0;
    errors += kind == Kind::kError ? 1 : 0;
    skipped += kind == Kind::kSkipped ? 1 : 0;
  }
  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.6f}\"",
                       tests, failures, errors, skipped, seconds);
  }
};

/// A case that explains a negative verdict if no other does: the run ended early, nothing ran, or
/// too little was answered.
std::optional<CaseRecord> verdict_as_case(const SubjectRecord& subject) {
  constexpr int kFailure = 1, kInternalError = 3;
  const bool is_told =
      subject.exit_code == 0 ||
      (subject.exit_code == kFailure && subject.lost.empty() &&
       std::ranges::any_of(subject.cases, spoils)) ||
      (subject.exit_code == kInternalError && subject.outcomes.contains("internal"));
  if (is_told) return std::nullopt;
  CaseRecord verdict;
  verdict.id = "run/verdict";
  verdict.outcome = subject.verdict;
  verdict.sentence = subject.line;
  verdict.last_words = subject.last_words;
  return verdict;
}

std::string suites_of(const RunRecord& run, const SubjectRecord& subject, Totals& all) {
  std::map<std::string, std::pair<Totals, std::string>> areas;
  const auto add = [&](const CaseRecord& test) {
    auto& [totals, text] = areas[test.id.substr(0, test.id.find('/'))];
    totals.add(test);
    all.add(test);
    text += testcase(subject, test);
  };
  for (const CaseRecord& test : subject.cases) add(test);
  if (const auto verdict = verdict_as_case(subject)) add(*verdict);
  std::string text;
  for (const auto& [area, suite] : areas) {
    text += fmt::format(
        "  <testsuite name=\"{}\" hostname=\"{}\" timestamp=\"{}\" {}>\n{}"
        "  </testsuite>\n",
        escaped(subject.subject + " " + area), escaped(run.environment.host), run.started,
        suite.first.attributes(), suite.second);
  }
  return text;
}

/// The verdict if it belongs to no subject: there was none, or not all were started.
SubjectRecord verdict_over_all(const RunRecord& run) {
  SubjectRecord over;
  over.subject = "assay run";
  const bool is_told = std::ranges::any_of(
      run.subjects, [](const SubjectRecord& subject) { return subject.exit_code != 0; });
  over.exit_code = is_told ? 0 : run.exit_code;
  over.verdict = run.verdict;
  over.line = run.line;
  return over;
}

}  // namespace

std::string to_junit(const RunRecord& run) {
  Totals all;
  std::string suites;
  for (const SubjectRecord& subject : run.subjects) suites += suites_of(run, subject, all);
  suites += suites_of(run, verdict_over_all(run), all);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\" {}>\n"
      "{}</testsuites>\n",
      all.attributes(), suites);
}

// Workflow commands.

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
