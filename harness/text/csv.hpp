// Fields of comma-separated values.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Text from anywhere as one field (RFC 4180). What a spreadsheet would take for a formula gets a
/// `'` in front, as spreadsheets write text themselves; control characters are as in `printable`.
std::string for_csv(std::string_view text);

}  // namespace assay
