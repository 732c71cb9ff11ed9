// Assigns the measurements of a record to columns and rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// Axes are identified by name; their order in a file does not matter.
std::string name_without(const report::BenchMeasurement& measurement, const std::string& axis);

struct Place {
  std::string subject;  ///< empty if columns are subjects or their properties
  std::string name;
};

/// Nothing if the measurement does not belong to the column.
std::optional<Place> place_of(const Column& column, const report::BenchMeasurement& measurement);

/// The subject's name in the column's rows; nothing if its measurements are not in the column.
std::optional<std::string> subject_in(const Column& column, const std::string& id);

/// The keys by which the record can be split: `subject`, `build`, `via`, `contract`, and its axes.
std::vector<std::string> keys_of(const report::BenchRecord& record);

/// One column for each value of the key, in the order of the record. For `build`, the other build
/// comes first, as the baseline.
std::vector<Column> columns_by(const std::string& key, const report::BenchRecord& record,
                               const std::string& file);

const report::BenchSubject* find_subject(const report::BenchRecord& record, const std::string& id);

}  // namespace assay::compare
