// Formats the causes of failures.
#include "harness/show/causes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <sstream>

#include "harness/suite/card/card.hpp"
#include "harness/suite/faults.hpp"
#include "harness/text/neutral.hpp"
#include "harness/text/width.hpp"

namespace assay {
namespace {

constexpr std::size_t kIndent = 7;
constexpr std::size_t kMostSentences = 3;
constexpr std::size_t kMostUnexplained = 8;

std::string failures(std::size_t count) {
  return fmt::format("{} failure{}", count, count == 1 ? "" : "s");
}

/// How much a cause explains, and how well.
std::string weight_of(const Cause& cause) {
  const std::size_t explained = cause.explained.size();
  const std::size_t exact = cause.exact.size();
  const std::string share = exact == explained ? "" : fmt::format(", {} of them", exact);
  return fmt::format("{}{}{} at the same step with the same wrong value or error",
                     cause.is_guess ? "perhaps: " : "", failures(explained), share);
}

const CaseResult& result_of(const std::string& id, const std::vector<CaseResult>& results) {
  return *std::ranges::find_if(
      results, [&](const CaseResult& result) { return result.test->id == id && result.spoils(); });
}

/// The short program of the case, if there is one.
std::string program_of(const CaseResult& result, std::size_t columns) {
  constexpr std::size_t kInside = kIndent + 2;
  std::string text;
  std::istringstream lines(result.shortest);
  for (std::string line; std::getline(lines, line);) {
    line = one_line(line);
    text += kInside + columns_of(line) > columns ? wrapped(line, kInside, columns, 4)
                                                 : fmt::format("{:{}}{}\n", "", kInside, line);
  }
  return text;
}

std::string in_words(const Cause& cause, const std::vector<CaseResult>& results,
                     const FailureListOptions& options) {
  const auto paragraph = [&](const std::string& text) {
    return wrapped(text, kIndent, options.columns, 6);
  };
  const Fault& fault = *find_fault(cause.faults.front());
  std::string text = paragraph(fault.what);
  for (std::size_t i = 1; i < std::min(kMostSentences, cause.faults.size()); ++i) {
    text += paragraph("or: " + find_fault(cause.faults[i])->what);
  }
  if (cause.reach != Reach::kTraining) {
    text += paragraph(fmt::format("shown by cases {}", in_words(cause.reach)));
  }
  text += paragraph(fmt::format("{}; {}; `explain {}` shows the mistake", fault.clauses.front(),
                                weight_of(cause), fault.name));
  const CaseResult& shortest = result_of(cause.exact.front(), results);
  return text + fmt::format("{:{}}{}\n", "", kIndent, one_line(options.replay_of(shortest))) +
         program_of(shortest, options.columns);
}

/// Guesses do not count.
std::string head_of(const Diagnosis& diagnosis) {
  if (diagnosis.causes.empty()) return "no cause was recognised: it fails like no planted fault\n";
  std::size_t causes = 0;
  std::size_t exact = 0;
  std::size_t more = 0;
  for (const Cause& cause : diagnosis.causes) {
    if (cause.is_guess) continue;
    ++causes;
    exact += cause.exact.size();
    more += cause.explained.size() - cause.exact.size();
  }
  if (causes == 0) return "no cause is certain: perhaps this subject fails as if\n";
  const bool is_one = causes == 1;
  return fmt::format("{} cause{} explain{} {} of {} failures{}: this subject fails as if\n", causes,
                     is_one ? "" : "s", is_one ? "s" : "", exact, diagnosis.failures,
                     more == 0 ? "" : fmt::format(", and perhaps {} more", more));
}

/// The short programs of failures that no cause explains.
std::string programs_of_unexplained(const Diagnosis& diagnosis,
                                    const std::vector<CaseResult>& results, std::size_t columns) {
  std::string text;
  for (const std::string& id : diagnosis.unexplained) {
    const std::string program = program_of(result_of(id, results), columns);
    if (!program.empty()) text += wrapped(one_line(id), kIndent, columns, 3) + program;
  }
  return text.empty() ? "" : "    shortest programs that show them\n" + text;
}

std::string unexplained(const Diagnosis& diagnosis, const FailureListOptions& options) {
  const std::size_t count = diagnosis.unexplained.size();
  if (count == 0 || diagnosis.causes.empty()) return "";
  const std::size_t named = std::min(kMostUnexplained, count);
  std::string text = fmt::format("unexplained: {}",
                                 fmt::join(std::span(diagnosis.unexplained).first(named), ", "));
  if (named < count) text += fmt::format(", and {} more", count - named);
  return wrapped(text, 4, options.columns, 10);
}

}  // namespace

std::string cause_list(const Diagnosis& diagnosis, const std::vector<CaseResult>& results,
                       const FailureListOptions& options) {
  if (diagnosis.failures == 1) {
    const std::string program =
        program_of(*std::ranges::find_if(results, &CaseResult::spoils), options.columns);
    return program.empty() ? "" : "a short program that shows the failure\n" + program;
  }
  if (diagnosis.failures == 0) return "";
  std::string text = head_of(diagnosis);
  for (std::size_t i = 0; i < diagnosis.causes.size(); ++i) {
    std::string words = in_words(diagnosis.causes[i], results, options);
    words.replace(0, kIndent, fmt::format("{:>4}.  ", i + 1));
    text += words;
  }
  return text + unexplained(diagnosis, options) +
         programs_of_unexplained(diagnosis, results, options.columns);
}

}  // namespace assay
