// What scale() is given and gives back: tensors in whatever containers the client keeps them.
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

/// One pass over a sequence: each call makes the next item; nothing at its end. It may raise, and
/// be asked for the item after that.
using Pull = std::function<std::optional<Outputs>()>;

struct Outputs {
  enum class Kind : std::uint8_t {
    kTensor,
    kList,
    kTuple,
    kNamedTuple,  ///< a tuple whose class takes its items one by one
    kIterable,    ///< anything else that can be gone through: generators, sets, mappings, texts
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
  /// A one-pass sequence: whoever iterates it goes on where the last one stopped.
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
  /// Of a named tuple: its class and the names of its items.
  std::string type_name;
  std::vector<std::string> field_names;
  /// The value in the client's own form, for what comes back as it went in.
  std::any origin;
};

}  // namespace assay::cuda
