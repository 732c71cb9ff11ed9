// The argument and result of scale(): nested containers of tensors, and other values.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reference/core/tensor/tensor.hpp"

namespace assay::reference {

struct Nested;

/// A sequence that can be iterated once.
class LazySequence {
 public:
  virtual ~LazySequence() = default;
  /// Returns empty at the end, and on all later calls.
  virtual std::optional<Nested> next() = 0;
};

struct NestedList {
  std::vector<Nested> items;
};
struct NestedTuple {
  std::vector<Nested> items;
};
/// A tuple with named fields.
struct NestedNamed {
  std::string type;
  std::vector<std::string> names;
  std::vector<Nested> items;
};
/// A value that is not a tensor, list or tuple. Strings, dicts and lazy sequences are iterable.
struct NestedOther {
  std::any original;
  std::string kind;
  /// Null if the value is not iterable.
  std::function<std::shared_ptr<LazySequence>()> iterate;
};

struct Nested {
  std::variant<Tensor, NestedList, NestedTuple, NestedNamed, std::shared_ptr<LazySequence>,
               NestedOther>
      value;
};

}  // namespace assay::reference
