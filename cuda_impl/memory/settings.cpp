// Parses options: a comma-separated list of `key:value`.
#include "cuda_impl/memory/settings.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>
#include <vector>

#include "cuda_impl/core/contract.hpp"
#include "cuda_impl/core/error.hpp"

namespace assay::cuda::memory {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kMostRegisterThreads = 128;

struct Option {
  std::string_view key;
  std::string_view value;
};

[[noreturn]] void refuse(const std::string& text) {
  const bool is_value = rules().is_strict || rules().release >= Release::k2_11;
  throw Error(is_value ? ErrorKind::kValue : ErrorKind::kError, text);
}

std::string shown(const Option& option) {
  return std::string(option.key) + ":" + std::string(option.value);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Splits at separators outside of brackets.
std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool is_end = i == text.size() || (text[i] == separator && depth == 0);
    if (!is_end) {
      depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
      continue;
    }
    const std::string_view part = trimmed(text.substr(begin, i - begin));
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

Option option_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    refuse("expected an option KEY:VALUE of the allocator, got '" + std::string(text) + "'");
  }
  return {trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 1))};
}

template <typename Number>
Number number_of(const Option& option, std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  if (text.empty() || read.ec != std::errc() || read.ptr != end) {
    refuse("expected a number in the option " + shown(option));
  }
  return number;
}

bool bool_of(const Option& option) {
  if (option.value == "True") return true;
  if (option.value == "False") return false;
  refuse("expected True or False in the option " + shown(option));
}

std::size_t divisions_of(const Option& option, std::string_view text) {
  const auto divisions = number_of<std::size_t>(option, text);
  if (divisions == 0 || !std::has_single_bit(divisions)) {
    refuse("expected a power of 2 in the option " + shown(option));
  }
  return divisions;
}

/// `[1:4,2:8,>:2]`: pairs of an interval's start in MiB and its divisions. The first pair also
/// applies to smaller sizes, `>` to all sizes after the last interval.
void set_intervals(Settings& settings, const Option& option) {
  if (!option.value.ends_with(']')) refuse("expected ']' at the end of " + shown(option));
  auto& all = settings.divisions;
  std::size_t behind = 0;
  for (const std::string_view part :
       parts_of(option.value.substr(1, option.value.size() - 2), ',')) {
    const Option interval = option_of(part);
    const std::size_t divisions = divisions_of(option, interval.value);
    if (interval.key == ">") {
      std::fill(all.begin() + static_cast<std::ptrdiff_t>(behind), all.end(), divisions);
      continue;
    }
    const std::size_t mib = divisions_of(option, interval.key);
    const auto index =
        std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(mib)) - 1, all.size() - 1);
    if (behind == 0)
      std::fill(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(index), divisions);
    all[index] = divisions;
    behind = index + 1;
  }
}

void set_divisions(Settings& settings, const Option& option, Release release) {
  if (option.value.starts_with('[') && release != Release::k1_13) {
    return set_intervals(settings, option);
  }
  settings.divisions.fill(divisions_of(option, option.value));
}

/// MEM-018
std::size_t large_bytes_of(const Option& option, Release release) {
  const auto mib = number_of<std::size_t>(option, option.value);
  const std::size_t least = release >= Release::k2_11 ? 20 : 21;
  if (mib < least) {
    refuse("expected " + std::string(option.key) + " to be at least " + std::to_string(least) +
           ", got " + shown(option));
  }
  return std::min(mib, Settings::kUnlimited / kMiB) * kMiB;
}

void set_threshold(Settings& settings, const Option& option) {
  const auto threshold = number_of<double>(option, option.value);
  if (!(threshold > 0 && threshold < 1)) {
    refuse("expected garbage_collection_threshold to be between 0 and 1, got " + shown(option));
  }
  settings.garbage_threshold = threshold;
}

void set_backend(Settings& settings, const Option& option) {
  const bool is_native = option.value == "native";
  if (!is_native && option.value != "cudaMallocAsync") {
    refuse("expected the backend native or cudaMallocAsync, got " + shown(option));
  }
  settings.is_async = !is_native;
}

/// Accepts options of pinned memory and of performance, which have no effect here.
void check_other(const Option& option, Release release) {
  const bool is_known = option.key == "release_lock_on_cudamalloc" ||
                        option.key == "pinned_use_cuda_host_register" ||
                        option.key == "pinned_use_background_threads" ||
                        option.key == "graph_capture_record_stream_reuse";
  if (is_known) return static_cast<void>(bool_of(option));
  if (option.key == "pinned_num_register_threads") {
    if (divisions_of(option, option.value) <= kMostRegisterThreads) return;
    refuse("expected at most 128 threads in the option " + shown(option));
  }
  if (option.key == "pinned_reserve_segment_size_mb" && release >= Release::k2_11) {
    if (number_of<std::size_t>(option, option.value) > 0) return;
    refuse("expected a segment greater than 0 in the option " + shown(option));
  }
  refuse("Unrecognized option of the allocator: " + shown(option));
}

void set_fraction(Settings& settings, const Option& option) {
  const auto fraction = number_of<double>(option, option.value);
  if (!(fraction >= 0 && fraction <= 1)) {
    refuse("expected per_process_memory_fraction to be from 0 to 1, got " + shown(option));
  }
  settings.first_fraction = fraction;
}

void set(Settings& settings, const Option& option, Release release) {
  const bool is_old = release == Release::k1_13;
  if (option.key == "max_split_size_mb") {
    settings.max_split_bytes = large_bytes_of(option, release);
    return;
  }
  if (option.key == "garbage_collection_threshold") return set_threshold(settings, option);
  if (option.key == "roundup_power2_divisions") return set_divisions(settings, option, release);
  if (option.key == "backend" && !is_old) return set_backend(settings, option);
  if (option.key == "expandable_segments" && !is_old) {
    settings.is_expandable = bool_of(option);
    return;
  }
  if (option.key == "max_non_split_rounding_mb" && release >= Release::k2_11) {
    settings.max_waste_bytes = large_bytes_of(option, release);
    return;
  }
  if (option.key == "per_process_memory_fraction" && release >= Release::k2_11) {
    return set_fraction(settings, option);
  }
  if (is_old) refuse("Unrecognized option of the allocator: " + shown(option));
  check_other(option, release);
}

}  // namespace

std::size_t Settings::divisions_for(std::size_t size_bytes) const {
  constexpr int kFirstBit = 20;
  const int bit = static_cast<int>(std::bit_width(size_bytes)) - 1;
  const int index = std::clamp(bit - kFirstBit, 0, static_cast<int>(divisions.size()) - 1);
  return divisions[static_cast<std::size_t>(index)];
}

void set_options(Settings& settings, std::string_view options, Release release) {
  for (const std::string_view part : parts_of(options, ',')) {
    set(settings, option_of(part), release);
  }
}

Settings kept_by_a_call(const Settings& settings) {
  Settings kept;
  kept.is_expandable = settings.is_expandable;
  kept.is_async = settings.is_async;
  kept.first_fraction = settings.first_fraction;
  return kept;
}

}  // namespace assay::cuda::memory
