// The records that a page was made from, packed into it, and taken out again byte for byte.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/page/markup.hpp"

namespace assay::page {

struct StoredFile {
  std::string name;  ///< no folder in it, and nothing but letters, digits, `.`, `_` and `-`
  std::string bytes;
};

/// The name of a file as a page stores it: without folders, any other character as `_`.
std::string stored_name(std::string_view path);

/// Names that `stored_name` makes equal are told apart by a number.
std::vector<std::string> stored_names(const std::vector<std::string>& paths);

/// A link that saves the file, packed with gzip; the link holds the bytes.
Markup stored(const StoredFile& file, const Markup& content);

/// The files that `stored` put into the page, in its order. Throws std::runtime_error when one is
/// damaged.
std::vector<StoredFile> files_in(std::string_view page);

}  // namespace assay::page
