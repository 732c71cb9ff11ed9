// Compresses with gzip, through zlib.
#include "harness/program/text_file.hpp"

#include <zlib.h>

#include <array>
#include <stdexcept>

namespace assay {
namespace {

/// A window of 32 KiB, with a gzip header.
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 9;

}  // namespace

bool is_packed(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

std::string unpacked(std::string_view packed, std::size_t most) {
  if (packed.size() > most) throw std::runtime_error("the compressed data are too long");
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK)
    throw std::runtime_error("zlib failed to initialize");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  std::array<char, 1 << 16> buffer;
  int code = Z_OK;
  while (code == Z_OK && text.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer.data(), buffer.size() - stream.avail_out);
    // A gzip file may be several, one behind the other, as `cat a.gz b.gz` makes it.
    if (code == Z_STREAM_END && stream.avail_in > 0) code = inflateReset(&stream);
  }
  inflateEnd(&stream);
  if (text.size() > most) throw std::runtime_error("the decompressed data are too long");
  if (code != Z_STREAM_END) throw std::runtime_error("the compressed data are incomplete");
  return text;
}

std::string packed_for(const std::string& path, const std::string& text, int level) {
  if (!path.ends_with(".gz")) return text;
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::runtime_error("zlib failed to initialize");
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int code = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (code != Z_STREAM_END) throw std::runtime_error("zlib failed to compress");
  return packed;
}

}  // namespace assay
