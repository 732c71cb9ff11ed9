// A table of numbers with one column per subject; the numbers of a row are also dots on a common
// scale.
#pragma once

#include <string>
#include <vector>

#include "harness/page/data/cost.hpp"

namespace assay::page {

struct LadderRow {
  Markup head;
  std::string name;                                         ///< alternative text of the dots
  std::vector<const report::BenchMeasurement*> of_subject;  ///< as in `CostRow`
};

struct Ladder {
  std::string caption;
  std::string unit;
  std::vector<LadderRow> rows;
  const char* head = "Case";
  bool shows_quantity = false;  ///< adds a column with each rung's quantity
  bool sorts = true;
};

/// Empty if there are no rungs.
Markup to_markup(const Bench& bench, const Ladder& ladder);

}  // namespace assay::page
