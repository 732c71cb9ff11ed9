// The pages that --help shows, as data and as text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay::cli {

struct HelpEntry {
  std::string what;  ///< `-j,--jobs N`, or the name of a command
  std::string text;
};

struct HelpGroup {
  std::string title;
  std::vector<HelpEntry> entries;
};

struct HelpPage {
  std::string usage;  ///< behind `Usage: `
  std::string description;
  std::vector<HelpGroup> groups;
  /// Lines that begin with `Example:` or a space stay as they are; others are wrapped.
  std::string footer;
};

/// In lines of at most `columns`, except for examples, which can be copied in one piece.
std::string to_text(const HelpPage& page, std::size_t columns);

}  // namespace assay::cli
