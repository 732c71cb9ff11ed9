// Tokenizes the option text and parses it key by key (MEM-018, MEM-019).
#include "reference/memory/config.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <string_view>
#include <vector>

#include "reference/core/types/error.hpp"
#include "reference/memory/block.hpp"

namespace assay::reference {
namespace {

constexpr std::string_view kSigns = ",:[]";

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char letter : text) {
    if (std::isspace(static_cast<unsigned char>(letter)) != 0) continue;
    const bool is_sign = kSigns.find(letter) != std::string_view::npos;
    if (is_sign || !in_word) words.emplace_back();
    words.back() += letter;
    in_word = !is_sign;
  }
  return words;
}

class OptionReader {
 public:
  OptionReader(AllocatorConfig& config, const std::string& text, Release release)
      : config_(config), release_(release), words_(words_of(text)) {}

  void read_all() {
    while (at_ < words_.size()) {
      read_option(words_[at_++]);
      if (at_ < words_.size()) expect(",");
    }
  }

 private:
  ErrorKind kind() const {
    return release_ >= Release::k2_11 ? ErrorKind::kValue : ErrorKind::kError;
  }
  [[noreturn]] void refuse(const std::string& text) const { throw Error(kind(), text); }

  const std::string& next(const std::string& wanted) {
    if (at_ >= words_.size()) {
      const ErrorKind missing =
          release_ >= Release::k2_11 ? ErrorKind::kInternal : ErrorKind::kError;
      throw Error(missing, "allocator configuration: expected " + wanted + ", the text ends");
    }
    return words_[at_++];
  }
  void expect(const std::string& sign) {
    const std::string& seen = next("'" + sign + "'");
    if (seen != sign) {
      refuse("allocator configuration: expected '" + sign + "', got '" + seen + "'");
    }
  }
  std::string value_of(const std::string& key) {
    expect(":");
    return next("a value of " + key);
  }

  void read_option(const std::string& key);
  bool read_later_option(const std::string& key);

  std::uint64_t integer(const std::string& key, const std::string& word) const {
    const bool is_number = !word.empty() && word.size() < 19 &&
                           std::all_of(word.begin(), word.end(),
                                       [](char letter) { return letter >= '0' && letter <= '9'; });
    if (!is_number) refuse("allocator option " + key + ": expected an integer, got '" + word + "'");
    return std::stoull(word);
  }
  double real(const std::string& key, const std::string& word) const {
    try {
      return std::stod(word);
    } catch (const std::exception&) {
      refuse("allocator option " + key + ": expected a number, got '" + word + "'");
    }
  }
  bool boolean(const std::string& key) {
    const std::string word = value_of(key);
    if (word != "True" && word != "False") {
      refuse("allocator option " + key + ": Expected 'True' or 'False', got '" + word + "'");
    }
    return word == "True";
  }
  /// The minimum is 20, and more before 2.11 (MEM-018).
  std::uint64_t mebibytes(const std::string& key) {
    const std::string word = value_of(key);
    const std::uint64_t count = integer(key, word);
    const bool may_be_20 = release_ >= Release::k2_11;
    if (count < 20 || (count == 20 && !may_be_20)) {
      refuse("CachingAllocator option " + key + " too small, must be " +
             (may_be_20 ? ">= 20, got " : "> 20, got ") + word);
    }
    return count * kMiB;
  }

  void read_threshold(const std::string& key);
  void read_divisions(const std::string& key);
  void read_intervals(const std::string& key);
  std::uint64_t divisions(const std::string& key, const std::string& word, bool may_be_none) const;
  void read_backend(const std::string& key);
  void read_fraction(const std::string& key);
  void read_threads(const std::string& key);
  void read_pinned_reserve(const std::string& key);

  AllocatorConfig& config_;
  Release release_;
  std::vector<std::string> words_;
  std::size_t at_ = 0;
};

void OptionReader::read_option(const std::string& key) {
  if (key == "max_split_size_mb") {
    config_.max_split_size = mebibytes(key);
  } else if (key == "garbage_collection_threshold") {
    read_threshold(key);
  } else if (key == "roundup_power2_divisions") {
    read_divisions(key);
  } else if (release_ < Release::k2_4 || !read_later_option(key)) {
    refuse("Unrecognized key '" + key + "' in the allocator's configuration");
  }
}

/// Parses an option of 2.x; returns false if the release does not have it.
bool OptionReader::read_later_option(const std::string& key) {
  if (key == "expandable_segments") {
    config_.expandable_segments = boolean(key);
    return true;
  }
  if (key == "backend") {
    read_backend(key);
    return true;
  }
  if (key == "release_lock_on_cudamalloc" || key == "pinned_use_cuda_host_register") {
    boolean(key);  // affects only performance
    return true;
  }
  if (key == "pinned_num_register_threads") {
    read_threads(key);
    return true;
  }
  if (release_ < Release::k2_11) return false;
  if (key == "max_non_split_rounding_mb") {
    config_.max_non_split_rounding = mebibytes(key);
  } else if (key == "graph_capture_record_stream_reuse") {
    config_.frees_captured_uses_early = boolean(key);
  } else if (key == "pinned_use_background_threads") {
    boolean(key);
  } else if (key == "per_process_memory_fraction") {
    read_fraction(key);
  } else if (key == "pinned_reserve_segment_size_mb") {
    read_pinned_reserve(key);
  } else {
    return false;
  }
  return true;
}

