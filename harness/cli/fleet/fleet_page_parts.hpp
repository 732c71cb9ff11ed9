// Parts of the page of a fleet that are the same for every GPU: settings, method, the list of all.
#pragma once

#include <cstddef>
#include <string>

#include "harness/cli/fleet/fleet_output.hpp"
#include "harness/page/markup/markup.hpp"

namespace assay::cli {

/// How a verdict looks. `letter` is empty for GPUs that are like the others.
struct Look {
  const char* letter;
  const char* colour;
  const char* style;
};

const Look& look_of(fleet::Verdict verdict);
fleet::Verdict verdict_at(std::size_t index);

/// The verdict in its colour, with its letter.
page::Markup mark(fleet::Verdict verdict);

/// `+5.1 %`
std::string signed_percent(double ratio);

/// How many GPUs of a model have which setting.
page::Markup settings_of(const JudgedFleet& judged);
/// What the verdicts mean, from how many records, and by which test.
page::Markup method_of(const JudgedFleet& judged);
/// A folded table.
page::Markup all_of(const JudgedFleet& judged);

}  // namespace assay::cli
