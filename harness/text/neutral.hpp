// Makes text from a subject, a file or a name harmless: one function per outlet, among them
// comma-separated values, and hides secrets.
//
// For output on several lines of a terminal, see `printable` in harness/protocol/utf8.hpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// For a single line of a terminal: as `printable`, with line breaks and tabs written as `\x0a` and
/// `\x09`, so that no name can look like a line of this program.
std::string one_line(std::string_view text);

/// For the log of a CI system, on several lines: in text that such a system would take for a
/// command (`::add-mask::`, `##[error]`, `##vso[…]`, `##teamcity[…]`), the first `:` or second `#`
/// is written as `\x3a` or `\x23`. Other text is unchanged.
std::string without_ci_commands(std::string_view text);

/// The same for JSON and Python source: `\u0023`, which has the same meaning there.
std::string data_without_ci_commands(std::string_view text);

enum class DataFormat { kJson, kToml };

/// JSON or TOML for a terminal: what `printable` would replace is escaped as the format does
/// (`\u202e`), so that the data stay the same. Invalid UTF-8 becomes U+FFFD.
std::string data_for_terminal(std::string_view text, DataFormat format);

/// For the message of a GitHub workflow command.
std::string for_annotation(std::string_view text);

/// For a property of a workflow command, such as a title.
std::string for_annotation_property(std::string_view text);

/// For one line of Markdown: without markup, HTML, links, mentions of people or issues, and
/// commands to a CI system that shows the file in its log.
std::string for_markdown(std::string_view text);

/// A Markdown code span with this text, including backticks.
std::string markdown_code(std::string_view text);

/// Any text as one field (RFC 4180). Text that a spreadsheet would take for a formula is prefixed
/// with `'`, as spreadsheets do themselves; control characters are escaped as by `printable`,
/// commands to a CI system as by `without_ci_commands`.
std::string for_csv(std::string_view text);

/// `text` with each of `secrets` replaced by `***`, the longest first.
std::string redacted(std::string text, const std::vector<std::string>& secrets);

}  // namespace assay
