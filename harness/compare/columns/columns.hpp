// The columns of a comparison: by subject, by a property of subjects or by axis of a record, or
// from files that the user names.
#pragma once

#include <memory>
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

/// Records, and columns that point into them.
struct BenchColumns {
  std::vector<std::unique_ptr<report::BenchRecord>> records;
  std::vector<Column> columns;
};

/// Throws UsageError, with the file and the reason, if it is not a bench record.
std::unique_ptr<report::BenchRecord> read_bench(const std::string& path);

/// Throws UsageError if the record does not have this key.
void refuse_unknown_key(const std::string& key, const report::BenchRecord& record,
                        const std::string& file);

/// One column per file, labelled by what is distinct in the files' names. Throws UsageError.
BenchColumns columns_by_file(const std::vector<std::string>& files);

/// One column per file, labelled by the machine or devices of the record. Throws UsageError if two
/// files have the same label.
BenchColumns columns_by_place(const std::vector<std::string>& files, const std::string& key);

/// One column for each value of a key of one record: those in `chosen`, the first of which is the
/// baseline, or all. Throws UsageError.
BenchColumns columns_by_key(const std::string& file, const std::string& key,
                            const std::vector<std::string>& chosen = {});

}  // namespace assay::compare