void OptionReader::read_threshold(const std::string& key) {
  const std::string word = value_of(key);
  const double threshold = real(key, word);
  if (!(threshold > 0 && threshold < 1)) {
    refuse("allocator option " + key + " is invalid, set it in (0.0, 1.0), got " + word);
  }
  config_.garbage_collection_threshold = threshold;
}

void OptionReader::read_fraction(const std::string& key) {
  const std::string word = value_of(key);
  const double fraction = real(key, word);
  if (!(fraction >= 0 && fraction <= 1)) {
    refuse("allocator option " + key + " is invalid, set it in [0.0, 1.0], got " + word);
  }
  config_.memory_fraction = fraction;
}

/// The number of threads that register pinned memory affects only performance.
void OptionReader::read_threads(const std::string& key) {
  constexpr std::uint64_t kMost = 128;
  const std::string word = value_of(key);
  const std::uint64_t threads = integer(key, word);
  if (!std::has_single_bit(threads)) {
    refuse("allocator option " + key + " has to be a power of 2, got " + word);
  }
  if (threads > kMost) refuse("allocator option " + key + " is at most 128, got " + word);
}

void OptionReader::read_pinned_reserve(const std::string& key) {
  if (integer(key, value_of(key)) == 0) {
    refuse("allocator option " + key + ": the segment in reserve has to be greater than 0");
  }
}

void OptionReader::read_backend(const std::string& key) {
  const std::string word = value_of(key);
  const auto backend = allocator_backend_named(word);
  if (!backend) {
    refuse("Unknown allocator backend '" + word + "', options are native and cudaMallocAsync");
  }
  config_.backend = *backend;
}

std::uint64_t OptionReader::divisions(const std::string& key, const std::string& word,
                                      bool may_be_none) const {
  const std::uint64_t count = integer(key, word);
  const bool is_none = may_be_none && count == 0;
  if (!is_none && !std::has_single_bit(count)) {
    refuse("allocator option " + key + ": the divisions have to be a power of 2, got " + word);
  }
  return count;
}

void OptionReader::read_divisions(const std::string& key) {
  expect(":");
  const std::string& word = next("a value of " + key);
  if (word == "[" && release_ >= Release::k2_4) return read_intervals(key);
  config_.power2_divisions.fill(divisions(key, word, false));
}

/// `256:1,512:2,>:8]`: the first interval includes all smaller sizes, `>` all larger ones.
void OptionReader::read_intervals(const std::string& key) {
  auto& all = config_.power2_divisions;
  std::size_t last = 0;
  bool is_first = true;
  for (std::string sign = ","; sign == ","; sign = next("']'")) {
    const std::string from = next("an interval of " + key);
    const std::uint64_t count = divisions(key, value_of(key), true);
    if (from == ">") {
      std::fill(all.begin() + static_cast<std::ptrdiff_t>(last), all.end(), count);
      continue;
    }
    const std::uint64_t mebibytes = integer(key, from);
    if (!std::has_single_bit(mebibytes)) {
      refuse("allocator option " + key + ": the intervals have to be a power of 2, got " + from);
    }
    last = std::min<std::size_t>(static_cast<std::size_t>(std::countr_zero(mebibytes)),
                                 all.size() - 1);
    if (is_first) std::fill(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(last), count);
    all[last] = count;
    is_first = false;
  }
}

}  // namespace

void AllocatorConfig::forget_options_of_a_call() {
  const AllocatorConfig defaults;
  max_split_size = defaults.max_split_size;
  max_non_split_rounding = defaults.max_non_split_rounding;
  garbage_collection_threshold = defaults.garbage_collection_threshold;
  power2_divisions = defaults.power2_divisions;
}

std::uint64_t AllocatorConfig::divisions_for(std::uint64_t size) const {
  const int log = static_cast<int>(std::bit_width(size)) - 1;
  const auto interval = static_cast<std::size_t>(std::max(log - 20, 0));
  return power2_divisions[std::min(interval, kIntervals - 1)];
}

void parse_options(AllocatorConfig& config, const std::string& text, Release release) {
  OptionReader(config, text, release).read_all();
}

std::optional<AllocatorBackend> allocator_backend_named(const std::string& name) {
  if (name == "native") return AllocatorBackend::kNative;
  if (name == "cudaMallocAsync") return AllocatorBackend::kAsync;
  return std::nullopt;
}

}  // namespace assay::reference
