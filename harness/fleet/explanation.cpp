// Puts differences of costs into words.
#include "harness/fleet/explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/stats/median.hpp"

namespace assay::fleet {
namespace {

constexpr std::size_t kMostNamed = 3;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string slower_or_faster(double ratio) {
  return ratio >= 1 ? percent(ratio - 1) + " slower" : percent(1 / ratio - 1) + " faster";
}

/// Of the logarithms; 0 if there are none.
double time_of(const std::vector<std::pair<std::int64_t, double>>& rounds) {
  std::vector<double> logs;
  for (const auto& [round, value] : rounds) logs.push_back(value);
  return logs.empty() ? 0 : std::exp(stats::median_of(std::move(logs)).value);
}

double clock_of(const Gpu& gpu) { return time_of(gpu.clocks); }
double call_of(const Gpu& gpu) { return gpu.null_call_ns.value_or(0); }

std::optional<double> median(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return stats::median_of(values).value;
}

bool is_apart(const CostFindings& found, Family family, bool slower) {
  const auto& place = found.places[static_cast<std::size_t>(family)];
  return place && place->apart && (place->shift > 0) == slower;
}

/// Without the clock.
std::vector<std::string> families_apart(const CostFindings& found, bool slower) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kFamilies; ++i) {
    const auto family = Family{static_cast<std::uint8_t>(i)};
    if (family != Family::kClock && is_apart(found, family, slower)) {
      names.emplace_back(name_of(family));
    }
  }
  return names;
}

std::string summary_of_single(const CostFindings& found) {
  const auto is_drift = [](const Difference& one) { return one.kind == Difference::Kind::kDrift; };
  if (std::ranges::all_of(found.confirmed, is_drift)) {
    return "its speed changed during the bench, unlike the others'";
  }
  return fmt::format("apart in {} of {} quantities, while none of its families is apart as a whole",
                     found.confirmed.size(), found.compared);
}

}  // namespace

std::string some_of(const std::vector<std::string>& names) {
  const auto shown = static_cast<std::ptrdiff_t>(std::min(kMostNamed, names.size()));
  std::string text = fmt::format("{}", fmt::join(names.begin(), names.begin() + shown, ", "));
  if (names.size() > kMostNamed) text += fmt::format(" and {} more", names.size() - kMostNamed);
  return text;
}

void Explanation::fill_in(std::vector<Difference>& differences) const {
  for (Difference& one : differences) {
    if (one.kind != Difference::Kind::kQuantity) continue;
    const std::string key = one.name;
    const Row& own = gpu_.rows.at(key);
    std::vector<double> times, floors, roofs;
    for (const std::size_t member : group_.members) {
      const auto row = fleet_.gpus[member].rows.find(key);
      if (row == fleet_.gpus[member].rows.end() || &row->second == &own) continue;
      times.push_back(time_of(row->second.rounds));
      if (row->second.floor) floors.push_back(*row->second.floor);
      if (row->second.roof) roofs.push_back(*row->second.roof);
    }
    const auto is_of_other = [&](const auto& row) { return row.second.subject != own.subject; };
    const bool are_several = std::ranges::any_of(gpu_.rows, is_of_other);
    one.name = are_several ? fmt::format("{} {}", own.subject, own.name) : own.name;
    one.own_ns = time_of(own.rounds);
    one.own_floor = own.floor;
    one.own_roof = own.roof;
    one.floor_unit = own.floor_unit;
    one.their_ns = median(times);
    one.their_floor = median(floors);
    one.their_roof = median(roofs);
  }
  std::ranges::stable_sort(differences, [](const Difference& a, const Difference& b) {
    const bool is_quantity = a.kind == Difference::Kind::kQuantity;
    if (is_quantity != (b.kind == Difference::Kind::kQuantity)) return !is_quantity;
    return std::abs(std::log(a.ratio)) > std::abs(std::log(b.ratio));
  });
}

