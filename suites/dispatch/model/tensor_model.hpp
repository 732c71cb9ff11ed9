// The dispatch keys of values: an independent implementation of DSP-202 to DSP-205.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/protocol/message.hpp"
#include "suites/dispatch/layout.hpp"

namespace assay::suites {

class TensorModel {
 public:
  explicit TensorModel(const Layout& layout) : layout_(&layout) {}

  /// Records a probe tensor; `known` is false if its thread may be in inference
  /// mode.
  void made(const Command& command, bool known);
  void made_undefined(const std::string& name) { keys_[name] = undefined(); }

  /// For tensors, lists of tensors and None; numbers and texts have no keys. Nothing if
  /// unknown.
  std::optional<KeyBits> keys_of(const Value& value) const;

 private:
  KeyBits undefined() const;
  std::optional<KeyBits> of_properties(const Fields& with) const;
  /// DSP-202, for the devices and layouts used by programs.
  std::optional<std::string> backend_key(const Fields& with) const;
  KeyBits autocast_of(const std::string& device) const;

  const Layout* layout_;
  std::map<std::string, std::optional<KeyBits>> keys_;
};

}  // namespace assay::suites
