// Formats fields of comma-separated values.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Any text as one field (RFC 4180). Text that a spreadsheet would take for a formula is prefixed
/// with `'`, as spreadsheets do themselves; control characters are escaped as by `printable`,
/// commands to a CI system as by `without_ci_commands`.
std::string for_csv(std::string_view text);

}  // namespace assay
