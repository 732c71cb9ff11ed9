// The pages of --help, as data and as text.
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
  std::string name;   ///< `assay run`
  std::string usage;  ///< the text after `Usage: `
  std::string description;
  std::vector<HelpGroup> groups;
  /// Lines that begin with `Example:` or a space are not wrapped.
  std::string footer;
};

/// The pages as one document: a heading for each, and its text below.
std::string to_markdown(const std::vector<HelpPage>& pages);

/// Wraps lines at `columns`, except for examples, which can then be copied in one piece.
std::string to_text(const HelpPage& page, std::size_t columns);

}  // namespace assay::cli
