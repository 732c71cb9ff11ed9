// Symbols, colours and scales of ratios.
#include "harness/page/sections/ratios.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/page/markup/parts.hpp"
#include "harness/page/markup/svg.hpp"

namespace assay::page {

using compare::Comparison;
using compare::Verdict;

VerdictStyle style_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster:
    case Verdict::kFewer:
      return {"✓", "good", colour::kGood};
    case Verdict::kSlower:
    case Verdict::kMore:
      return {"✗", "bad", colour::kBad};
    case Verdict::kMissing:
    case Verdict::kRefused:
      return {"!", "bad", colour::kBad};
    case Verdict::kChanged:
      return {"±", "odd", colour::kOdd};
    case Verdict::kUndecided:
      return {"?", "odd", colour::kOdd};
    default:
      return {"=", "quiet", colour::kQuiet};
  }
}

Markup verdict_words(Verdict verdict) {
  const VerdictStyle style = style_of(verdict);
  return element("span", {{"class", style.kind}},
                 fmt::format("{} {}", style.symbol, compare::name_of(verdict)));
}

double reach_of(const Comparison& comparison) {
  constexpr double kMost = 1e6;
  double reach = 1;
  for (const compare::Row& row : comparison.rows) {
    for (const compare::Cell& cell : row.cells) {
      if (cell.ratio && *cell.ratio > 0) reach = std::max({reach, *cell.ratio, 1 / *cell.ratio});
    }
  }
  for (const double round : {1.05, 1.1, 1.2, 1.5}) {
    if (reach * 1.02 <= round) return round;
  }
  for (double power = 1; power < kMost; power *= 10) {
    for (const double factor : {2.0, 5.0, 10.0}) {
      if (reach * 1.02 <= factor * power) return factor * power;
    }
  }
  return kMost;
}

std::string ratio_words(const compare::Cell& cell) {
  std::string words = fmt::format("× {}", figure(*cell.ratio));
  const bool is_exact = cell.low == cell.high;
  if (!is_exact && cell.low && cell.high && std::isfinite(*cell.low) && std::isfinite(*cell.high)) {
    words += fmt::format(" ({} – {})", figure_like(*cell.low, *cell.ratio),
                         figure_like(*cell.high, *cell.ratio));
  }
  return words;
}

Markup mark_of(const compare::Cell& cell, double margin, double reach) {
  const double ratio = *cell.ratio;
  if (!(ratio > 0)) return {};
  const double low = std::max(cell.low.value_or(ratio), 1e-9);
  const double high = std::min(cell.high.value_or(ratio), 1e9);
  return ratio_mark({ratio, low, high, margin, reach, style_of(cell.verdict).colour},
                    {"Ratio to the baseline", ratio_words(cell)});
}

}  // namespace assay::page
