// Decides how much of each bench a page shows.
#include <algorithm>

#include "harness/page/data/cost.hpp"

namespace assay::page {
namespace {

/// Without copies of subjects, which serve only the noise floor.
std::size_t numbers_in(const Bench& bench) {
  return static_cast<std::size_t>(std::ranges::count_if(
      bench.record->measurements,
      [&](const auto& measured) { return measured.center && !is_copy(bench, measured.subject); }));
}

/// The approximate size in a page: one row per process, one number per sample.
std::size_t weight_of_samples(const Bench& bench) {
  constexpr std::size_t kRow = 180, kSample = 8;
  std::size_t weight = 0;
  for (const auto& measured : bench.record->measurements) {
    for (const auto& process : measured.processes)
      weight += kRow + kSample * process.samples.size();
  }
  return weight;
}

}  // namespace

std::vector<Bench> benches_of(const Report& report) {
  // A row takes half a kilobyte to a kilobyte; the page is limited to five megabytes.
  constexpr std::size_t kMostAtLength = 1500, kMostBriefly = 3500, kMostOfSamples = 1'800'000;
  std::vector<Bench> benches;
  for (const Source& source : report.sources) {
    if (source.bench) benches.push_back({&source, &*source.bench, benches.size()});
  }
  std::size_t numbers = 0, samples = 0;
  for (Bench& bench : benches) {
    numbers += numbers_in(bench);
    samples += weight_of_samples(bench);
    bench.is_whole = bench.number == 0 || numbers <= kMostBriefly;
  }
  for (Bench& bench : benches) {
    bench.is_brief = numbers > kMostAtLength;
    bench.shows_samples = samples <= kMostOfSamples;
  }
  return benches;
}

}  // namespace assay::page
