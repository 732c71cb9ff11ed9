// Tells numbers of a GPU from those of the host beside it; counts and names verdicts.
#include "harness/compare/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace assay::compare {

std::string_view name_of(Scope scope) {
  constexpr std::array<std::string_view, kScopes> kNames{"GPU", "host", "host and GPU", "counts"};
  return kNames.at(static_cast<std::size_t>(scope));
}

Scope scope_of(const report::BenchMeasurement& measurement) {
  const std::string& quantity = measurement.quantity;
  if (measurement.exact) return Scope::kCounts;
  if (report::is_between_memories(measurement)) return Scope::kBoth;
  if (quantity.starts_with("device.") || quantity.starts_with("graph.")) return Scope::kDevice;
  // `host.submit_ns` contains a wait for the device.
  if (quantity.starts_with("host.") && quantity != "host.submit_ns") return Scope::kHost;
  return Scope::kBoth;
}

std::string machine_of(const report::BenchRecord& record) {
  const report::BenchEnvironment& of = record.environment;
  std::vector<std::string> devices;
  for (const report::BenchDevice& device : of.devices) devices.push_back(device.name);
  return fmt::format("{} ({}, {} cores, virtualization {}{}{})", of.machine, of.cpu, of.cores,
                     of.virtualization, devices.empty() ? "" : ", ", fmt::join(devices, ", "));
}

std::vector<Scope> scopes_apart(const Comparison& comparison) {
  const std::string first = machine_of(*comparison.columns.front().record);
  if (std::ranges::all_of(comparison.columns, [&](const Column& column) {
        return machine_of(*column.record) == first;
      })) {
    return {};
  }
  std::vector<Scope> scopes;
  for (std::size_t i = 0; i < kScopes; ++i) {
    const auto scope = static_cast<Scope>(i);
    if (std::ranges::find(comparison.rows, scope, &Row::scope) != comparison.rows.end())
      scopes.push_back(scope);
  }
  return scopes.size() > 1 ? scopes : std::vector<Scope>();
}

namespace {

constexpr std::array<std::string_view, kVerdicts> kNames{
    "faster",    "slower",  "fewer", "more",      "same",   "changed",
    "undecided", "missing", "new",   "no number", "refused"};

}  // namespace

std::string_view name_of(Verdict verdict) { return kNames.at(static_cast<std::size_t>(verdict)); }

bool is_compared(Verdict verdict) { return verdict <= Verdict::kUndecided; }

std::size_t Comparison::count(Verdict verdict) const {
  std::size_t found = 0;
  for (const Row& row : rows) {
    for (const Cell& cell : row.cells) found += cell.verdict == verdict ? 1U : 0U;
  }
  return found;
}

std::size_t Comparison::count(Verdict verdict, Scope scope) const {
  std::size_t found = 0;
  for (const Row& row : rows) {
    if (row.scope != scope) continue;
    for (const Cell& cell : row.cells) found += cell.verdict == verdict ? 1U : 0U;
  }
  return found;
}

std::size_t Comparison::compared() const {
  std::size_t found = 0;
  for (const Row& row : rows) {
    for (const Cell& cell : row.cells) found += is_compared(cell.verdict) ? 1U : 0U;
  }
  return found;
}

}  // namespace assay::compare
