// Reading what a reply holds, whatever it holds: each of these throws BadReply where the thing is
// not there, which fails the case and nothing else. Elements of lists are read with `at`, which
// does so too.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/session.hpp"

namespace assay {

/// The tensor, which must have come by value.
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
