// Packs the records of a page into it, and extracts them unchanged.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/page/markup/markup.hpp"

namespace assay::page {

// Base64 (RFC 4648, with padding), used in `data:` links.

std::string to_base64(std::string_view bytes);

/// Nothing if the text is not valid base64.
std::optional<std::string> from_base64(std::string_view text);

// Interleaves the lines of many files in one text. Records of the same cases differ in few lines,
// and gzip finds repetitions only nearby: interleaved, thirty records take the space of five.

struct StoredFile {
  std::string name;  ///< no folder; only letters, digits, `.`, `_` and `-`
  std::string bytes;
};

std::string interleaved(const std::vector<StoredFile>& files);

/// Throws std::runtime_error for text that was not made by `interleaved`.
std::vector<StoredFile> deinterleaved(std::string_view text);

/// The name of a file as stored in a page: without folders, other characters replaced by `_`.
std::string stored_name(std::string_view path);

/// Names made equal by `stored_name` get a distinguishing number.
std::vector<std::string> stored_names(const std::vector<std::string>& paths);

/// A link that contains the file, compressed with gzip, and saves it.
Markup stored(const StoredFile& file, const Markup& content);

/// One link for all files, interleaved and compressed with gzip; `files_in` separates them again.
Markup stored_together(const std::vector<StoredFile>& files, const Markup& content);

/// A file from which the page was made and which it does not contain.
struct LeftOutFile {
  std::string name;
  std::size_t size_bytes = 0;
};

/// Marks the file as left out; `left_out_of` finds the mark.
Markup left_out(const LeftOutFile& file);

/// The files marked by `left_out`, in order of the page.
std::vector<LeftOutFile> left_out_of(std::string_view page);

/// The files packed by `stored` and `stored_together`, in order of the page. Throws
/// std::runtime_error if one is damaged.
std::vector<StoredFile> files_in(std::string_view page);

}  // namespace assay::page
