// Lays out help pages.
#include "harness/cli/command_line/help_page.hpp"

#include <algorithm>
#include <string_view>

#include "harness/text/columns.hpp"
#include "harness/text/wrapped.hpp"

namespace assay::cli {
namespace {

constexpr std::size_t kMargin = 2;
constexpr std::size_t kAnyNumber = 1000;

/// The column where the descriptions begin: after the names, unless these are long.
std::size_t text_column(const HelpPage& page, std::size_t columns) {
  const std::size_t most = std::min<std::size_t>(columns / 3, 32);
  std::size_t widest = 0;
  for (const HelpGroup& group : page.groups) {
    for (const HelpEntry& entry : group.entries) {
      const std::size_t width = kMargin + columns_of(entry.what) + 2;
      if (width <= most) widest = std::max(widest, width);
    }
  }
  return std::max<std::size_t>(widest, 12);
}

std::string to_text(const HelpEntry& entry, std::size_t column, std::size_t columns) {
  std::string text = wrapped(entry.text, column, columns, kAnyNumber);
  const std::string name = std::string(kMargin, ' ') + entry.what;
  const std::size_t width = columns_of(name);
  if (width + 2 > column) return name + "\n" + (entry.text.empty() ? "" : text);
  return text.replace(0, width, name);
}

std::string footer_text(std::string_view footer, std::size_t columns) {
  std::string text;
  while (!footer.empty()) {
    const std::size_t end = std::min(footer.find('\n'), footer.size());
    const std::string_view line = footer.substr(0, end);
    const bool stays = line.starts_with("Example:") || line.starts_with(' ');
    text += stays ? std::string(line) + "\n" : wrapped(line, 0, columns, kAnyNumber);
    footer.remove_prefix(std::min(end + 1, footer.size()));
  }
  return text;
}

}  // namespace

std::string to_text(const HelpPage& page, std::size_t columns) {
  std::string text =
      "Usage: " + page.usage + "\n\n" + wrapped(page.description, 0, columns, kAnyNumber);
  const std::size_t column = text_column(page, columns);
  for (const HelpGroup& group : page.groups) {
    text += "\n" + group.title + ":\n";
    for (const HelpEntry& entry : group.entries) text += to_text(entry, column, columns);
  }
  return page.footer.empty() ? text : text + "\n" + footer_text(page.footer, columns);
}

}  // namespace assay::cli
