// Many files as one text in which their lines take turns. Records of the same cases differ in few
// lines, and gzip sees what repeats only where it is near: woven, thirty are as long as five.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::page {

struct StoredFile {
  std::string name;  ///< no folder in it, and nothing but letters, digits, `.`, `_` and `-`
  std::string bytes;
};

std::string woven(const std::vector<StoredFile>& files);

/// Throws std::runtime_error for what `woven` has not made.
std::vector<StoredFile> unwoven(std::string_view text);

}  // namespace assay::page
