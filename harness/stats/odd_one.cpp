// Computes the distances of members to their levels.
#include "harness/stats/odd_one.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "harness/stats/median.hpp"

namespace assay::stats {
namespace {

constexpr double kLevelShare = 0.05;
/// From this size on, two members are not yet a level.
constexpr std::size_t kPairsAreOdd = 16;
/// Below this size, the most crowded part alone says too little.
constexpr std::size_t kSmallGroup = 20;
/// The rest of a level that lies within it, of a normal distribution: from its middle to where
/// another twentieth of it lies outside.
constexpr double kEdgeOfLevel = 1.645;
/// For which the chance of replicates is computed; others are nowhere near to being odd.
constexpr double kWorthCounting = 2.5;
constexpr double kNormal95 = 1.959964;
constexpr double kMadOfNormal = 1.4826;

double middle_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double median_distance(const std::vector<double>& values) {
  const double middle = middle_of(values);
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return middle_of(std::move(distances));
}

class Group {
 public:
  Group(std::span<const Member> members, double floor) : members_(members) {
    order_.resize(members.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return members[i].center; });
    for (const std::size_t i : order_) sorted_.push_back(members[i].center);
    std::vector<double> errors;
    for (const Member& member : members) errors.push_back(member.own_error);
    own_error_ = middle_of(std::move(errors));
    level_ = std::max({crowd(), own_error_, floor});
    find_distances();
  }

  std::vector<Oddness> oddness() const {
    const double middle = middle_of(sorted_);
    const double common = std::max(level_, usual_distance());
    std::vector<Oddness> all(size());
    for (std::size_t i = 0; i < size(); ++i) {
      Oddness& odd = all[i];
      const double own = members_[i].own_error;
      const double scale = std::max(common, distance_of_others(i));
      odd.shift = members_[i].center - middle;
      odd.beyond = beyond_[i];
      odd.error = std::sqrt(scale * scale + std::max(0.0, own * own - own_error_ * own_error_));
      odd.z = std::min(std::abs(odd.shift), odd.beyond + kEdgeOfLevel * level_) / odd.error;
      odd.p = p_of(i, odd);
    }
    return all;
  }

 private:
  std::size_t size() const { return members_.size(); }

  /// So many others make a level.
  std::size_t few() const {
    if (size() < kPairsAreOdd) return 1;
    const double share = std::ceil(kLevelShare * static_cast<double>(size()));
    return std::max<std::size_t>(2, static_cast<std::size_t>(share));
  }

  /// The standard deviation of a normal distribution that is as dense as the shortest interval with
  /// a quarter of the members: half of a level, if there are two.
  double crowd() const {
    const std::size_t least = size() < 8 ? 3 : 4;
    const std::size_t count = std::max(least, (size() + 3) / 4);
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + count <= size(); ++i) {
      shortest = std::min(shortest, sorted_[i + count - 1] - sorted_[i]);
    }
    const double share = static_cast<double>(count) / static_cast<double>(size());
    const boost::math::normal normal;
    return shortest / (2 * boost::math::quantile(normal, 0.5 + share / 2));
  }

  void find_distances() {
    beyond_.assign(size(), std::numeric_limits<double>::infinity());
    const std::size_t others = few();
    for (std::size_t i = 0; i < size(); ++i) {
      double& beyond = beyond_[order_[i]];
      for (std::size_t first = i < others ? 0 : i - others; first <= i; ++first) {
        const std::size_t last = first + others;
        if (last >= size()) break;
        beyond =
            std::min(beyond, std::max(sorted_[i] - sorted_[first], sorted_[last] - sorted_[i]));
      }
    }
  }

  /// The largest distance of a member that is not one of the few.
  double usual_distance() const {
    std::vector<double> distances = beyond_;
    std::ranges::sort(distances);
    return distances[size() - 1 - few()];
  }

  double distance_of_others(std::size_t left_out) const {
    if (size() >= kSmallGroup) return 0;
    std::vector<double> others;
    for (std::size_t i = 0; i < size(); ++i) {
      if (i != left_out) others.push_back(members_[i].center);
    }
    return kMadOfNormal * median_distance(others);
  }

  double p_of(std::size_t i, const Oddness& odd) const {
    const boost::math::students_t student(static_cast<double>(size()) - 1);
    const double p = 2 * boost::math::cdf(boost::math::complement(student, odd.z));
    return odd.z < kWorthCounting ? p : std::max(p, chance_of_replicates(i, odd));
  }

  /// That at least as many replicates lie beyond the place between the member and its level, if
  /// each does with the share of the others, without the few that have the most there: they may be
  /// odd as well.
  double chance_of_replicates(std::size_t i, const Oddness& odd) const {
    const std::vector<double>& own = members_[i].replicates;
    if (own.empty()) return 0;
    const bool is_above = odd.shift > 0;
    const double limit = members_[i].center - (is_above ? odd.beyond : -odd.beyond) / 2;
    const auto count_in = [&](const std::vector<double>& values) {
      const auto is_out = [&](double value) { return is_above ? value > limit : value < limit; };
      return static_cast<double>(std::ranges::count_if(values, is_out));
    };
    std::vector<std::pair<double, double>> others;  // share, number
    for (std::size_t other = 0; other < size(); ++other) {
      const std::vector<double>& values = members_[other].replicates;
      const auto number = static_cast<double>(values.size());
      if (other != i && number > 0) others.emplace_back(count_in(values) / number, number);
    }
    std::ranges::sort(others);
    double out = 1, all = 1;
    for (std::size_t other = 0; other + few() < others.size(); ++other) {
      out += others[other].first * others[other].second;
      all += others[other].second;
    }
    const double mine = count_in(own);
    if (mine == 0 || out >= all) return 1;
    const boost::math::binomial draws(static_cast<double>(own.size()), out / all);
    return boost::math::cdf(boost::math::complement(draws, mine - 1));
  }

  std::span<const Member> members_;
  std::vector<std::size_t> order_;
  std::vector<double> sorted_, beyond_;
  double own_error_ = 0, level_ = 0;
};

}  // namespace

Member member_of(std::vector<double> replicates) {
  const Median median = median_of(replicates);
  return {median.value, (median.high - median.low) / (2 * kNormal95), std::move(replicates)};
}

std::vector<Oddness> oddness_of(std::span<const Member> members, double floor) {
  if (members.size() < kFewestMembers) return std::vector<Oddness>(members.size());
  return Group(members, floor).oddness();
}

}  // namespace assay::stats
