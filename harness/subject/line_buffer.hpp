// Bytes in, lines out: what both ends of a pipe read with.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// Gathers bytes and gives back whole lines. Memory of long lines is given back to the system.
class LineBuffer {
 public:
  /// A line of more than `most_bytes` is not kept: `overflowed` tells.
  explicit LineBuffer(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  void append(std::string_view bytes);
  /// The next line without its `\n` or `\r\n`; nothing when there is no whole line. Valid until the
  /// next call.
  std::optional<std::string_view> next();
  /// What is there after the last line break.
  std::string_view rest() const { return std::string_view(bytes_).substr(begin_); }
  /// True once for each line that was too long and has been thrown away.
  bool overflowed();

 private:
  void compact();

  std::size_t most_bytes_;
  std::string bytes_;
  std::size_t begin_ = 0;    ///< of the line that comes next
  std::size_t scanned_ = 0;  ///< no line break before this
  bool discarding_ = false;
  bool overflowed_ = false;
};

}  // namespace assay
