// A table of numbers, one a subject in each row, with all of a row as dots on the table's one
// scale.
#pragma once

#include <string>
#include <vector>

#include "harness/page/material/cost.hpp"

namespace assay::page {

struct Rung {
  Markup head;
  std::string name;                                         ///< for those who do not see the dots
  std::vector<const report::BenchMeasurement*> of_subject;  ///< as `CostRow` has them
};

struct Ladder {
  std::string caption;
  std::string unit;
  std::vector<Rung> rungs;
  const char* head = "Case";
  bool shows_quantity = false;  ///< a column for that of each rung
  bool sorts = true;
};

/// Empty without rungs.
Markup to_markup(const Bench& bench, const Ladder& ladder);

}  // namespace assay::page
