// Verdicts and ratios of a comparison as text and drawings.
#pragma once

#include <string>

#include "harness/compare/comparison.hpp"
#include "harness/page/markup/markup.hpp"

namespace assay::page {

struct VerdictStyle {
  const char* symbol;
  const char* kind;
  const char* colour;
};
VerdictStyle style_of(compare::Verdict verdict);

/// `✗ slower`
Markup verdict_words(compare::Verdict verdict);

/// The scale for all ratios of the comparison: a round number that none of them exceeds.
double reach_of(const compare::Comparison& comparison);

/// `× 1.503 (1.501 – 1.506)`; without an interval if the numbers are exact.
std::string ratio_words(const compare::Cell& cell);

/// The ratio on a scale from `1 / reach` to `reach`.
Markup mark_of(const compare::Cell& cell, double margin, double reach);

}  // namespace assay::page
