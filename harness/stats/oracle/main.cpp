// Evaluates the statistics for requests on standard input, so that another program can check them.
//
// A request is a name and samples, separated by `|`; the reply is a line of numbers:
//   mann_whitney | 1 2 3 | 4 5 6      ->  u p is_exact
//   shift | 0.95 | 1 2 3 | 4 5 6      ->  value low high
//   signed_ranks | 1 -2 3             ->  w p is_exact
//   pairs | 0.95 | 1 -2 3             ->  value low high
//   median | 0.95 | 1 2 3             ->  value low high
//   holm | 0.01 0.04                  ->  adjusted values
//   geomean | 2 4 | 8                 ->  value
//   splits | 3 10 | 1 1 1 9 9 9       ->  where segments begin, at least 3 values each, 10 a split
//   changes | 0.01 0.02 3 | 1 1 … | … ->  too_few, index shift p of each; the last sample: spreads
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/stats/change_points.hpp"
#include "harness/stats/contrast.hpp"
#include "harness/stats/geomean.hpp"
#include "harness/stats/median.hpp"
#include "harness/stats/signed_ranks.hpp"
#include "harness/stats/two_samples.hpp"

namespace {

using Values = std::vector<double>;
using namespace assay::stats;

struct Question {
  std::string name;
  std::vector<Values> samples;
};

Question question_in(const std::string& line) {
  std::istringstream parts(line);
  Question question;
  std::string part;
  std::getline(parts, part, '|');
  std::istringstream(part) >> question.name;
  while (std::getline(parts, part, '|')) {
    Values& values = question.samples.emplace_back();
    std::istringstream numbers(part);
    for (double value = 0; numbers >> value;) values.push_back(value);
    if (!numbers.eof()) throw std::invalid_argument("not a number in: " + part);
  }
  return question;
}

Values changes_in(const std::vector<Values>& samples) {
  const Values& options = samples.at(0);
  const ChangeOptions chosen{options.at(0), options.at(1), static_cast<std::size_t>(options.at(2))};
  const Changes changes = changes_of(samples.at(1), samples.at(2), chosen);
  Values answer{changes.too_few ? 1.0 : 0.0};
  for (const ChangePoint& point : changes.points) {
    answer.insert(answer.end(), {static_cast<double>(point.index), point.shift, point.p});
  }
  return answer;
}

Values answer_to(const Question& question) {
  const auto& samples = question.samples;
  if (question.name == "mann_whitney") {
    const MannWhitney test = mann_whitney(samples.at(0), samples.at(1));
    return {test.u, test.p, test.is_exact ? 1.0 : 0.0};
  }
  if (question.name == "shift") {
    const Estimate shift = shift_of(samples.at(1), samples.at(2), samples.at(0).at(0));
    return {shift.value, shift.interval.low, shift.interval.high};
  }
  if (question.name == "signed_ranks") {
    const SignedRanks test = signed_ranks(samples.at(0));
    return {test.w, test.p, test.is_exact ? 1.0 : 0.0};
  }
  if (question.name == "pairs") {
    const WalshAverages averages(samples.at(1));
    const Interval interval = averages.interval(samples.at(0).at(0));
    return {averages.middle(), interval.low, interval.high};
  }
  if (question.name == "median") {
    const Median median = median_of(samples.at(1), samples.at(0).at(0));
    return {median.value, median.low, median.high};
  }
  if (question.name == "holm") return holm(samples.at(0));
  if (question.name == "geomean") return {geomean(samples, {.resamples = 100}).value};
  if (question.name == "splits") {
    const Values& options = samples.at(0);
    const auto shortest = static_cast<std::size_t>(options.at(0));
    const auto splits = least_cost_splits(samples.at(1), shortest, options.at(1));
    return {splits.begin(), splits.end()};
  }
  if (question.name == "changes") return changes_in(samples);
  throw std::invalid_argument("no question is called '" + question.name + "'");
}

}  // namespace

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      for (const double value : answer_to(question_in(line))) std::printf("%.17g ", value);
      std::printf("\n");
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
