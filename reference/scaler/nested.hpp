// What scale() takes and returns: tensors in containers of any depth, and everything else.
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

/// Consumed once, element by element.
class LazySequence {
 public:
  virtual ~LazySequence() = default;
  /// Nothing at the end, and ever after.
  virtual std::optional<Nested> next() = 0;
};

struct NestedList {
  std::vector<Nested> items;
};
struct NestedTuple {
  std::vector<Nested> items;
};
/// A tuple with names for its fields.
struct NestedNamed {
  std::string type;
  std::vector<std::string> names;
  std::vector<Nested> items;
};
/// Neither tensor nor list nor tuple. Texts, dicts and lazy sequences can be iterated.
struct NestedOther {
  std::any original;
  std::string kind;
  /// Empty for what cannot be iterated.
  std::function<std::shared_ptr<LazySequence>()> iterate;
};

struct Nested {
  std::variant<Tensor, NestedList, NestedTuple, NestedNamed, std::shared_ptr<LazySequence>,
               NestedOther>
      value;
};

}  // namespace assay::reference
