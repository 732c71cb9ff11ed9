// Counts and names verdicts.
#include "harness/compare/comparison.hpp"

#include <array>

namespace assay::compare {
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
