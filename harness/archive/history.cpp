// Orders the runs of an archive, and finds the changes in each series.
#include "harness/archive/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "harness/archive/causes.hpp"
#include "harness/console/usage_error.hpp"
#include "harness/report/run_diff.hpp"
#include "harness/stats/median.hpp"
#include "harness/suite/runner/selection.hpp"

namespace assay::archive {
namespace {

/// One may be the beginning of the other: records have twelve digits of a commit.
bool is_same_commit(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  return one.starts_with(other) || other.starts_with(one);
}

std::optional<std::size_t> place_of(const std::vector<std::string>& commits,
                                    const std::string& commit) {
  for (std::size_t i = 0; i < commits.size(); ++i) {
    if (is_same_commit(commits[i], commit)) return i;
  }
  return std::nullopt;
}

/// Puts runs into the order of the commits. Those of other commits are removed.
class Order {
 public:
  explicit Order(const std::vector<std::string>& commits) : commits_(commits) {}

  template <typename Runs>
  void apply(Runs& runs) {
    if (commits_.empty()) return;
    for (const auto& run : runs) {
      if (!place(run.circumstances.commit)) removed_.insert(run.hash);
    }
    std::erase_if(runs, [&](const auto& run) { return !place(run.circumstances.commit); });
    std::ranges::stable_sort(runs, {},
                             [&](const auto& run) { return *place(run.circumstances.commit); });
  }

  std::size_t removed() const { return removed_.size(); }

 private:
  std::optional<std::size_t> place(const std::string& commit) {
    const auto known = places_.find(commit);
    if (known != places_.end()) return known->second;
    return places_[commit] = place_of(commits_, commit);
  }

  const std::vector<std::string>& commits_;
  std::map<std::string, std::optional<std::size_t>> places_;
  std::set<std::string> removed_;
};

/// True if a value comes back after another: then machines took turns, and none replaced another.
bool take_turns(const std::vector<std::string>& values) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool begins = i == 0 || values[i] != values[i - 1];
    if (begins && !seen.insert(values[i]).second) return true;
  }
  return false;
}

std::string place_of_measurement(const Point& point, bool exact) {
  const Circumstances& of = point.circumstances;
  // A count depends on the build and not on the machine.
  return exact ? fmt::format("{} {} {}", of.compiler, of.build_type, of.flags) : of.machine;
}

/// One trend, or one for each of the machines that took turns. Imaginary numbers are apart.
std::vector<Trend> trends_of(const SeriesName& name, const std::vector<Point>& points) {
  std::vector<Trend> trends;
  for (const bool synthetic : {false, true}) {
    std::vector<std::string> places;
    for (const Point& point : points) {
      if (point.synthetic == synthetic) places.push_back(place_of_measurement(point, name.exact));
    }
    const bool apart = take_turns(places);
    std::map<std::string, std::size_t> known;
    for (const Point& point : points) {
      if (point.synthetic != synthetic) continue;
      const std::string place = apart ? place_of_measurement(point, name.exact) : "";
      const auto [at, is_new] = known.try_emplace(place, trends.size());
      if (is_new) {
        Trend& trend = trends.emplace_back();
        trend.name = name;
        trend.machine = place;
        trend.synthetic = synthetic;
      }
      trends[at->second].points.push_back(point);
    }
  }
  return trends;
}

bool is_worse(double before, double after, const SeriesName& name) {
  return name.higher_is_better ? after < before : after > before;
}

void find_exact_changes(Trend& trend) {
  const std::span<const Point> points = trend.points;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double before = points[i - 1].center;
    const double after = points[i].center;
    if (before == after) continue;
    trend.changes.push_back({i,
                             before,
                             after,
                             after / before,
                             {},
                             is_worse(before, after, trend.name),
                             reasons_of(points.first(i), points.subspan(i), trend.name, 0)});
  }
}

/// The standard error of a run's logarithm, from its processes.
double own_spread(const Point& point) {
  if (point.medians.size() < 2) return 0;
  std::vector<double> logs;
  for (const double median : point.medians) {
    logs.push_back(std::log(std::max(median, std::numeric_limits<double>::min())));
  }
  const stats::Median median = stats::median_of(std::move(logs));
  constexpr double kWidthInErrors = 2 * 1.96;
  return (median.high - median.low) / kWidthInErrors;
}

void find_changes(Trend& trend, const stats::ChangeOptions& options) {
  std::vector<double> logs, spreads;
  for (const Point& point : trend.points) {
    logs.push_back(std::log(point.center));
    spreads.push_back(own_spread(point));
  }
  const stats::Changes found = stats::changes_of(logs, spreads, options);
  trend.too_few = found.too_few;
  trend.apart_at_end = found.apart_at_end;
  trend.noise = found.noise;
  const std::span<const Point> points = trend.points;
  for (std::size_t i = 0; i < found.points.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : found.points[i - 1].index;
    const std::size_t at = found.points[i].index;
    const std::size_t end =
        i + 1 == found.points.size() ? points.size() : found.points[i + 1].index;
    const auto level = [&](std::size_t from, std::size_t to) {
      return std::exp(stats::median_of({logs.begin() + static_cast<std::ptrdiff_t>(from),
                                        logs.begin() + static_cast<std::ptrdiff_t>(to)})
                          .value);
    };
    const double shift = found.points[i].shift;
    Change& change = trend.changes.emplace_back();
    change.index = at;
    change.before = level(begin, at);
    change.after = level(at, end);
    change.ratio = std::exp(shift);
    change.p = found.points[i].p;
    change.worse = is_worse(0, shift, trend.name);
    change.reasons = reasons_of(points.subspan(begin, at - begin), points.subspan(at, end - at),
                                trend.name, shift);
  }
}

