// Finds change points. The candidates come from an optimal partition with absolute distances, which
// a single disturbed run cannot move; each is then tested, because an optimal partition always
// finds something if its penalty is low enough, and no penalty is a probability.
//
// Three properties of benchmarks decide what the test must withstand. Single runs are disturbed:
// they are left out, unless they are so frequent that they are part of the noise. Runs that follow
// each other resemble each other, so that means say less and the step itself says more. A process
// lands on one of two memory nodes, so that a run's median flips between two levels: its own
// replicates straddle both, and the variance of a run is never taken for less than they say.
#include "harness/stats/change_points.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <stdexcept>

#include "harness/stats/sample.hpp"

namespace assay::stats {
namespace {

/// Of a level: values that differ by less are equal, however often that repeats.
constexpr double kResolution = 1e-6;
/// Among fewer values, their median absolute deviation says too little of the noise.
constexpr std::size_t kFewestForLone = 5;
/// The standard deviation of a normal distribution, in median absolute deviations.
constexpr double kNormalScale = 1.4826;

/// The sum of distances to the median of a growing set of numbers.
class MedianCost {
 public:
  void add(double value) {
    if (low_.empty() || value <= low_.top()) {
      low_.push(value);
      sum_low_ += value;
    } else {
      high_.push(value);
      sum_high_ += value;
    }
    if (low_.size() > high_.size() + 1) {
      sum_low_ -= low_.top();
      sum_high_ += low_.top();
      high_.push(low_.top());
      low_.pop();
    } else if (high_.size() > low_.size()) {
      sum_high_ -= high_.top();
      sum_low_ += high_.top();
      low_.push(high_.top());
      high_.pop();
    }
  }

  double cost() const {
    const double median = low_.top();  // every value between the middle two gives the same sum
    const auto below = static_cast<double>(low_.size());
    const auto above = static_cast<double>(high_.size());
    return (median * below - sum_low_) + (sum_high_ - median * above);
  }

 private:
  std::priority_queue<double> low_;
  std::priority_queue<double, std::vector<double>, std::greater<>> high_;
  double sum_low_ = 0, sum_high_ = 0;
};

double median_in(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// From the steps between neighbours, of which a change makes only one large.
double noise_between_neighbours(std::span<const double> values) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < values.size(); ++i) {
    steps.push_back(std::abs(values[i] - values[i - 1]));
  }
  return kNormalScale * median_in(steps) / std::sqrt(2.0);
}

/// The values of one side of a change, as far as they count.
struct Side {
  std::vector<double> values;
  std::vector<double> spreads;
};

std::vector<double> distances_from_median(std::span<const double> values) {
  const double median = median_in({values.begin(), values.end()});
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - median));
  return distances;
}

/// Leaves out values that stand alone, unless several and more than one in ten do.
Side without_lone_values(std::span<const double> values, std::span<const double> spreads) {
  const std::vector<double> distances = distances_from_median(values);
  const double noise = std::max(kNormalScale * median_in(distances), kResolution);
  const auto is_near = [&](std::size_t i) {
    return i >= values.size() || distances[i] <= 5 * noise;  // also before the first: wraps
  };
  std::vector<bool> alone(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    alone[i] = !is_near(i) && is_near(i - 1) && is_near(i + 1);
  }
  const auto count = static_cast<std::size_t>(std::ranges::count(alone, true));
  const bool rare =
      values.size() >= kFewestForLone && count <= std::max<std::size_t>(1, values.size() / 10);
  Side side;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (alone[i] && rare) continue;
    side.values.push_back(values[i]);
    if (!spreads.empty()) side.spreads.push_back(spreads[i]);
  }
  return side;
}

/// What the residuals of both sides say about the noise.
struct Residuals {
  double squares = 0;
  double neighbours = 0;  ///< products of neighbouring residuals
  double own_squares = 0;
  std::size_t count = 0;

  void add(const Side& side) {
    const double mean = mean_of(side.values);
    for (std::size_t i = 0; i < side.values.size(); ++i) {
      const double here = side.values[i] - mean;
      squares += here * here;
      if (i > 0) neighbours += here * (side.values[i - 1] - mean);
      if (!side.spreads.empty()) own_squares += side.spreads[i] * side.spreads[i];
    }
    count += side.values.size();
  }

  /// Of a value, as its own replicates say.
  double least_variance() const {
    return std::max(own_squares / static_cast<double>(count), kResolution * kResolution);
  }