std::string Explanation::sentence_of(const Difference& one) {
  const std::string how = slower_or_faster(one.ratio);
  if (one.kind == Difference::Kind::kDrift) {
    return fmt::format(
        "{}: {} in the second half of the bench than in the first ({:.0f} times "
        "what is usual)",
        one.name, how, one.z);
  }
  std::string text = fmt::format("{} {}", one.name, how);
  if (one.family == Family::kClock) {
    text = "clock " + (one.ratio > 1 ? percent(1 - 1 / one.ratio) + " lower"
                                     : percent(1 / one.ratio - 1) + " higher");
  } else if (one.kind == Difference::Kind::kFamily) {
    text = fmt::format("{} as a whole {}", one.name, how);
  }
  text += fmt::format(", {:.0f} times what GPUs differ by", one.z);
  if (one.own_floor && one.their_floor) {
    text += fmt::format("; {:.4g} of its own {}, the others {:.4g}", *one.own_floor, one.floor_unit,
                        *one.their_floor);
  }
  if (one.own_roof && one.their_roof && *one.own_roof < 1) {
    text += fmt::format("; {} of its own roof, the others {}", percent(*one.own_roof),
                        percent(*one.their_roof));
  }
  return text;
}

std::vector<std::string> Explanation::sentences(const CostFindings& found) const {
  std::vector<std::string> reasons{summary_of(found)};
  for (const Difference& one : found.confirmed) reasons.push_back(sentence_of(one));
  return reasons;
}

std::string Explanation::summary_of(const CostFindings& found) const {
  const std::vector<std::string> slow = families_apart(found, true);
  const std::vector<std::string> fast = families_apart(found, false);
  if (is_apart(found, Family::kClock, true)) {
    std::string text = fmt::format("its clock is low: {:.0f} MHz, the others {:.0f}",
                                   clock_of(gpu_), median(of_others(clock_of)).value_or(0));
    text += gpu_.throttled_by.empty()
                ? ", and the driver names nothing that limits it: it may be set so"
                : fmt::format(", limited by {}", fmt::join(gpu_.throttled_by, ", "));
    if (!slow.empty()) text += fmt::format("; slow with it: {}", fmt::join(slow, ", "));
    return text;
  }
  if (slow.empty() && fast.empty()) return summary_of_single(found);
  if (slow.empty()) return fmt::format("faster than the others: {}", fmt::join(fast, ", "));
  return summary_of_slow(found, slow);
}

std::string Explanation::summary_of_slow(const CostFindings& found,
                                         const std::vector<std::string>& slow) const {
  const auto is_slow = [&](Family family) { return is_apart(found, family, true); };
  const bool memory = is_slow(Family::kMemory), kernels = is_slow(Family::kKernels);
  const bool launches = is_slow(Family::kLaunches), copies = is_slow(Family::kTransfers);
  if (memory && !kernels && !launches) {
    return std::string(
               "its memory is slow, while launches, short kernels and clock are like the "
               "others'") +
           (copies ? "; host copies are slow, too" : "");
  }
  if (memory && kernels) {
    return fmt::format("all of it is slow at a usual clock: {}", fmt::join(slow, ", "));
  }
  if (memory || kernels) return fmt::format("slower than the others: {}", fmt::join(slow, ", "));
  std::string text = fmt::format(
      "its way to the host is slow ({}), while memory, short kernels and "
      "clock are like the others'",
      fmt::join(slow, ", "));
  if (const double host = host_ratio(); launches && host > 1 + options_.margin) {
    text +=
        fmt::format("; the host itself is {} in a call through a pointer", slower_or_faster(host));
  }
  return text;
}

/// Without those that are unknown, and 0.
std::vector<double> Explanation::of_others(double (*value)(const Gpu&)) const {
  std::vector<double> values;
  for (const std::size_t member : group_.members) {
    const Gpu& other = fleet_.gpus[member];
    if (&other != &gpu_ && value(other) > 0) values.push_back(value(other));
  }
  return values;
}

/// Of a call through a function pointer; 1 if it is unknown.
double Explanation::host_ratio() const {
  const auto others = median(of_others(call_of));
  return others && gpu_.null_call_ns ? *gpu_.null_call_ns / *others : 1;
}

}  // namespace assay::fleet
