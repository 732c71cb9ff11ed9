// Text in files, plain or compressed with gzip.
#pragma once

#include <string>
#include <string_view>

namespace assay {

/// The text of the file, whether it is plain or gzip. Throws std::runtime_error when it cannot be
/// read whole.
std::string read_text_file(const std::string& path);

/// The text that was packed with gzip. Throws std::runtime_error when it is not whole.
std::string unpacked(std::string_view packed);

/// The text as a file of that name holds it: gzip if the name ends in `.gz`. Equal texts make equal
/// bytes. `level` is that of zlib: 1 is quick, 9 is small.
std::string packed_for(const std::string& path, const std::string& text, int level = 9);

}  // namespace assay
