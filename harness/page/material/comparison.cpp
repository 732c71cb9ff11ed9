// Choosing what stands beside what.
#include "harness/page/material/comparison.hpp"

#include <algorithm>

#include "harness/compare/columns/columns.hpp"
#include "harness/compare/compare.hpp"

namespace assay::page {
namespace {

/// libtorch is what the others are held against, where it was measured; else the first.
std::vector<compare::Column> subjects_of(const Bench& bench) {
  auto columns = compare::columns_by("subject", *bench.record, bench.source->name);
  std::ranges::stable_partition(columns,
                                [](const auto& column) { return column.value == "libtorch"; });
  return columns;
}

std::vector<compare::Column> columns_of(const std::vector<Bench>& benches) {
  if (benches.size() == 1) return subjects_of(benches.front());
  std::vector<compare::Column> columns;
  for (const Bench& bench : benches)
    columns.push_back({bench.source->name, bench.source->name, bench.record, "", ""});
  return columns;
}

}  // namespace

Compared comparison_of(const std::vector<Bench>& benches) {
  const std::vector<compare::Column> columns = columns_of(benches);
  if (columns.size() < 2) return {};
  try {
    // Where machines differ, the notes say so.
    compare::Options options;
    options.across_machines = true;
    return {compare::compare(columns, options), ""};
  } catch (const compare::Invalid& refused) {
    return {std::nullopt, refused.what()};
  }
}

}  // namespace assay::page
