// Comparison and helpers of tagged values.
#include "harness/protocol/value.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace assay {
namespace {

double half_as_real(std::uint64_t bits) {
  const int exponent = static_cast<int>((bits >> 10) & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  if (exponent < 31) return sign * std::ldexp(fraction + 1024.0, exponent - 25);
  return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::quiet_NaN();
}

double float_as_real(std::uint64_t bits) {
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

double signed_as_real(std::uint64_t bits, std::size_t width) {
  const int unused = static_cast<int>(64 - width);
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

bool same_tensor(const TensorValue& left, const TensorValue& right) {
  return left.dtype == right.dtype && left.shape == right.shape && left.strides == right.strides &&
         left.device == right.device && left.data == right.data && left.digest == right.digest;
}

bool same_items(const std::vector<Value>& left, const std::vector<Value>& right) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!identical(left[i], right[i])) return false;
  }
  return true;
}

bool same_bits(double left, double right) {
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
}

/// One overload per kind; both sides have this kind.
struct Identical {
  bool operator()(const None&, const None&) const { return true; }
  bool operator()(bool left, bool right) const { return left == right; }
  bool operator()(std::int64_t left, std::int64_t right) const { return left == right; }
  bool operator()(double left, double right) const { return same_bits(left, right); }
  bool operator()(const Complex& left, const Complex& right) const {
    return same_bits(left.real, right.real) && same_bits(left.imag, right.imag);
  }
  bool operator()(const std::string& left, const std::string& right) const { return left == right; }
  bool operator()(Dtype left, Dtype right) const { return left == right; }
  bool operator()(const Device& left, const Device& right) const { return left == right; }
  bool operator()(const Ref& left, const Ref& right) const { return left == right; }
  bool operator()(const List& left, const List& right) const {
    return same_items(left.items, right.items);
  }
  bool operator()(const Tuple& left, const Tuple& right) const {
    return same_items(left.items, right.items);
  }
  bool operator()(const Lazy& left, const Lazy& right) const {
    return same_items(left.items, right.items);
  }
  bool operator()(const Dict& left, const Dict& right) const {
    if (left.items.size() != right.items.size()) return false;
    for (std::size_t i = 0; i < left.items.size(); ++i) {
      if (!identical(left.items[i].first, right.items[i].first)) return false;
      if (!identical(left.items[i].second, right.items[i].second)) return false;
    }
    return true;
  }
  bool operator()(const NamedTuple& left, const NamedTuple& right) const {
    if (left.type != right.type || left.fields.size() != right.fields.size()) return false;
    for (std::size_t i = 0; i < left.fields.size(); ++i) {
      if (left.fields[i].first != right.fields[i].first) return false;
      if (!identical(left.fields[i].second, right.fields[i].second)) return false;
    }
    return true;
  }
  bool operator()(const Generator& left, const Generator& right) const {
    return left.device == right.device && left.seed == right.seed;
  }
  bool operator()(const Callable& left, const Callable& right) const {
    return left.name == right.name;
  }
  bool operator()(const Opaque& left, const Opaque& right) const { return left.kind == right.kind; }
  bool operator()(const Value::TensorPtr& left, const Value::TensorPtr& right) const {
    return same_tensor(*left, *right);
  }
  bool operator()(const Value::SparsePtr& left, const Value::SparsePtr& right) const {
    return same_tensor(left->indices, right->indices) && same_tensor(left->values, right->values) &&
           left->shape == right->shape && left->coalesced == right->coalesced;
  }
  template <typename Left, typename Right>
  bool operator()(const Left&, const Right&) const {
    return false;
  }
};

constexpr std::array<std::string_view, std::variant_size_v<Value::Storage>> kKindNames{
    "none",      "bool",     "int",    "float",  "complex", "string", "dtype",
    "device",    "ref",      "list",   "tuple",  "lazy",    "dict",   "named_tuple",
    "generator", "callable", "opaque", "tensor", "sparse"};

}  // namespace

std::string to_text(const Device& device) {
  if (device.index < 0) return device.type;
  return device.type + ':' + std::to_string(device.index);
}

std::optional<Device> device_from_text(std::string_view text) {
  Device device;
  const auto colon = text.find(':');
  device.type = std::string(text.substr(0, colon));
  if (colon == std::string_view::npos) return device;
  const std::string_view number = text.substr(colon + 1);
  const auto [end, failure] =
      std::from_chars(number.data(), number.data() + number.size(), device.index);
  const bool whole = failure == std::errc{} && end == number.data() + number.size();
  if (!whole || device.index < 0) return std::nullopt;
  return device;
}

std::int64_t TensorValue::numel() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

std::uint64_t TensorValue::bits_at(std::size_t index) const {
  const std::size_t width = bits_per_element(dtype) / 8;
  std::uint64_t bits = 0;
  for (std::size_t byte = 0; byte < width; ++byte) {
    bits |= static_cast<std::uint64_t>(data.at(index * width + byte)) << (8 * byte);
  }
  return bits;
}

void TensorValue::set_bits(std::size_t index, std::uint64_t bits) {
  const std::size_t width = bits_per_element(dtype) / 8;
  for (std::size_t byte = 0; byte < width; ++byte) {
    data.at(index * width + byte) = static_cast<std::uint8_t>(bits >> (8 * byte));
  }
}

double TensorValue::real_at(std::size_t index) const {
  const std::uint64_t bits = bits_at(index);
  switch (dtype) {
    case Dtype::kFloat64:
      return std::bit_cast<double>(bits);
    case Dtype::kFloat32:
      return float_as_real(bits);
    case Dtype::kBfloat16:
      return float_as_real(bits << 16);
    case Dtype::kFloat16:
      return half_as_real(bits);
    case Dtype::kUint8:
    case Dtype::kBool:
      return static_cast<double>(bits);
    default:
      return signed_as_real(bits, bits_per_element(dtype));
  }
}

Value::Value(TensorValue value) : storage_(std::make_shared<const TensorValue>(std::move(value))) {}
Value::Value(SparseValue value) : storage_(std::make_shared<const SparseValue>(std::move(value))) {}

const TensorValue* Value::tensor() const {
  const auto* pointer = std::get_if<TensorPtr>(&storage_);
  return pointer == nullptr ? nullptr : pointer->get();
}

const SparseValue* Value::sparse() const {
  const auto* pointer = std::get_if<SparsePtr>(&storage_);
  return pointer == nullptr ? nullptr : pointer->get();
}

std::string_view kind_of(const Value& value) { return kKindNames[value.storage().index()]; }

bool identical(const Value& left, const Value& right) {
  return std::visit(Identical{}, left.storage(), right.storage());
}

const Value* Fields::find(std::string_view name) const {
  for (const Item& item : items_) {
    if (item.first == name) return &item.second;
  }
  return nullptr;
}

void Fields::set(std::string name, Value value) {
  for (Item& item : items_) {
    if (item.first != name) continue;
    item.second = std::move(value);
    return;
  }
  items_.emplace_back(std::move(name), std::move(value));
}

}  // namespace assay
