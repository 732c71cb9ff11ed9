// The columns of a comparison, from files that the user names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

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
