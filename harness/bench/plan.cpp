// Selects cases and computes the order of each round.
#include "harness/bench/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "harness/console/nearest.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/program/random.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::bench {
namespace {

/// Fisher-Yates; not std::shuffle, whose results differ between standard libraries.
std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[random.below(left)]);
  }
  return order;
}

}  // namespace

RoundOrder order_of(std::uint64_t seed, int round, std::size_t contenders, std::size_t cases) {
  Random random(seed, static_cast<std::uint64_t>(round));
  RoundOrder order;
  order.starts = shuffled(contenders, random);
  order.cases = shuffled(cases, random);
  for (std::size_t i = 0; i < cases; ++i) order.turns.push_back(shuffled(contenders, random));
  return order;
}

std::vector<measure::TimedCase> select_cases(const std::vector<std::string>& filters,
                                             const std::vector<std::string>& excludes,
                                             const std::vector<AxisChoice>& axes) {
  std::vector<measure::TimedCase> selected;
  for (const measure::CaseFamily& family : measure::all_families()) {
    const auto varied = chosen(family.axes, axes);
    if (!varied) continue;
    for (measure::TimedCase& timed : cases_of(family, *varied)) {
      const std::string name = report::full_name(timed.name, timed.axes);
      const auto matches = [&](const std::string& pattern) { return glob_matches(pattern, name); };
      const bool wanted = filters.empty() || std::ranges::any_of(filters, matches);
      if (wanted && std::ranges::none_of(excludes, matches)) selected.push_back(std::move(timed));
    }
  }
  return selected;
}

std::string filter_of(const std::string& word, const std::vector<AxisChoice>& axes) {
  if (word.empty())
    throw UsageError("an empty argument selects no case; without arguments all are timed");
  for (const std::string& filter : {word, word + "*"}) {
    if (!select_cases({filter}, {}, axes).empty()) return filter;
  }
  throw UsageError(fmt::format("no case is or begins with '{}'{}{}", word,
                               axes.empty() ? "" : " with the chosen axes", nearest_cases(word)));
}

std::string nearest_cases(const std::string& name) {
  std::set<std::string> names;
  for (const measure::TimedCase& timed : measure::all_timed_cases()) {
    names.insert(timed.name);
    names.insert(timed.name.substr(0, timed.name.find('/')));
    names.insert(report::full_name(timed.name, timed.axes));
  }
  return suggestion(name, {names.begin(), names.end()});
}

}  // namespace assay::bench
