// The text of files, plain or compressed with gzip.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// True if the bytes begin like a gzip file.
bool is_packed(std::string_view bytes);

/// Decompresses gzip data. Throws std::runtime_error if it is incomplete or larger than
/// 512 MiB.
std::string unpacked(std::string_view packed);

/// The contents of a file with this name: compressed with gzip if the name ends in `.gz`.
/// Deterministic. `level` is zlib's: 1 is fast, 9 is small.
std::string packed_for(const std::string& path, const std::string& text, int level = 9);

}  // namespace assay
