// Formats fields of comma-separated values.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Any text as one field (RFC 4180). Text that a spreadsheet would take for a formula is prefixed
/// with `'`, as spreadsheets do themselves; control characters are escaped as by `printable`.
std::string for_csv(std::string_view text);

}  // namespace assay
