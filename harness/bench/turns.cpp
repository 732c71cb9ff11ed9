// Sample by sample, there and back.
#include "harness/bench/turns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>

#include "harness/stats/median.hpp"

namespace assay::bench {
namespace {

bool takes_too_long(const Turns& turns, const measure::TimingOptions& timing) {
  double spent = 0;
  for (const double slice : turns.timed.samples) spent += slice;
  spent *= static_cast<double>(turns.timed.iterations);
  return spent > static_cast<double>(measure::most_time(timing).count());
}

template <typename T>
void append(std::vector<T>& to, std::vector<T> from) {
  std::ranges::move(from, std::back_inserter(to));
}

/// Whether there was one.
bool take_one_more(Turns& turns, const measure::TimingOptions& timing, const Take& take) {
  auto more = take(turns.contender, {1, timing.min_time, turns.timed.iterations});
  if (!more) return false;
  append(turns.timed.samples, std::move(more->samples));
  append(turns.timed.sm_clocks_mhz, std::move(more->sm_clocks_mhz));
  for (std::string& reason : more->throttled_by) {
    auto& known = turns.timed.throttled_by;
    if (std::ranges::find(known, reason) == known.end()) known.push_back(std::move(reason));
  }
  return true;
}

/// Logarithms of the samples; empty if one is zero.
std::optional<std::vector<std::vector<double>>> logs_of(const std::vector<Turns>& all) {
  std::vector<std::vector<double>> logs;
  for (const Turns& turns : all) {
    auto& row = logs.emplace_back();
    for (const double sample : turns.timed.samples) {
      if (!(sample > 0)) return std::nullopt;
      row.push_back(std::log(sample));
    }
  }
  return logs;
}

void note_relatives(std::vector<Turns>& all) {
  if (all.size() < 2) return;
  const auto logs = logs_of(all);
  if (!logs) return;
  const std::vector<double> effects = stats::row_effects(*logs);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].relative = std::exp(effects[i]);
}

/// Merges equal numbers of slices into samples; omits an incomplete sample at the end if
/// there are others.
void merge_slices(measure::TimedLoop& timed, std::size_t slices) {
  const std::size_t whole = std::max<std::size_t>(timed.samples.size() / slices, 1);
  std::vector<double> samples;
  std::vector<std::int64_t> clocks;
  for (std::size_t i = 0; i < whole; ++i) {
    const auto part = std::span(timed.samples).subspan(i * slices);
    const auto slice = part.first(std::min(part.size(), slices));
    samples.push_back(std::accumulate(slice.begin(), slice.end(), 0.0) /
                      static_cast<double>(slice.size()));
    if (!timed.sm_clocks_mhz.empty())
      clocks.push_back(timed.sm_clocks_mhz[i * slices + slice.size() - 1]);
  }
  timed.samples = std::move(samples);
  timed.sm_clocks_mhz = std::move(clocks);
  timed.iterations *= static_cast<std::int64_t>(slices);
}

}  // namespace

std::vector<Turns> take_turns(const std::vector<std::size_t>& contenders,
                              const measure::TimingOptions& timing, int slices, const Take& take) {
  const measure::TimingOptions sliced{timing.samples * slices, timing.min_time / slices};
  std::vector<Turns> all;
  for (const std::size_t contender : contenders) {
    if (auto timed = take(contender, {1, sliced.min_time})) {
      all.push_back({contender, std::move(*timed)});
    }
  }
  const auto is_slow = [&](const Turns& turns) { return takes_too_long(turns, sliced); };
  for (int turn = 1; turn < sliced.samples && std::ranges::none_of(all, is_slow); ++turn) {
    std::vector<Turns> left;
    for (Turns& turns : all | std::views::reverse) {
      if (take_one_more(turns, sliced, take)) left.push_back(std::move(turns));
    }
    all = std::move(left);
  }
  note_relatives(all);
  for (Turns& turns : all) merge_slices(turns.timed, static_cast<std::size_t>(slices));
  return all;
}

}  // namespace assay::bench
