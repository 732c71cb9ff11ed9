// The text of files, plain or compressed with gzip.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// True if the bytes begin like a gzip file.
bool is_packed(std::string_view bytes);

/// The most bytes that are made of a file or a page.
inline constexpr std::size_t kMostUnpackedBytes = std::size_t{512} << 20;

/// Decompresses gzip data. Throws std::runtime_error if it is incomplete or longer than `most`.
std::string unpacked(std::string_view packed, std::size_t most = kMostUnpackedBytes);

/// The contents of a file with this name: compressed with gzip if the name ends in `.gz`.
/// Deterministic. `level` is zlib's: 1 is fast, 9 is small.
std::string packed_for(const std::string& path, const std::string& text, int level = 9);

}  // namespace assay
