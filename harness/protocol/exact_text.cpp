// Converts doubles to text without loss: hexadecimal, or names for non-finite values.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "harness/protocol/json.hpp"

namespace assay {
namespace {

constexpr std::uint64_t kUsualNan = 0x7ff8000000000000;

std::optional<double> nan_with_payload(std::string_view digits) {
  std::uint64_t bits = 0;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), bits, 16);
  if (failure != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  const auto value = std::bit_cast<double>(bits);
  if (!std::isnan(value)) return std::nullopt;
  return value;
}

}  // namespace

std::string exact_text(double value) {
  char buffer[40];
  if (std::isnan(value)) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits == kUsualNan) return "nan";
    const auto [end, failure] = std::to_chars(buffer, buffer + sizeof buffer, bits, 16);
    return "nan:" + std::string(buffer, end);
  }
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const auto [end, failure] =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::hex);
  return (std::signbit(value) ? "-0x" : "0x") + std::string(buffer, end);
}

std::optional<double> exact_from_text(std::string_view text) {
  if (text == "nan") return std::bit_cast<double>(kUsualNan);
  if (text.starts_with("nan:")) return nan_with_payload(text.substr(4));
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  double magnitude = 0;
  if (text == "inf") {
    magnitude = std::numeric_limits<double>::infinity();
  } else {
    if (!text.starts_with("0x")) return std::nullopt;
    text.remove_prefix(2);
    if (text.empty() || text.front() == '-') return std::nullopt;
    const auto [end, failure] =
        std::from_chars(text.data(), text.data() + text.size(), magnitude, std::chars_format::hex);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  }
  return negative ? -magnitude : magnitude;
}

}  // namespace assay
