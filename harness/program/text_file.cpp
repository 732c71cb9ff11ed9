// Plain and gzip files, through zlib.
#include "harness/program/text_file.hpp"

#include <zlib.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace assay {
namespace {

/// Window of 32 KiB, and a gzip header around it.
constexpr int kGzipWindow = 15 + 16;
constexpr int kMemoryLevel = 9;
/// What a small file holds packed, and some devices, has no end.
constexpr std::size_t kMostBytes = std::size_t{512} << 20;

struct Closer {
  void operator()(gzFile_s* file) const { gzclose_r(file); }
};

}  // namespace

std::string read_text_file(const std::string& path) {
  const std::unique_ptr<gzFile_s, Closer> file(gzopen(path.c_str(), "rb"));
  if (file == nullptr) throw std::runtime_error("cannot read " + path);
  std::string text;
  std::array<char, 1 << 16> buffer;
  int count = 0;
  while ((count = gzread(file.get(), buffer.data(), buffer.size())) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > kMostBytes)
      throw std::runtime_error("cannot read " + path + ": it is too long");
  }
  int code = Z_OK;
  const std::string problem = gzerror(file.get(), &code);
  if (count < 0 || code != Z_OK) throw std::runtime_error("cannot read " + path + ": " + problem);
  return text;
}

std::string unpacked(std::string_view packed) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) throw std::runtime_error("zlib does not start");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string text;
  std::array<char, 1 << 16> buffer;
  int code = Z_OK;
  while (code == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    code = inflate(&stream, Z_NO_FLUSH);
    text.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (code != Z_STREAM_END) throw std::runtime_error("what was packed is not whole");
  return text;
}

std::string packed_for(const std::string& path, const std::string& text, int level) {
  if (!path.ends_with(".gz")) return text;
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::runtime_error("zlib does not start");
  }
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int code = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (code != Z_STREAM_END) throw std::runtime_error("zlib does not finish");
  return packed;
}

}  // namespace assay
