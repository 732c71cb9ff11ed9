// Names of devices, and their text and number forms (CORE-08 to CORE-10).
#include "reference/core/types/device.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

constexpr std::array<std::string_view, kDeviceTypes> kNames{
    "cpu",  "cuda", "mkldnn", "opengl", "opencl", "ideep", "hip",
    "fpga", "ort",  "xla",    "vulkan", "metal",  "xpu",   "mps",
    "meta", "hpu",  "ve",     "lazy",   "ipu",    "mtia",  "privateuseone",
};

}  // namespace

std::string_view name_of(DeviceType type, Release release) {
  if (type == DeviceType::kOrt && release != Release::k1_13) return "maia";
  return kNames[static_cast<std::size_t>(type)];
}

std::optional<DeviceType> device_type_named(std::string_view name, Release release) {
  for (int i = 0; i < kDeviceTypes; ++i) {
    const auto type = static_cast<DeviceType>(i);
    if (type == DeviceType::kMtia && release == Release::k1_13) continue;
    if (name_of(type, release) == name) return type;
  }
  return std::nullopt;
}

std::string to_text(Device device) {
  std::string text(name_of(device.type));
  if (device.index != -1) text += ":" + std::to_string(device.index);
  return text;
}

// Text and number form.

namespace {

/// Empty for types without a key.
constexpr std::array<std::string_view, kDeviceTypes> kKeys{
    "CPU",   "CUDA", "",    "",     "",    "",   "HIP",  "FPGA", "ORT",  "XLA",         "Vulkan",
    "Metal", "XPU",  "MPS", "Meta", "HPU", "VE", "Lazy", "IPU",  "MTIA", "PrivateUse1",
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

struct Parts {
  std::string_view type;
  std::string_view digits;  ///< empty if there is no index
};

bool split(std::string_view text, Parts& parts) {
  const auto end = std::ranges::find_if_not(text, is_letter);
  parts.type = {text.begin(), end};
  if (parts.type.empty()) return false;
  if (end == text.end()) return true;
  parts.digits = {end + 1, text.end()};
  if (*end != ':' || parts.digits.empty()) return false;
  if (!std::ranges::all_of(parts.digits, is_digit)) return false;
  const bool leads_with_zero = parts.digits.size() > 1 && parts.digits.front() == '0';
  return !leads_with_zero;
}

std::string all_names(Release release) {
  std::string names;
  for (int i = 0; i < kDeviceTypes; ++i) {
    const auto type = static_cast<DeviceType>(i);
    if (type == DeviceType::kMtia && release == Release::k1_13) continue;
    if (!names.empty()) names += ", ";
    names += name_of(type, release);
  }
  return names;
}

DeviceType type_of(std::string_view name, std::string_view text, Release release) {
  auto found = device_type_named(name, release);
  check(found.has_value(), [&] {
    return "Expected one of " + all_names(release) +
           " device type at start of device string: " + std::string(text);
  });
  return *found;
}

constexpr std::int64_t kBeyondInt = std::int64_t{1} << 31;

int index_of(std::string_view digits, std::string_view text, const Contract& contract) {
  std::int64_t index = 0;
  for (const char digit : digits) index = std::min(index * 10 + (digit - '0'), kBeyondInt);
  check(index < 128 || (!contract.strict() && index < kBeyondInt), [&] {
    return "Could not parse device index '" + std::string(digits) + "' in device string '" +
           std::string(text) + "'";
  });
  return static_cast<std::int8_t>(index);  // wraps in compat mode ([DEV] of CORE-10)
}

}  // namespace

Device device_from_text(std::string_view text, const Contract& contract) {
  check(!text.empty(), [] { return "a device string must not be empty"; });
  Parts parts;
  check(split(text, parts), [&] { return "Invalid device string: '" + std::string(text) + "'"; });
  const DeviceType type = type_of(parts.type, text, contract.release);
  if (parts.digits.empty()) return {type, -1};
  const int index = index_of(parts.digits, text, contract);
  if (index < 0) return {type, index};
  return make_device(type, index, contract);
}

Device make_device(DeviceType type, std::int64_t index, const Contract& contract) {
  // [DEV] of CORE-09: release builds do not check the index and keep its low eight bits.
  if (!contract.strict()) return {type, static_cast<std::int8_t>(index)};
  check(index >= -1 && index < 128, ErrorKind::kInternal, [&] {
    return "Device index must be -1 or non-negative and below 128, got " + std::to_string(index);
  });
  const bool is_wrong_cpu = type == DeviceType::kCpu && index > 0;
  check(!is_wrong_cpu, ErrorKind::kInternal,
        [&] { return "CPU device index must be -1 or zero, got " + std::to_string(index); });
  return {type, static_cast<int>(index)};
}

int number_of(DeviceType type, Release release) {
  const int number = static_cast<int>(type);
  if (type != DeviceType::kPrivateUse1 || release != Release::k1_13) return number;
  return 19;  // CORE-08: no MTIA yet
}

std::string_view dispatch_key_of(DeviceType type, Release release) {
  if (type == DeviceType::kOrt && release != Release::k1_13) return "MAIA";
  const std::string_view key = kKeys[static_cast<std::size_t>(type)];
  const bool is_refused = type == DeviceType::kMkldnn && release >= Release::k2_14;
  check(!key.empty(), is_refused ? ErrorKind::kNotImplemented : ErrorKind::kInternal, [&] {
    return "device type " + std::string(name_of(type, release)) + " has no dispatch key";
  });
  return key;
}

}  // namespace assay::reference
