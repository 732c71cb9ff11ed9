// Reads values from replies. Each function throws BadReply if the value is missing or of another
// kind, which fails only the current case. List elements are read with `at`, which has the same
// effect.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// The tensor, which must have been sent by value.
inline const TensorValue& tensor_in(const Value& value) {
  if (const TensorValue* tensor = value.tensor()) return *tensor;
  throw BadReply("expected a tensor by value in the reply, got " + std::string(kind_of(value)));
}

inline const SparseValue& sparse_in(const Value& value) {
  if (const SparseValue* sparse = value.sparse()) return *sparse;
  throw BadReply("expected a sparse tensor by value in the reply, got " +
                 std::string(kind_of(value)));
}

template <typename T>
const T& held_in(const Value& value) {
  if (const T* held = value.get_if<T>()) return *held;
  throw BadReply("a value in the reply is of another kind than the case reads: " +
                 std::string(kind_of(value)));
}

template <typename T>
const T& last_of(const std::vector<T>& items) {
  if (items.empty())
    throw BadReply("a list in the reply is empty, and the case reads its last item");
  return items.back();
}

}  // namespace assay
