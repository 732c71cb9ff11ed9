// Splits a stream of bytes into lines.
#include "harness/subject/line_buffer.hpp"

#include <malloc.h>

#include <utility>

namespace assay {
namespace {

/// A larger buffer is not kept for the next line.
constexpr std::size_t kKeptBytes = std::size_t{1} << 20;

}  // namespace

void LineBuffer::append(std::string_view bytes) {
  compact();
  if (discarding_) {
    const auto line_break = bytes.find('\n');
    if (line_break == std::string_view::npos) return;
    discarding_ = false;
    bytes.remove_prefix(line_break + 1);
  }
  bytes_ += bytes;
  const bool too_long =
      bytes_.size() > most_bytes_ && bytes_.find('\n', scanned_) == std::string::npos;
  if (!too_long) return;
  bytes_.clear();
  scanned_ = 0;
  compact();
  discarding_ = true;
  overflowed_ = true;
}

std::optional<std::string_view> LineBuffer::next() {
  const auto line_break = bytes_.find('\n', scanned_);
  if (line_break == std::string::npos) {
    compact();
    scanned_ = bytes_.size();
    return std::nullopt;
  }
  std::string_view line(bytes_.data() + begin_, line_break - begin_);
  begin_ = scanned_ = line_break + 1;
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool LineBuffer::overflowed() { return std::exchange(overflowed_, false); }

void LineBuffer::compact() {
  if (begin_ == 0 && !bytes_.empty()) return;
  bytes_.erase(0, begin_);
  scanned_ -= begin_;
  begin_ = 0;
  if (bytes_.capacity() <= kKeptBytes || bytes_.size() > kKeptBytes / 2) return;
  bytes_.shrink_to_fit();
  malloc_trim(0);
}

}  // namespace assay
