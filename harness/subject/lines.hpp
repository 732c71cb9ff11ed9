// Lines through a pipe, for both of its ends: splits bytes into lines, and writes where there may
// be no reader.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace assay {

/// Collects bytes and returns complete lines. Frees the memory of long lines.
class LineBuffer {
 public:
  /// Discards lines longer than `most_bytes`; see `overflowed`.
  explicit LineBuffer(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  void append(std::string_view bytes);
  /// The next line without its `\n` or `\r\n`; nothing if there is no complete line. Valid until
  /// the next call.
  std::optional<std::string_view> next();
  /// The text after the last line break.
  std::string_view rest() const { return std::string_view(bytes_).substr(begin_); }
  /// True once for each line that was too long and was discarded.
  bool overflowed();

 private:
  void compact();

  std::size_t most_bytes_;
  std::string bytes_;
  std::size_t begin_ = 0;    ///< start of the next line
  std::size_t scanned_ = 0;  ///< no line break before this position
  bool discarding_ = false;
  bool overflowed_ = false;
};

/// write(2) without SIGPIPE, which is blocked in this thread during the call: the process's
/// handling of the signal is unchanged.
ssize_t quiet_write(int fd, std::string_view bytes);

}  // namespace assay
