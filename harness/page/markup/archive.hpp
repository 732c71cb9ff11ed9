// The records that a page was made from, packed into it, and taken out again byte for byte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/page/markup/markup.hpp"
#include "harness/page/markup/weave.hpp"

namespace assay::page {

/// The name of a file as a page stores it: without folders, any other character as `_`.
std::string stored_name(std::string_view path);

/// Names that `stored_name` makes equal are told apart by a number.
std::vector<std::string> stored_names(const std::vector<std::string>& paths);

/// A link that saves the file, packed with gzip; the link holds the bytes.
Markup stored(const StoredFile& file, const Markup& content);

/// One link for all of them, woven and packed with gzip: `files_in` takes them apart again.
Markup stored_together(const std::vector<StoredFile>& files, const Markup& content);

/// A file that the page was made from and does not hold.
struct LeftOutFile {
  std::string name;
  std::size_t size_bytes = 0;
};

/// Says so in the page; `left_out_of` finds it again.
Markup left_out(const LeftOutFile& file);

/// What `left_out` put into the page, in its order.
std::vector<LeftOutFile> left_out_of(std::string_view page);

/// The files that `stored` and `stored_together` put into the page, in its order. Throws
/// std::runtime_error when one is damaged.
std::vector<StoredFile> files_in(std::string_view page);

}  // namespace assay::page
