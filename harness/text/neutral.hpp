// Text that comes from a subject, a file or a name, made harmless: one function an outlet.
//
// A terminal that shows several lines of it: `printable` in harness/protocol/utf8.hpp.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// For a line of a terminal: as `printable`, and a line break or tab is written as `\x0a` or
/// `\x09`, so that no name can look like a line of ours.
std::string one_line(std::string_view text);

/// For the log of a CI system, many lines: what such a system would take for a command
/// (`::add-mask::`, `##[error]`, `##vso[…]`, `##teamcity[…]`) gets its first `:` or second `#`
/// written as `\x3a` or `\x23`. All else stays.
std::string without_ci_commands(std::string_view text);

/// The same for JSON and for Python source: `\u0023`, which means the same there.
std::string data_without_ci_commands(std::string_view text);

/// For the message of a workflow command of GitHub.
std::string for_annotation(std::string_view text);

/// For a property of a workflow command, such as a title.
std::string for_annotation_property(std::string_view text);

/// For one line of Markdown: no markup, no HTML, no link, no mention of a person or an issue.
std::string for_markdown(std::string_view text);

/// A code span of Markdown with this text, backticks and all.
std::string markdown_code(std::string_view text);

}  // namespace assay
