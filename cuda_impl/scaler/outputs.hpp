// The argument and result of scale(): tensors, possibly nested in client containers.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda_impl/core/tensor.hpp"

namespace assay::cuda {

struct Outputs;

/// An iterator over a one-pass sequence: returns the next item, or empty at the end. A call may
/// raise; the next call continues with the following item.
using Pull = std::function<std::optional<Outputs>()>;

struct Outputs {
  enum class Kind : std::uint8_t {
    kTensor,
    kList,
    kTuple,
    kNamedTuple,  ///< a tuple class whose constructor takes the items one by one
    kIterable,    ///< any other iterable: generators, sets, mappings, strings
    kOther,
  };

  static Outputs of(Tensor tensor) {
    Outputs made;
    made.kind = Kind::kTensor;
    made.tensor = std::move(tensor);
    return made;
  }
  static Outputs of(Kind kind, std::vector<Outputs> items) {
    Outputs made;
    made.kind = kind;
    made.items = std::move(items);
    return made;
  }
  /// Makes a one-pass sequence: each iteration continues where the previous one stopped.
  static Outputs lazily(Pull pull) {
    Outputs made;
    made.kind = Kind::kIterable;
    made.iterate = [shared = std::make_shared<Pull>(std::move(pull))] {
      return [shared] { return (*shared)(); };
    };
    return made;
  }

  Kind kind = Kind::kOther;
  Tensor tensor;
  std::vector<Outputs> items;
  std::function<Pull()> iterate;
  /// For a named tuple: its class and field names.
  std::string type_name;
  std::vector<std::string> field_names;
  /// The client's own representation of the value, for values that are returned unchanged.
  std::any origin;
};

}  // namespace assay::cuda
