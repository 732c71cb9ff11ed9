// Compares the circumstances on both sides of a change.
#include "harness/archive/causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace assay::archive {
namespace {

/// How many runs on each side are asked.
constexpr std::size_t kAsked = 3;
/// A machine that became slower explains a change if it explains at least half of it.
constexpr double kShareExplained = 0.5;

struct Known {
  Cause cause;
  const char* what;
  std::string Circumstances::*value;
};

constexpr Known kKnown[] = {
    {Cause::kMethod, "compiler", &Circumstances::compiler},
    {Cause::kMethod, "compiler flags", &Circumstances::flags},
    {Cause::kMethod, "build type", &Circumstances::build_type},
    {Cause::kMethod, "assay", &Circumstances::tool},
    {Cause::kMethod, "loops", &Circumstances::loops},
    {Cause::kMethod, "language of the loops", &Circumstances::via},
    {Cause::kMachine, "machine", &Circumstances::machine},
    {Cause::kMachine, "CPU", &Circumstances::cpu},
    {Cause::kMachine, "kernel", &Circumstances::kernel},
    {Cause::kMachine, "GPU driver", &Circumstances::driver},
    {Cause::kMachine, "settings", &Circumstances::settings},
};

using Side = std::vector<const Circumstances*>;

/// Of several equally frequent ones, the one nearest to the change.
std::string most_frequent(const Side& side, std::string Circumstances::*value, bool last) {
  std::map<std::string, std::size_t> counts;
  for (const Circumstances* one : side) ++counts[one->*value];
  std::string best;
  std::size_t most = 0;
  for (const Circumstances* one : side) {
    const std::size_t count = counts[one->*value];
    if (count > most || (count == most && last)) {
      best = one->*value;
      most = count;
    }
  }
  return best;
}

std::string in_words(const std::string& value) { return value.empty() ? "unknown" : value; }

/// The commit with a plus if the checkout had changes.
std::string code_of(const Circumstances& one) {
  return in_words(one.commit) + (one.dirty ? "+" : "");
}

std::optional<Reason> change_of_code(const Side& before, const Side& after) {
  std::set<std::string> codes;
  for (const Side* side : {&before, &after}) {
    for (const Circumstances* one : *side) codes.insert(code_of(*one));
  }
  if (codes.size() == 1) return std::nullopt;
  return Reason{Cause::kCode,
                fmt::format("between {} and {}", code_of(*before.back()), code_of(*after.front()))};
}

double median_log(std::span<const Point> points, std::optional<double> Point::*value) {
  std::vector<double> logs;
  for (const Point& point : points) {
    if (point.*value && *(point.*value) > 0) logs.push_back(std::log(*(point.*value)));
  }
  if (logs.empty()) return std::nan("");
  std::ranges::sort(logs);
  return logs[logs.size() / 2];
}

/// What the runs measured of the machine's speed; nothing if it explains little.
std::optional<Reason> change_of_speed(std::span<const Point> before, std::span<const Point> after,
                                      const SeriesName& name, double shift) {
  const bool is_time = name.unit == "ns" && !name.exact;
  if (!is_time || shift == 0) return std::nullopt;
  const bool of_host = name.quantity.starts_with("host.");
  const auto value = of_host ? &Point::null_call_ns : &Point::sm_clock_mhz;
  const double was = median_log(before, value);
  const double is = median_log(after, value);
  const double explained = of_host ? is - was : was - is;
  if (std::isnan(explained) || explained / shift < kShareExplained) return std::nullopt;
  if (of_host) {
    return Reason{Cause::kMachine,
                  fmt::format("a call through a function pointer took {:.3g} ns before and {:.3g} "
                              "ns behind it",
                              std::exp(was), std::exp(is))};
  }
  const std::string& why = after.front().throttled_by;
  return Reason{Cause::kMachine,
                fmt::format("the GPU's clock was {:.0f} MHz before and {:.0f} MHz behind it{}",
                            std::exp(was), std::exp(is), why.empty() ? "" : ", limited by " + why)};
}

}  // namespace

std::vector<Reason> differences(const Side& before, const Side& after) {
  std::vector<Reason> reasons;
  for (const Known& known : kKnown) {
    const std::string was = most_frequent(before, known.value, true);
    const std::string is = most_frequent(after, known.value, false);
    if (was == is) continue;
    reasons.push_back({known.cause, fmt::format("{}: {} before, {} behind it", known.what,
                                                in_words(was), in_words(is))});
  }
  if (auto code = change_of_code(before, after)) reasons.push_back(std::move(*code));
  return reasons;
}

std::vector<Reason> reasons_of(std::span<const Point> before, std::span<const Point> after,
                               const SeriesName& name, double shift) {
  Side last, first;
  for (const Point& point : before.last(std::min(kAsked, before.size()))) {
    last.push_back(&point.circumstances);
  }
  for (const Point& point : after.first(std::min(kAsked, after.size()))) {
    first.push_back(&point.circumstances);
  }
  std::vector<Reason> reasons = differences(last, first);
  if (auto speed = change_of_speed(before, after, name, shift)) {
    const auto behind_method = std::ranges::find_if(
        reasons, [](const Reason& reason) { return reason.cause != Cause::kMethod; });
    reasons.insert(behind_method, std::move(*speed));
  }
  if (reasons.empty()) {
    reasons.push_back({Cause::kNoise, "the records of both sides differ in nothing else"});
  }
  return reasons;
}

}  // namespace assay::archive