bool is_wanted(const SeriesName& name, const HistoryOptions& options) {
  if (!options.subject.empty() && name.subject != options.subject) return false;
  if (options.filters.empty()) return true;
  return std::ranges::any_of(options.filters, [&](const std::string& filter) {
    return glob_matches(filter, name.name) || glob_matches(filter, name.quantity);
  });
}

std::vector<std::string> only_in(const std::vector<std::string>& these,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> found;
  std::ranges::set_difference(these, others, std::back_inserter(found));
  return found;
}

void find_changes(VerdictTrend& trend) {
  for (std::size_t i = 1; i < trend.points.size(); ++i) {
    const Judged& before = trend.points[i - 1];
    const Judged& after = trend.points[i];
    const bool fewer_pass = before.cases == after.cases && after.passed < before.passed;
    if (before.verdict == after.verdict && before.red == after.red && !fewer_pass) continue;
    VerdictChange& change = trend.changes.emplace_back();
    change.index = i;
    change.newly_red = only_in(after.red, before.red);
    change.no_longer_red = only_in(before.red, after.red);
    change.worse = !change.newly_red.empty() || fewer_pass ||
                   report::badness_of(after.exit_code) > report::badness_of(before.exit_code);
    change.reasons = differences({&before.circumstances}, {&after.circumstances});
    if (change.reasons.empty()) {
      change.flaky = true;
      change.reasons.push_back({Cause::kNoise, "the same commit had both verdicts"});
    }
  }
}

void add_verdicts(History& history, Archive& archive, const HistoryOptions& options, Order& order) {
  for (Judged& judged : archive.judged()) {
    if (!options.subject.empty() && judged.subject != options.subject) continue;
    const bool is_next = !history.verdicts.empty() &&
                         history.verdicts.back().subject == judged.subject &&
                         history.verdicts.back().contract == judged.contract;
    if (!is_next) history.verdicts.push_back({judged.subject, judged.contract, {}, {}});
    history.verdicts.back().points.push_back(std::move(judged));
  }
  for (VerdictTrend& trend : history.verdicts) {
    order.apply(trend.points);
    find_changes(trend);
  }
  std::erase_if(history.verdicts, [](const VerdictTrend& trend) { return trend.points.empty(); });
}

/// Numbers that a newer record lacks. What never had one is no change.
void add_failed(History& history, Archive& archive, const HistoryOptions& options) {
  std::map<std::int64_t, std::string> last;  // started of the last number of a series
  for (const Trend& trend : history.trends) {
    for (const Point& point : trend.points) {
      last[trend.name.id] = std::max(last[trend.name.id], point.started);
    }
  }
  for (Failed& failed : archive.failed()) {
    const auto found = last.find(failed.series.id);
    if (found == last.end() || !is_wanted(failed.series, options)) continue;
    if (failed.started > found->second) history.failed.push_back(std::move(failed));
  }
}

}  // namespace

std::string_view name_of(Cause cause) {
  switch (cause) {
    case Cause::kMethod:
      return "method";
    case Cause::kMachine:
      return "machine";
    case Cause::kCode:
      return "code";
    case Cause::kNoise:
      return "noise";
  }
  return "";
}

History history_of(Archive& archive, const HistoryOptions& options) {
  History history;
  Order order(options.commits);
  for (const SeriesName& name : archive.series()) {
    if (!is_wanted(name, options)) continue;
    std::vector<Point> points = archive.points(name);
    if (!name.exact) std::erase_if(points, [](const Point& point) { return point.center <= 0; });
    order.apply(points);
    for (Trend& trend : trends_of(name, points)) history.trends.push_back(std::move(trend));
  }
  stats::ChangeOptions each{options.alpha, std::log1p(options.margin), options.persistence};
  const auto is_tested = [&](const Trend& trend) {
    return !trend.name.exact && trend.points.size() >= stats::fewest_values(each);
  };
  const auto tests = std::ranges::count_if(history.trends, is_tested);
  each.alpha /= static_cast<double>(std::max<std::ptrdiff_t>(tests, 1));
  for (Trend& trend : history.trends) {
    trend.name.exact ? find_exact_changes(trend) : find_changes(trend, each);
  }
  add_verdicts(history, archive, options, order);
  add_failed(history, archive, options);
  history.without_place = order.removed();
  return history;
}

Since::Since(const History& history, const HistoryOptions& options, const std::string& commit)
    : options_(options), commit_(commit) {
  if (!options.commits.empty()) {
    place_ = place_of(options.commits, commit);
    if (!place_) throw UsageError(fmt::format("--gate {}: --commits does not list it", commit));
    return;
  }
  const auto look_at = [&](const auto& trends) {
    for (const auto& trend : trends) {
      for (const auto& point : trend.points) {
        if (!is_same_commit(point.circumstances.commit, commit)) continue;
        const bool is_first = first_started_.empty() || point.started < first_started_;
        if (is_first) first_started_ = point.started;
      }
    }
  };
  look_at(history.trends);
  look_at(history.verdicts);
  if (first_started_.empty()) {
    throw UsageError(fmt::format("--gate {}: the archive has no record of this commit", commit));
  }
}

bool Since::is_newer(const std::string& commit, const std::string& started) const {
  if (!place_) return started > first_started_ && !is_same_commit(commit, commit_);
  const auto place = place_of(options_.commits, commit);
  return place && *place > *place_;
}

bool Since::is_newer(const Point& point) const {
  return is_newer(point.circumstances.commit, point.started);
}

bool Since::is_newer(const Failed& failed) const { return is_newer(failed.commit, failed.started); }

bool Since::is_newer(const Judged& judged) const {
  return is_newer(judged.circumstances.commit, judged.started);
}

}  // namespace assay::archive
