// Fields of comma-separated values.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Text from anywhere as one field (RFC 4180). What a spreadsheet would take for a formula gets a
/// `'` in front, as spreadsheets write text themselves.
std::string for_csv(std::string_view text);

}  // namespace assay