  /// How much a value resembles the one before it, at most 0.9. Residuals of so few values resemble
  /// each other less than the noise does (Kendall's bias, for two means).
  double correlation() const {
    if (squares == 0) return 0;
    const double seen = std::max(neighbours / squares, 0.0);
    return std::min(seen + 2 * (1 + 3 * seen) / static_cast<double>(count), 0.9);
  }
};

/// The difference of two levels, and its variance.
struct Step {
  double size;
  double variance;
  double freedom;
};

/// By generalized least squares: each value is compared with what the one before it leads to expect
/// (Prais and Winsten). The more neighbours correlate, the more the step itself counts, and the
/// less the means, which a slow wave shifts as well.
Step step_between(const Side& before, const Side& after, double correlation) {
  std::vector<double> values = before.values;
  values.insert(values.end(), after.values.begin(), after.values.end());
  struct Row {
    double first, second, value;  ///< shares of both levels
  };
  std::vector<Row> rows;
  Row last{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool is_first = i < before.values.size();
    const Row row{is_first ? 1.0 : 0.0, is_first ? 0.0 : 1.0, values[i]};
    const double scale = i == 0 ? std::sqrt(1 - correlation * correlation) : 1;
    const double memory = i == 0 ? 0 : correlation;
    rows.push_back({scale * row.first - memory * last.first,
                    scale * row.second - memory * last.second,
                    scale * row.value - memory * last.value});
    last = row;
  }
  double a = 0, b = 0, c = 0, x = 0, y = 0;
  for (const Row& row : rows) {
    a += row.first * row.first;
    b += row.first * row.second;
    c += row.second * row.second;
    x += row.first * row.value;
    y += row.second * row.value;
  }
  const double determinant = a * c - b * b;
  const double level = (c * x - b * y) / determinant;
  const double next = (a * y - b * x) / determinant;
  double squares = 0;
  for (const Row& row : rows) {
    const double rest = row.value - level * row.first - next * row.second;
    squares += rest * rest;
  }
  const double freedom = static_cast<double>(values.size()) - 3;  // two levels, one correlation
  return {next - level, squares / freedom * (a + c + 2 * b) / determinant, freedom};
}

class Series {
 public:
  Series(std::span<const double> values, std::span<const double> spreads,
         const ChangeOptions& options)
      : values_(values), spreads_(spreads), options_(options) {}

  std::vector<ChangePoint> confirmed(std::vector<std::size_t> candidates) const {
    for (;;) {
      std::vector<ChangePoint> points;
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::size_t begin = i == 0 ? 0 : candidates[i - 1];
        const std::size_t end = i + 1 == candidates.size() ? values_.size() : candidates[i + 1];
        points.push_back(tested(begin, candidates[i], end));
      }
      const auto worst = std::ranges::max_element(points, {}, &ChangePoint::p);
      if (worst == points.end() || worst->p <= options_.alpha) return points;
      candidates.erase(candidates.begin() + (worst - points.begin()));
    }
  }

 private:
  /// Whether enough values are on the own side of the middle between both levels.
  bool is_settled(const Side& before, const Side& after) const {
    const double level = median_in(before.values);
    const double next = median_in(after.values);
    const auto nearer = [&](const Side& side, double own, double other) {
      return std::ranges::count_if(side.values, [&](double value) {
        return std::abs(value - own) < std::abs(value - other);
      });
    };
    const auto enough = static_cast<std::ptrdiff_t>(options_.persistence);
    return nearer(before, level, next) >= enough && nearer(after, next, level) >= enough;
  }

  Side side(std::size_t begin, std::size_t end) const {
    const auto part = [&](std::span<const double> all) { return all.subspan(begin, end - begin); };
    return without_lone_values(part(values_), spreads_.empty() ? spreads_ : part(spreads_));
  }

  ChangePoint tested(std::size_t begin, std::size_t split, std::size_t end) const {
    const Side before = side(begin, split);
    const Side after = side(split, end);
    Residuals residuals;
    residuals.add(before);
    residuals.add(after);
    const double shift = mean_of(after.values) - mean_of(before.values);
    if (std::abs(shift) <= options_.margin || !is_settled(before, after)) return {split, shift, 1};
    const Step step = step_between(before, after, residuals.correlation());
    if (step.size * shift <= 0) return {split, shift, 1};
    const double shares = 1 / static_cast<double>(before.values.size()) +
                          1 / static_cast<double>(after.values.size());
    const double variance = std::max(step.variance, residuals.least_variance() * shares);
    const double t = std::abs(step.size) / std::sqrt(variance);
    const boost::math::students_t distribution(step.freedom);
    const double p = 2 * boost::math::cdf(boost::math::complement(distribution, t));
    const auto places = static_cast<double>(values_.size() - 2 * options_.persistence + 1);
    return {split, shift, std::min(1.0, p * places)};
  }

  std::span<const double> values_, spreads_;
  const ChangeOptions& options_;
};

