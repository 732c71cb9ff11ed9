// Computes digests, and reads records for the archive.
#include "harness/archive/entry.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "harness/program/text_file.hpp"
#include "harness/protocol/utf8.hpp"
#include "harness/text/neutral.hpp"

namespace assay::archive {

// SHA-256 as in FIPS 180-4. The constants are computed as the standard defines them: the first bits
// of the fractions of roots of primes.

namespace {

using Word = std::uint32_t;
using Wide = unsigned __int128;

/// The first 32 bits of the fraction of the `root`th root: the largest x with x^root <= prime *
/// 2^(32 * root), without its integer part.
constexpr Word fraction_of_root(unsigned prime, unsigned root) {
  Wide low = 0;
  Wide high = Wide{1} << 37;
  while (high - low > 1) {
    const Wide middle = (low + high) / 2;
    // For cubes, 111 bits are needed for x^3 and 105 for the other side.
    const Wide power = root == 2 ? middle * middle : middle * middle * middle;
    (power <= Wide{prime} << (32 * root) ? low : high) = middle;
  }
  return static_cast<Word>(low);
}

constexpr std::array<unsigned, 64> kPrimes = [] {
  std::array<unsigned, 64> primes{};
  std::size_t count = 0;
  for (unsigned number = 2; count < primes.size(); ++number) {
    bool is_prime = true;
    for (unsigned divisor = 2; divisor * divisor <= number; ++divisor) {
      is_prime = is_prime && number % divisor != 0;
    }
    if (is_prime) primes[count++] = number;
  }
  return primes;
}();

constexpr std::array<Word, 64> kRounds = [] {
  std::array<Word, 64> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = fraction_of_root(kPrimes[i], 3);
  return words;
}();

using State = std::array<Word, 8>;

constexpr State kStart = [] {
  State words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = fraction_of_root(kPrimes[i], 2);
  return words;
}();

void absorb(State& state, const unsigned char* block) {
  std::array<Word, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = static_cast<Word>(block[4 * i]) << 24 | static_cast<Word>(block[4 * i + 1]) << 16 |
           static_cast<Word>(block[4 * i + 2]) << 8 | static_cast<Word>(block[4 * i + 3]);
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const Word early = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const Word late = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + early + w[i - 7] + late;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const Word mixed_e = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const Word first = h + mixed_e + ((e & f) ^ (~e & g)) + kRounds[i] + w[i];
    const Word mixed_a = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const Word second = mixed_a + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const State mixed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += mixed[i];
}

}  // namespace

std::string sha256_of(std::string_view text) {
  State state = kStart;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t done = 0;
  for (; text.size() - done >= 64; done += 64) absorb(state, bytes + done);
  std::string rest(text.substr(done));
  rest += '\x80';
  while (rest.size() % 64 != 56) rest += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) rest += static_cast<char>(bits >> shift & 0xff);
  for (std::size_t i = 0; i < rest.size(); i += 64) {
    absorb(state, reinterpret_cast<const unsigned char*>(rest.data()) + i);
  }
  std::string digits;
  for (const Word word : state) digits += fmt::format("{:08x}", word);
  return digits;
}

// Records.

namespace {

/// The value of `"schema"` at the beginning of a record.
std::string schema_in(std::string_view text) {
  constexpr std::string_view kMember = R"({"schema":")";
  if (!text.starts_with(kMember)) return {};
  text.remove_prefix(kMember.size());
  return std::string(text.substr(0, text.find('"')));
}

/// The position behind the string that begins at the quote there.
std::size_t end_of_string(std::string_view bytes, std::size_t quote) {
  std::size_t at = bytes.find_first_of("\"\\", quote + 1);
  while (at < bytes.size() && bytes[at] == '\\') at = bytes.find_first_of("\"\\", at + 2);
  if (at >= bytes.size()) throw std::runtime_error("the text ends inside of a record");
  return at + 1;
}

/// Splits JSON texts at their outermost ends, without reading them: the readers of records do.
class Splitter {
 public:
  std::vector<std::string> texts(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t end = bytes[at] == '"' ? end_of_string(bytes, at) : at + 1;
      const bool is_blank =
          bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\t' || bytes[at] == '\r';
      if (!is_blank) take(bytes.substr(at, end - at));
      at = end;
    }
    if (!text_.empty()) throw std::runtime_error("the text ends inside of a record");
    return std::move(texts_);
  }

 private:
  void take(std::string_view word) {
    text_ += word;
    const char c = word.front();
    if (c == '{' || c == '[') ++depth_;
    if (c == '}' || c == ']') --depth_;
    if (depth_ > 0) return;
    if (depth_ < 0 || c != '}') throw std::runtime_error("it is no JSON object");
    texts_.push_back(std::move(text_));
    text_.clear();
  }

  std::vector<std::string> texts_;
  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::vector<std::string> texts_in(std::string_view bytes) {
  if (is_packed(bytes)) return Splitter().texts(unpacked(bytes));
  return Splitter().texts(bytes);
}

std::string hash_of(std::string_view text) {
  return sha256_of(data_without_ci_commands(data_for_terminal(text, DataFormat::kJson)));
}

Entry entry_of(std::string text, const std::string& file, const Labels& labels, std::string hash) {
  Entry entry;
  const std::string schema = schema_in(text);
  if (schema.starts_with("assay.run/")) {
    entry.run = report::run_from_json(text);
  } else if (schema.starts_with("assay.bench/")) {
    entry.bench = report::bench_from_json(text);
  } else if (schema.empty()) {
    throw std::runtime_error("it has no member \"schema\" at its beginning, which records have");
  } else {
    throw std::runtime_error(fmt::format(
        "its schema is '{}'; the archive keeps records of runs and benches", printable(schema)));
  }
  entry.hash = hash.empty() ? hash_of(text) : std::move(hash);
  entry.file = file;
  entry.packed = packed_for(".gz", text, 1);
  entry.text = std::move(text);
  entry.labels = labels;
  return entry;
}

}  // namespace assay::archive
