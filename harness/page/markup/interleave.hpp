// Interleaves the lines of many files in one text. Records of the same cases differ in few lines,
// and gzip finds repetitions only nearby: interleaved, thirty records take the space of five.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::page {

struct StoredFile {
  std::string name;  ///< no folder; only letters, digits, `.`, `_` and `-`
  std::string bytes;
};

std::string interleaved(const std::vector<StoredFile>& files);

/// Throws std::runtime_error for text that was not made by `interleaved`.
std::vector<StoredFile> deinterleaved(std::string_view text);

}  // namespace assay::page
