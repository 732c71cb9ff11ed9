// Makes series of a group's rows, tests them, and corrects for the number of tests.
#include "harness/fleet/costs.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/stats/contrast.hpp"
#include "harness/stats/median.hpp"
#include "harness/stats/odd_one.hpp"

namespace assay::fleet {
namespace {

/// Equal GPUs differ by so much without a reason.
constexpr double kFloor = 0.003;
/// A row is compared if this share of the group has it.
constexpr double kCommonShare = 0.5;
/// Of the rows that make a family's level.
constexpr double kFamilyShare = 0.9;
/// The chance that a healthy fleet has a difference that is not confirmed, but deserves a look.
constexpr double kPerhapsAlpha = 0.2;
/// Quantities with more noise than this say nothing while they are not confirmed.
constexpr double kResolved = 0.01;
/// How far a family must lie from the others to be named in an explanation.
constexpr double kApartZ = 3;
/// Fewer processes have no halves.
constexpr std::size_t kFewestForDrift = 6;
/// Families with fewer rows have no level of their own.
constexpr std::size_t kFewestRows = 3;

using Rounds = std::vector<std::pair<std::int64_t, double>>;

std::vector<double> values_of(const Rounds& rounds) {
  std::vector<double> values;
  for (const auto& [round, value] : rounds) values.push_back(value);
  return values;
}

double middle(std::vector<double> values) { return stats::median_of(std::move(values)).value; }

/// One value a GPU, for those that have one.
struct Series {
  Difference::Kind kind = Difference::Kind::kQuantity;
  Family family = Family::kMemory;
  std::string key;               ///< of the row; the family's name
  bool is_relative = false;      ///< without what the GPU's family, or another one, has in common
  std::vector<Rounds> rounds;    ///< by GPU; empty if it has none
  std::vector<double> errors{};  ///< of drifts
};

class Comparison {
 public:
  Comparison(const std::vector<const Gpu*>& members, const JudgeOptions& options)
      : members_(members), margin_(std::log1p(options.margin)), alpha_(options.alpha) {
    found_.gpus.resize(members.size());
  }

  GroupCosts compared() {
    add_rows();
    add_clock();
    for (std::size_t family = 0; family < kFamilies; ++family)
      add_family(Family{static_cast<std::uint8_t>(family)});
    add_contrasts();
    test_all();
    confirm();
    return std::move(found_);
  }

 private:
  std::size_t size() const { return members_.size(); }

  void add_rows() {
    std::map<std::string, std::size_t> counts;
    for (const Gpu* gpu : members_) {
      for (const auto& [key, row] : gpu->rows) ++counts[key];
    }
    for (const auto& [key, count] : counts) {
      if (static_cast<double>(count) < kCommonShare * static_cast<double>(size())) continue;
      Series series{Difference::Kind::kQuantity, Family::kMemory, key, false, {}, {}};
      std::vector<double> centers;
      for (std::size_t i = 0; i < size(); ++i) {
        const auto row = members_[i]->rows.find(key);
        if (row == members_[i]->rows.end() || row->second.rounds.empty()) {
          found_.gpus[i].missing.push_back(key);
          series.rounds.emplace_back();
          continue;
        }
        series.family = row->second.family;
        series.rounds.push_back(row->second.rounds);
        centers.push_back(middle(values_of(row->second.rounds)));
        ++found_.gpus[i].compared;
      }
      if (centers.size() < stats::kFewestMembers) continue;
      subtract(series, middle(std::move(centers)));
      series_.push_back(std::move(series));
    }
    found_.quantities = series_.size();
  }

  static void subtract(Series& series, double level) {
    for (Rounds& rounds : series.rounds) {
      for (auto& [round, value] : rounds) value -= level;
    }
  }

  /// Slower is above 0, as for times.
  void add_clock() {
    Series series{
        Difference::Kind::kFamily, Family::kClock, std::string(name_of(Family::kClock)), false, {}};
    std::vector<double> centers;
    for (const Gpu* gpu : members_) {
      series.rounds.push_back(gpu->clocks);
      for (auto& [round, value] : series.rounds.back()) value = -value;
      if (!gpu->clocks.empty()) centers.push_back(middle(values_of(series.rounds.back())));
    }
    if (centers.size() < stats::kFewestMembers) return;
    subtract(series, middle(std::move(centers)));
    families_[static_cast<std::size_t>(Family::kClock)] = series;
    add_drift(series);
    series_.push_back(std::move(series));
  }

