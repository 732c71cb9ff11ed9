// Names of devices; parses devices and converts them to numbers and dispatch keys.
#include "cuda_impl/core/device/device.hpp"

#include <array>
#include <charconv>

#include "cuda_impl/core/error.hpp"

namespace assay::cuda {
namespace {

/// Indexed by DeviceKind.
constexpr std::array<std::string_view, 21> kNames = {
    "cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
    "fpga", "maia", "xla",    "vulkan", "metal",  "xpu",   "mps",
    "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone"};
static_assert(kNames.size() == static_cast<std::size_t>(DeviceKind::kPrivateUse1) + 1);

}  // namespace

std::string_view name_of(DeviceKind kind, Release release) {
  // CORE-08
  if (kind == DeviceKind::kMaia && release == Release::k1_13) return "ort";
  return kNames[static_cast<std::size_t>(kind)];
}

bool exists_in(DeviceKind kind, Release release) {
  return kind != DeviceKind::kMtia || release != Release::k1_13;
}

std::optional<DeviceKind> device_kind_named(std::string_view name, Release release) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    const auto kind = static_cast<DeviceKind>(i);
    if (exists_in(kind, release) && name_of(kind, release) == name) return kind;
  }
  return std::nullopt;
}

std::string to_text(Device device, Release release) {
  std::string text(name_of(device.kind, release));
  if (device.index != -1) text += ":" + std::to_string(device.index);
  return text;
}

namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(DeviceKind::kPrivateUse1) + 1;

/// Indexed by DeviceKind; empty for kinds without a backend.
constexpr std::array<std::string_view, kKinds> kKeys = {
    "CPU",   "CUDA", "",    "",     "",    "",   "HIP",  "FPGA", "MAIA", "XLA",        "Vulkan",
    "Metal", "XPU",  "MPS", "Meta", "HPU", "VE", "Lazy", "IPU",  "MTIA", "PrivateUse1"};

constexpr std::int64_t kMostIndex = 127;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

template <typename Belongs>
bool all_of(std::string_view text, const Belongs& belongs) {
  for (const char c : text) {
    if (!belongs(c)) return false;
  }
  return !text.empty();
}

struct Parts {
  std::string_view kind;
  std::string_view index;  ///< empty if there is none
};

Parts parts_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  const Parts parts = {text.substr(0, colon), colon == std::string_view::npos
                                                  ? std::string_view()
                                                  : text.substr(colon + 1)};
  const bool has_index = colon != std::string_view::npos;
  const bool is_index = !has_index || (all_of(parts.index, is_digit) &&
                                       (parts.index.size() == 1 || parts.index.front() != '0'));
  require(all_of(parts.kind, is_letter) && is_index,
          [&] { return "Invalid device string: '" + std::string(text) + "'"; });
  return parts;
}

std::string all_kinds(Release release) {
  std::string list;
  for (std::size_t i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<DeviceKind>(i);
    if (!exists_in(kind, release)) continue;
    list += (list.empty() ? "" : ", ") + std::string(name_of(kind, release));
  }
  return list;
}

/// CORE-10: an int is truncated to 8 bits, or rejected if it does not fit (strict).
int index_from(std::string_view digits, std::string_view text, const Contract& contract) {
  int index = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool is_readable = code == std::errc() && (!contract.is_strict || index <= kMostIndex);
  require(is_readable, [&] {
    return "Could not parse device index '" + std::string(digits) + "' in device string '" +
           std::string(text) + "'";
  });
  return static_cast<std::int8_t>(index);
}

void check_index(DeviceKind kind, std::int64_t index) {
  require(index >= -1 && index <= kMostIndex, ErrorKind::kInternal, [&] {
    return "Device index must be -1 or non-negative, and at most 127, got " + std::to_string(index);
  });
  require(kind != DeviceKind::kCpu || index <= 0, ErrorKind::kInternal,
          [&] { return "CPU device index must be -1 or zero, got " + std::to_string(index); });
}

}  // namespace

Device device_from_text(std::string_view text, const Contract& contract) {
  require(!text.empty(), [] { return "Device string must not be empty"; });
  const Parts parts = parts_of(text);
  const auto kind = device_kind_named(parts.kind, contract.release);
  require(kind.has_value(), [&] {
    return "Expected one of " + all_kinds(contract.release) +
           " device type at start of device string: " + std::string(parts.kind);
  });
  const int index = parts.index.empty() ? -1 : index_from(parts.index, text, contract);
  return make_device(*kind, index, contract);
}

Device make_device(DeviceKind kind, std::int64_t index, const Contract& contract) {
  if (contract.is_strict) check_index(kind, index);
  return {kind, static_cast<std::int8_t>(index)};
}

std::int64_t number_of(DeviceKind kind, Release release) {
  // 1.13 has no MTIA before it.
  if (kind == DeviceKind::kPrivateUse1 && release == Release::k1_13) return 19;
  return static_cast<std::int64_t>(kind);
}

/// PyTorch 2.14 began to refuse mkldnn, the first of the legacy types, with an error of its own.
ErrorKind error_without_key(DeviceKind kind, Release release) {
  const bool is_new = kind == DeviceKind::kMkldnn && release >= Release::k2_14;
  return is_new ? ErrorKind::kNotImplemented : ErrorKind::kInternal;
}

std::string_view dispatch_key_of(DeviceKind kind, Release release) {
  const std::string_view key = kKeys[static_cast<std::size_t>(kind)];
  require(!key.empty(), error_without_key(kind, release), [&] {
    return "This is a grandfathered Caffe2 device type " + std::string(name_of(kind, release)) +
           ", it shouldn't ever convert to a DispatchKey";
  });
  if (kind == DeviceKind::kMaia && release == Release::k1_13) return "ORT";
  return key;
}

}  // namespace assay::cuda
