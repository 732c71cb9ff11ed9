// Which measurements of a record stand in a column, and in which of its rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// Axes are names: their order in a file says nothing.
std::string name_without(const report::BenchMeasurement& measurement, const std::string& axis);

struct Place {
  std::string subject;  ///< empty where columns are subjects, or what belongs to them
  std::string name;
};

/// Nothing where the measurement belongs to no row of the column.
std::optional<Place> place_of(const Column& column, const report::BenchMeasurement& measurement);

/// The subject's name in the column's rows; nothing where its measurements do not belong there.
std::optional<std::string> subject_in(const Column& column, const std::string& id);

/// By what the record can be split: `subject`, `build`, `via`, `contract`, and its axes.
std::vector<std::string> keys_of(const report::BenchRecord& record);

/// A column for each value of the key, in the order in which the record has them; of builds the
/// other one first, which is the baseline.
std::vector<Column> columns_by(const std::string& key, const report::BenchRecord& record,
                               const std::string& file);

const report::BenchSubject* find_subject(const report::BenchRecord& record, const std::string& id);

}  // namespace assay::compare