  /// The median over the GPUs of what their own processes say of the noise.
  static double noise_of(const Series& series) {
    std::vector<double> errors;
    for (const Rounds& rounds : series.rounds) {
      if (!rounds.empty()) errors.push_back(stats::member_of(values_of(rounds)).own_error);
    }
    return middle(std::move(errors));
  }

  /// The quieter half of a family's rows that nearly all GPUs have.
  std::vector<std::size_t> steady_rows(Family family) const {
    std::vector<std::pair<double, std::size_t>> rows;
    for (std::size_t s = 0; s < series_.size(); ++s) {
      const Series& series = series_[s];
      if (series.kind != Difference::Kind::kQuantity || series.family != family) continue;
      if (series.is_relative) continue;
      const auto has = [](const Rounds& rounds) { return !rounds.empty(); };
      const auto count = static_cast<double>(std::ranges::count_if(series.rounds, has));
      if (count < kFamilyShare * static_cast<double>(size())) continue;
      rows.emplace_back(noise_of(series), s);
    }
    std::ranges::sort(rows);
    std::vector<std::size_t> steady;
    for (std::size_t i = 0; i < (rows.size() + 1) / 2; ++i) steady.push_back(rows[i].second);
    return steady;
  }

  Rounds median_of_rows(const std::vector<std::size_t>& rows, std::size_t gpu) const {
    std::map<std::int64_t, std::vector<double>> by_round;
    for (const std::size_t row : rows) {
      for (const auto& [round, value] : series_[row].rounds[gpu]) by_round[round].push_back(value);
    }
    Rounds rounds;
    for (auto& [round, values] : by_round) rounds.emplace_back(round, middle(std::move(values)));
    return rounds;
  }

  void add_family(Family family) {
    const std::vector<std::size_t> rows = steady_rows(family);
    if (rows.empty()) return;
    Series level{Difference::Kind::kFamily, family, std::string(name_of(family)), false, {}, {}};
    for (std::size_t i = 0; i < size(); ++i) level.rounds.push_back(median_of_rows(rows, i));
    families_[static_cast<std::size_t>(family)] = level;
    add_drift(level);
    add_rows_within(level);
    series_.push_back(std::move(level));
  }

  void add_rows_within(const Series& level) {
    std::vector<Series> within;
    for (const Series& row : series_) {
      if (row.kind != Difference::Kind::kQuantity || row.family != level.family) continue;
      if (row.is_relative) continue;
      within.push_back(relative(row, level));
    }
    if (within.size() < kFewestRows) return;
    std::ranges::move(within, std::back_inserter(series_));
  }

  /// Process by process, since both were measured in the same ones.
  static Series relative(const Series& row, const Series& level) {
    Series made = row;
    made.is_relative = true;
    for (std::size_t i = 0; i < made.rounds.size(); ++i) {
      const std::map<std::int64_t, double> levels(level.rounds[i].begin(), level.rounds[i].end());
      Rounds kept;
      for (const auto& [round, value] : made.rounds[i]) {
        if (const auto found = levels.find(round); found != levels.end()) {
          kept.emplace_back(round, value - found->second);
        }
      }
      made.rounds[i] = std::move(kept);
    }
    return made;
  }

  /// What a GPU as a whole has in common is not in the difference of two families.
  void add_contrasts() {
    const auto add = [&](Family family, Family beside) {
      const auto& one = families_[static_cast<std::size_t>(family)];
      const auto& other = families_[static_cast<std::size_t>(beside)];
      if (one && other) series_.push_back(relative(*one, *other));
    };
    add(Family::kMemory, Family::kKernels);
    add(Family::kKernels, Family::kMemory);
    add(Family::kTransfers, Family::kMemory);
  }

  /// The second half of the processes beside the first. Launches vary too much from process to
  /// process for so few of them.
  void add_drift(const Series& level) {
    if (level.family == Family::kLaunches) return;
    Series drift{Difference::Kind::kDrift, level.family, level.key, false, {}, {}};
    for (const Rounds& rounds : level.rounds) {
      const std::vector<double> values = values_of(rounds);
      drift.rounds.emplace_back();
      drift.errors.emplace_back();
      if (values.size() < kFewestForDrift) continue;
      const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
      const stats::Member first = stats::member_of({values.begin(), half});
      const stats::Member second = stats::member_of({half, values.end()});
      for (auto value = half; value != values.end(); ++value) {
        drift.rounds.back().emplace_back(value - half, *value - first.center);
      }
      // A change within one half is noise only there.
      drift.errors.back() = std::sqrt(2.0) * std::min(first.own_error, second.own_error);
    }
    series_.push_back(std::move(drift));
  }

