// Reading tagged values; part of the JSON reader.
#pragma once

#include "harness/protocol/json_scan.hpp"

namespace assay {

/// Values, blocks and replies may nest this deep in themselves.
inline constexpr int kDeepestValue = 200;

Value read_value(JsonScanner& scan, int depth);
Fields read_fields(JsonScanner& scan, std::string_view what);
TensorValue read_tensor(JsonScanner& scan);
Value read_sparse(JsonScanner& scan);
Device read_device(JsonScanner& scan);

/// The whole of `text` as a number; throws MalformedMessage.
std::uint64_t unsigned_from_text(std::string_view text, int base, std::string_view what);

}  // namespace assay
