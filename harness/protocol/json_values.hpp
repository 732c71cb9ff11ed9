// Reads tagged values; part of the JSON reader.
#pragma once

#include "harness/protocol/json_scan.hpp"

namespace assay {

/// The maximum nesting of values, blocks and replies.
inline constexpr int kDeepestValue = 200;

/// The name of an object: 1 to 128 letters, digits, `_`, `-`, `.` and `#`, after an optional `$`.
/// Names end up in programs and on pages, so nothing else is accepted.
std::string read_name(JsonScanner& scan, std::string_view what);

Value read_value(JsonScanner& scan, int depth);
Fields read_fields(JsonScanner& scan, std::string_view what);
TensorValue read_tensor(JsonScanner& scan);
Value read_sparse(JsonScanner& scan);
Device read_device(JsonScanner& scan);

/// Converts the whole of `text`; throws MalformedMessage.
std::uint64_t unsigned_from_text(std::string_view text, int base, std::string_view what);

}  // namespace assay