  struct Tested {
    std::size_t series, gpu;
    stats::Oddness odd;
  };

  void test_all() {
    for (std::size_t s = 0; s < series_.size(); ++s) {
      const Series& series = series_[s];
      std::vector<stats::Member> members;
      std::vector<std::size_t> places;
      for (std::size_t i = 0; i < size(); ++i) {
        if (series.rounds[i].empty()) continue;
        places.push_back(i);
        members.push_back(stats::member_of(values_of(series.rounds[i])));
        if (!series.errors.empty()) members.back().own_error = series.errors[i];
      }
      const auto odd = stats::oddness_of(members, kFloor);
      for (std::size_t i = 0; i < odd.size(); ++i) tested_.push_back({s, places[i], odd[i]});
    }
    found_.tests = tested_.size();
    for (const Tested& test : tested_) note_shift(test);
  }

  /// Also where the GPU's families are, which explanations need.
  void note_shift(const Tested& test) {
    const Series& series = series_[test.series];
    if (series.is_relative) return;
    if (series.kind == Difference::Kind::kQuantity)
      shifts_[{series.key, test.gpu}] = test.odd.shift;
    if (series.kind != Difference::Kind::kFamily) return;
    found_.gpus[test.gpu].places[static_cast<std::size_t>(series.family)] =
        Place{test.odd.shift, test.odd.beyond > margin_ && test.odd.z > kApartZ};
  }

  /// The shift of the quantity itself: what a GPU's family explains is not reported as the
  /// quantity's.
  double plain_shift(const Tested& test) const {
    const Series& series = series_[test.series];
    if (!series.is_relative) return test.odd.shift;
    if (series.kind == Difference::Kind::kQuantity) return shifts_.at({series.key, test.gpu});
    const auto& place = found_.gpus[test.gpu].places[static_cast<std::size_t>(series.family)];
    return place ? place->shift : 0;
  }

  void confirm() {
    for (const bool of_quantities : {true, false}) {
      std::vector<const Tested*> tests;
      std::vector<double> p;
      for (const Tested& test : tested_) {
        const bool is_quantity = series_[test.series].kind == Difference::Kind::kQuantity;
        if (is_quantity != of_quantities) continue;
        tests.push_back(&test);
        p.push_back(test.odd.p);
      }
      const std::vector<double> adjusted = stats::holm(p);
      for (std::size_t i = 0; i < tests.size(); ++i) note(*tests[i], adjusted[i]);
    }
  }

  void note(const Tested& test, double adjusted) {
    const double shift = plain_shift(test);
    const bool is_large = test.odd.beyond > margin_ && std::abs(shift) > margin_ / 2 &&
                          (shift > 0) == (test.odd.shift > 0);
    if (!is_large) return;
    const Series& series = series_[test.series];
    const bool is_confirmed = adjusted <= alpha_ / 2;
    const bool is_resolved = test.odd.error <= kResolved && adjusted <= kPerhapsAlpha / 2;
    if (!is_confirmed && !is_resolved) return;
    CostFindings& findings = found_.gpus[test.gpu];
    auto& list = is_confirmed ? findings.confirmed : findings.perhaps;
    Difference difference{series.kind,     series.family, series.key,
                          std::exp(shift), test.odd.z,    adjusted};
    const auto same = std::ranges::find_if(list, [&](const Difference& other) {
      return other.kind == difference.kind && other.name == difference.name;
    });
    if (same == list.end()) {
      list.push_back(std::move(difference));
    } else if (adjusted < same->p) {
      *same = std::move(difference);
    }
  }

  const std::vector<const Gpu*>& members_;
  double margin_, alpha_;
  std::vector<Series> series_;
  std::array<std::optional<Series>, kFamilies> families_;
  std::vector<Tested> tested_;
  std::map<std::pair<std::string, std::size_t>, double> shifts_;
  GroupCosts found_;
};

}  // namespace

GroupCosts compare_costs(const std::vector<const Gpu*>& members, const JudgeOptions& options) {
  return Comparison(members, options).compared();
}

}  // namespace assay::fleet
