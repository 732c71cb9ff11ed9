// Tagged values: the arguments of commands and the results in replies. The tag makes the kind of
// every value explicit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/protocol/dtype.hpp"

namespace assay {

class Value;

struct None {
  bool operator==(const None&) const = default;
};

struct Complex {
  double real = 0;
  double imag = 0;
};

/// `cuda:1`, or `cuda` with index -1. An empty type means "where the contract's tensors live".
struct Device {
  std::string type;
  int index = -1;
  bool operator==(const Device&) const = default;
};

std::string to_text(const Device& device);
/// Nothing if the text is not `letters` or `letters:number`.
std::optional<Device> device_from_text(std::string_view text);

/// A reference to an object named by the client.
struct Ref {
  std::string name;
  bool operator==(const Ref&) const = default;
};

struct List {
  std::vector<Value> items;
};
struct Tuple {
  std::vector<Value> items;
};
/// A sequence that can be iterated once: a Python generator.
struct Lazy {
  std::vector<Value> items;
};
/// Pairs in insertion order; keys are values, as in Python.
struct Dict {
  std::vector<std::pair<Value, Value>> items;
};
struct NamedTuple {
  std::string type;
  std::vector<std::pair<std::string, Value>> fields;
};
struct Generator {
  Device device;
  std::uint64_t seed = 0;
};
/// A callable; `name` is that of a callback, or of a behaviour that the area
/// defines.
struct Callable {
  std::string name;
};
/// An object without a name or a value in the protocol; `kind` is its kind.
struct Opaque {
  std::string kind;
};

/// The bits of element i of a large tensor, in wrapping 64-bit arithmetic (README: "Large data").
struct Recipe {
  enum class Kind : std::uint8_t { kCounter, kHash };
  Kind kind = Kind::kCounter;
  std::uint64_t start = 0;
  std::uint64_t step = 1;
  /// Exceptions from the recipe: index and bits.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> set;
};

/// The CRC-32 of each block of `block` elements, computed from little-endian elements with
/// canonical NaNs.
struct Digest {
  std::uint64_t block = 0;
  std::vector<std::uint32_t> crc;
  bool operator==(const Digest&) const = default;
};

/// A tensor by value. `data` holds the elements in row-major order of the view, little-endian,
/// without gaps; alternatively, `recipe` generates them, or `digest` represents them in a reply.
struct TensorValue {
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
  /// Empty means contiguous.
  std::vector<std::int64_t> strides;
  Device device;
  std::vector<std::uint8_t> data;
  std::optional<Recipe> recipe;
  std::optional<Digest> digest;

  std::int64_t numel() const;
  std::uint64_t bits_at(std::size_t index) const;
  void set_bits(std::size_t index, std::uint64_t bits);
  /// The element as a double; exact for every floating type, and for integers up to 2^53.
  double real_at(std::size_t index) const;
};

/// A sparse COO tensor by value.
struct SparseValue {
  TensorValue indices;
  TensorValue values;
  std::vector<std::int64_t> shape;
  bool coalesced = false;
};

/// One tagged value. Cheap to move; tensors are shared and immutable.
class Value {
 public:
  using TensorPtr = std::shared_ptr<const TensorValue>;
  using SparsePtr = std::shared_ptr<const SparseValue>;
  using Storage = std::variant<None, bool, std::int64_t, double, Complex, std::string, Dtype,
                               Device, Ref, List, Tuple, Lazy, Dict, NamedTuple, Generator,
                               Callable, Opaque, TensorPtr, SparsePtr>;

  Value() = default;
  Value(None) {}
  Value(bool value) : storage_(value) {}
  Value(int value) : storage_(static_cast<std::int64_t>(value)) {}
  Value(std::int64_t value) : storage_(value) {}
  Value(double value) : storage_(value) {}
  Value(float value) : storage_(static_cast<double>(value)) {}
  Value(const char* text) : storage_(std::string(text)) {}
  Value(std::string text) : storage_(std::move(text)) {}
  Value(std::string_view text) : storage_(std::string(text)) {}
  Value(Complex value) : storage_(value) {}
  Value(Dtype value) : storage_(value) {}
  Value(Device value) : storage_(std::move(value)) {}
  Value(Ref value) : storage_(std::move(value)) {}
  Value(List value) : storage_(std::move(value)) {}
  Value(Tuple value) : storage_(std::move(value)) {}
  Value(Lazy value) : storage_(std::move(value)) {}
  Value(Dict value) : storage_(std::move(value)) {}
  Value(NamedTuple value) : storage_(std::move(value)) {}
  Value(Generator value) : storage_(std::move(value)) {}
  Value(Callable value) : storage_(std::move(value)) {}
  Value(Opaque value) : storage_(std::move(value)) {}
  Value(TensorValue value);
  Value(SparseValue value);

  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(storage_);
  }
  template <typename T>
  const T* get_if() const {
    return std::get_if<T>(&storage_);
  }
  bool is_none() const { return is<None>(); }
  const TensorValue* tensor() const;
  const SparseValue* sparse() const;

  const Storage& storage() const { return storage_; }

 private:
  Storage storage_;
};

/// `none`, `int`, `tensor`, …: the name of a kind in messages and in the schema.
std::string_view kind_of(const Value& value);

/// True for the same kind and contents; floats and tensors are compared by their bits, including
/// NaN payloads.
bool identical(const Value& left, const Value& right);

/// Named values in insertion order: the arguments of a command, the results of a reply.
class Fields {
 public:
  using Item = std::pair<std::string, Value>;
  Fields() = default;
  Fields(std::initializer_list<Item> items) : items_(items) {}

  /// Null if there is no such field.
  const Value* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
  /// Replaces the value if the name exists.
  void set(std::string name, Value value);

  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }

 private:
  std::vector<Item> items_;
};

}  // namespace assay
