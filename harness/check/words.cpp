// Formats values.
#include "harness/check/words.hpp"

#include <algorithm>
#include <charconv>

#include "harness/check/compare.hpp"
#include "harness/protocol/json.hpp"

namespace assay {
namespace {

constexpr std::size_t kMostElements = 8;

/// The shortest decimal that converts back to the same double.
std::string decimal(double value) {
  char buffer[40];
  const auto [end, failure] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

std::string hex_digits(Dtype dtype, std::uint64_t bits) {
  std::string text(bits_per_element(dtype) / 4, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit) {
    *digit = "0123456789abcdef"[bits & 15];
    bits >>= 4;
  }
  return text;
}

std::string element_decimal(const TensorValue& tensor, std::size_t index) {
  if (tensor.dtype == Dtype::kInt64) {
    return std::to_string(static_cast<std::int64_t>(tensor.bits_at(index)));
  }
  return decimal(tensor.real_at(index));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  }
  return text + "]";
}

std::string tensor_in_words(const TensorValue& tensor) {
  std::string text =
      "tensor " + std::string(name_of(tensor.dtype)) + " " + shape_text(tensor.shape);
  if (!tensor.strides.empty()) text += " strides " + shape_text(tensor.strides);
  if (!tensor.device.type.empty()) text += " on " + to_text(tensor.device);
  if (tensor.recipe) return text + " by recipe";
  if (tensor.digest) {
    text += " digest";
    for (std::size_t i = 0; i < std::min(tensor.digest->crc.size(), kMostElements); ++i) {
      text += " " + hex_digits(Dtype::kFloat32, tensor.digest->crc[i]);
    }
    return text;
  }
  const std::size_t width = bits_per_element(tensor.dtype) / 8;
  const std::size_t count = width == 0 ? 0 : tensor.data.size() / width;
  std::string bits;
  std::string values;
  for (std::size_t i = 0; i < std::min(count, kMostElements); ++i) {
    bits += " " + hex_digits(tensor.dtype, tensor.bits_at(i));
    values += (values.empty() ? "" : ", ") + element_decimal(tensor, i);
  }
  const std::string more = count > kMostElements ? ", …" : "";
  return text + bits + (count > kMostElements ? " …" : "") + " (" + values + more + ")";
}

}  // namespace

std::string element_in_words(Dtype dtype, std::uint64_t bits) {
  TensorValue element;
  element.dtype = dtype;
  element.data.resize(bits_per_element(dtype) / 8);
  element.set_bits(0, bits);
  return hex_digits(dtype, bits) + " (" + element_decimal(element, 0) + ")";
}

std::string in_words(const Value& value) {
  if (const auto* tensor = value.tensor()) return tensor_in_words(*tensor);
  if (const auto* real = value.get_if<double>()) {
    const std::string exact = exact_text(*real);
    const std::string shown = decimal(*real);
    return exact == shown ? exact : exact + " (" + shown + ")";
  }
  std::string text = to_json(value);
  if (text.size() > 300) text = text.substr(0, 297) + "...";
  return text;
}

}  // namespace assay
