// Text of files, plain or compressed with gzip.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// Do they begin as gzip does?
bool is_packed(std::string_view bytes);

/// The text that was packed with gzip. Throws std::runtime_error when it is not whole, or has more
/// than 512 MiB.
std::string unpacked(std::string_view packed);

/// The text as a file of that name holds it: gzip if the name ends in `.gz`. Equal texts make equal
/// bytes. `level` is that of zlib: 1 is quick, 9 is small.
std::string packed_for(const std::string& path, const std::string& text, int level = 9);

}  // namespace assay