/// The values at the end that lie on one side of the level, apart from it.
std::size_t apart_at_end(std::span<const double> values, double noise, double margin) {
  const double median = median_in({values.begin(), values.end()});
  const double limit = std::max(5 * std::max(noise, kResolution), margin);
  std::size_t count = 0;
  while (count < values.size()) {
    const double apart = values[values.size() - 1 - count] - median;
    const bool same_side = count == 0 || (apart > 0) == (values.back() > median);
    if (std::abs(apart) <= limit || !same_side) break;
    ++count;
  }
  return count;
}

/// Around the levels between the changes.
double noise_within(std::span<const double> values, const std::vector<ChangePoint>& points) {
  std::vector<double> distances;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= points.size(); ++i) {
    const std::size_t end = i == points.size() ? values.size() : points[i].index;
    const auto apart = distances_from_median(values.subspan(begin, end - begin));
    distances.insert(distances.end(), apart.begin(), apart.end());
    begin = end;
  }
  return kNormalScale * median_in(distances);
}

}  // namespace

std::vector<std::size_t> least_cost_splits(std::span<const double> values, std::size_t shortest,
                                           double penalty) {
  const std::size_t count = values.size();
  constexpr double kNone = std::numeric_limits<double>::infinity();
  std::vector<double> best(count + 1, kNone);  // of the first values
  std::vector<std::size_t> last(count + 1, 0);
  best[0] = -penalty;
  std::vector<std::size_t> starts{0};  // of the last segment, as far as they may be optimal
  std::vector<double> costs(count + 1);
  std::vector<std::size_t> useless_from(count + 1, std::numeric_limits<std::size_t>::max());
  for (std::size_t end = shortest; end <= count; ++end) {
    MedianCost cost;
    for (std::size_t begin = end; begin-- > starts.front();) {
      cost.add(values[begin]);
      costs[begin] = cost.cost();
    }
    for (const std::size_t begin : starts) {
      if (end - begin < shortest) continue;
      const double total = best[begin] + costs[begin] + penalty;
      if (total < best[end]) {
        best[end] = total;
        last[end] = begin;
      }
    }
    // A segment that begins where it would be no better than one that ends here and another behind
    // it is never needed, from where that other one may end.
    for (const std::size_t begin : starts) {
      const bool is_worse = end - begin >= shortest && best[begin] + costs[begin] > best[end];
      if (is_worse) useless_from[begin] = std::min(useless_from[begin], end + shortest);
    }
    std::erase_if(starts, [&](std::size_t begin) { return useless_from[begin] <= end + 1; });
    if (end + 1 >= 2 * shortest) starts.push_back(end + 1 - shortest);
  }
  std::vector<std::size_t> splits;
  for (std::size_t end = last[count]; end > 0; end = last[end]) splits.push_back(end);
  std::ranges::reverse(splits);
  return splits;
}

Changes changes_of(std::span<const double> values, std::span<const double> own_spreads,
                   const ChangeOptions& options) {
  Changes changes;
  changes.too_few = values.size() < fewest_values(options);
  if (changes.too_few) return changes;
  require_numbers(values, "a series");
  if (!own_spreads.empty() && own_spreads.size() != values.size()) {
    throw std::invalid_argument("a series needs as many spreads as values");
  }
  const double unit = std::max(noise_between_neighbours(values), kResolution);
  std::vector<double> scaled(values.begin(), values.end());
  for (double& value : scaled) value /= unit;
  const double penalty = 2 * std::log(static_cast<double>(values.size()));
  changes.points = Series(values, own_spreads, options)
                       .confirmed(least_cost_splits(scaled, options.persistence, penalty));
  changes.noise = noise_within(values, changes.points);
  const std::size_t begin = changes.points.empty() ? 0 : changes.points.back().index;
  changes.apart_at_end = apart_at_end(values.subspan(begin), changes.noise, options.margin);
  return changes;
}

}  // namespace assay::stats
