// Shortens the programs of failed cases.
#include "harness/run/shorten.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "harness/program/differential.hpp"
#include "harness/program/python/script.hpp"
#include "harness/program/shrink.hpp"
#include "harness/protocol/json.hpp"
#include "harness/subject/process/time_limit.hpp"
#include "harness/suite/runner/hello.hpp"
#include "harness/text/neutral.hpp"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostUnexplained = 3;
/// A person reads them, so longer programs are not shown.
constexpr std::ptrdiff_t kMostLines = 16;
constexpr std::size_t kMostBytes = 4000;

CaseResult* result_of(const std::string& id, SubjectRun& run) {
  const auto found = std::ranges::find_if(run.results, [&](const CaseResult& result) {
    return result.test->id == id && result.outcome == Outcome::kFail;
  });
  return found == run.results.end() ? nullptr : &*found;
}

/// Keeps some of those from `begin` on.
void keep_shortest_of_each_clause(std::vector<CaseResult*>& failures, std::size_t begin) {
  const auto from = failures.begin() + static_cast<std::ptrdiff_t>(begin);
  std::stable_sort(from, failures.end(), [](const CaseResult* left, const CaseResult* right) {
    return std::pair(reach_of(*left->test), left->history.size()) <
           std::pair(reach_of(*right->test), right->history.size());
  });
  std::set<std::string> clauses;
  const auto is_second = [&](const CaseResult* result) {
    const std::vector<std::string>& own = result->test->clauses;
    return !clauses.insert(own.empty() ? "" : own.front()).second;
  };
  failures.erase(std::remove_if(from, failures.end(), is_second), failures.end());
  failures.resize(std::min(failures.size(), begin + kMostUnexplained));
}

/// The failures that the report shows first.
std::vector<CaseResult*> shown_first(SubjectRun& run) {
  std::vector<CaseResult*> found;
  const auto add = [&](const std::string& id) {
    if (CaseResult* result = result_of(id, run)) found.push_back(result);
  };
  for (const Cause& cause : run.diagnosis.causes) add(cause.exact.front());
  const std::size_t explained = found.size();
  for (const std::string& id : run.diagnosis.unexplained) add(id);
  keep_shortest_of_each_clause(found, explained);
  return found;
}

std::string text_of(const ProgramResult& shown, const Contract& contract) {
  try {
    return python::brief(contract, shown.exchanges, *shown.got, *shown.difference);
  } catch (const python::NoForm&) {
    std::string text;
    for (const auto& [command, reply] : shown.exchanges) text += to_json(command) + "\n";
    text.pop_back();
    return text + fmt::format("  # {}, got {}\n", one_line(shown.difference->wanted),
                              one_line(shown.difference->got));
  }
}

/// The subject and the reference under one contract.
class Pair {
 public:
  Pair(ConnectedSubject& subject, TimeLimit& limit, ConnectedSubject& trusted,
       const Contract& contract)
      : limit_(limit), contract_(contract), differential_(*subject.link, *trusted.link, contract) {
    limit_.expect_by(std::nullopt);
    for (ConnectedSubject* one : {&subject, &trusted}) {
      one->link->restart();
      say_hello(*one->link, contract);
    }
  }

  const Contract& contract() const { return contract_; }

  /// Empty if the commands of the case do not show that its last command fails.
  std::string shortest(const CaseResult& result, Clock::time_point end) {
    Block program;
    for (const Exchange& exchange : result.history) program.push_back(exchange.command);
    const ProgramResult first = run(program);
    if (first.end != ProgramResult::End::kDiffers) return {};
    // An earlier difference may be one that the case does not mind.
    const bool is_at_end = first.exchanges.size() == program.size();
    if (!is_at_end && first.verb != program.back().verb) return {};
    const std::string signature = first.signature();
    program.resize(first.exchanges.size());
    program = shrink(std::move(program), [&](const Block& shorter) {
      if (Clock::now() >= end) return false;
      const ProgramResult again = run(shorter);
      return again.end == ProgramResult::End::kDiffers && again.signature() == signature;
    });
    const ProgramResult last = run(program);
    if (last.end != ProgramResult::End::kDiffers) return {};
    std::string text = text_of(last, contract_);
    const bool is_short = std::ranges::count(text, '\n') <= kMostLines && text.size() <= kMostBytes;
    return is_short ? text : "";
  }

 private:
  /// A program that hangs costs little.
  ProgramResult run(const Block& program) {
    constexpr std::chrono::seconds kPatience{10};
    limit_.expect_by(Clock::now() + kPatience);
    return differential_.run(program);
  }

  TimeLimit& limit_;
  Contract contract_;
  Differential differential_;
};

}  // namespace

void shorten_failures(ConnectedSubject& subject, SubjectRun& run,
                      std::chrono::duration<double> budget, const StopSignal* stop) {
  auto* limit = dynamic_cast<TimeLimit*>(subject.link.get());
  // In this process, a program that is not a case might end it, and with it all results.
  if (limit == nullptr || budget.count() <= 0) return;
  const std::vector<CaseResult*> failures = shown_first(run);
  if (failures.empty()) return;
  auto left = std::chrono::duration_cast<Clock::duration>(budget);
  try {
    ConnectedSubject trusted = connect("reference", {});
    std::optional<Pair> pair;
    for (std::size_t i = 0; i < failures.size(); ++i) {
      if (stop != nullptr && stop->is_set()) break;
      const Contract& contract = failures[i]->contract;
      if (!pair || !(pair->contract() == contract)) {
        pair.emplace(subject, *limit, trusted, contract);
      }
      const auto begin = Clock::now();  // the start of a subject does not count
      const auto end = begin + left / static_cast<int>(failures.size() - i);
      try {
        failures[i]->shortest = pair->shortest(*failures[i], end);
      } catch (const LinkBroken&) {
        pair.reset();
      }
      left -= std::min(left, Clock::now() - begin);
    }
  } catch (const LinkBroken&) {   // it does not start again
  } catch (const SubjectLost&) {  // the same
  } catch (const BadReply&) {
  } catch (const Interrupted&) {
  }
  limit->expect_by(std::nullopt);
}

}  // namespace assay
