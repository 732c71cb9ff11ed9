// The sides of a comparison, from files that the user names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/compare/comparison.hpp"

namespace assay::compare {

/// Records and the columns that point into them.
struct BenchColumns {
  std::vector<std::unique_ptr<report::BenchRecord>> records;
  std::vector<Column> columns;
};

/// Throws UsageError, with the file and what is wrong with it, when it is not a record of a bench.
std::unique_ptr<report::BenchRecord> read_bench(const std::string& path);

/// Throws UsageError where the record has no such key.
void refuse_unknown_key(const std::string& key, const report::BenchRecord& record,
                        const std::string& file);

/// A column a file; labels are the files' names as far as they differ. Throws UsageError.
BenchColumns columns_by_file(const std::vector<std::string>& files);

/// A column a file, named by the machine or the devices that it describes. Throws UsageError where
/// two files name the same.
BenchColumns columns_by_place(const std::vector<std::string>& files, const std::string& key);

/// A column for each value of a key of one record: `chosen`, the first being the baseline, or all
/// of them. Throws UsageError.
BenchColumns columns_by_key(const std::string& file, const std::string& key,
                            const std::vector<std::string>& chosen = {});

}  // namespace assay::compare
