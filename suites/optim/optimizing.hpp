// Helpers for optimizer cases: named tensors with gradients, and the optimizers' implementations.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/optim.hpp"

namespace assay::suites {

/// A named parameter of the subject. Converts to a value.
class Param {
 public:
  Param(Session& subject, const Value& value);
  /// The existing parameter with this name.
  static Param named(Session& subject, std::string name) { return {&subject, std::move(name)}; }
  operator Value() const { return Ref{name_}; }

  void set_grad(Value grad) const;
  /// The number of times it was written.
  std::int64_t version() const;
  TensorValue read() const;
  /// By value, or None.
  Value grad() const;

 private:
  Param(Session* subject, std::string name) : subject_(subject), name_(std::move(name)) {}

  Session* subject_;
  std::string name_;
};

/// A float32 parameter `[value]` with the gradient `[grad]`.
Param param(Session& subject, double value, double grad);

/// The implementations in the contract's release; the fused one with a scaler's attributes is newer
/// than 1.13.
std::vector<std::string> modes(const Session& subject);

/// `sgd`, `adam` and `adamw`.
const std::vector<std::string>& kinds();
/// An optimizer of this kind with rate 0.25.
OptimizerHandle made(Session& subject, std::string_view kind, const std::vector<Value>& params,
                     const std::string& mode = "plain");

/// The entry with this name, or None.
Value entry(const Dict& dict, std::string_view name);
/// The entry with this name in the state of the parameter with this index, or None.
Value state_of(const OptimizerHandle& optimizer, std::size_t index, std::string_view name);
/// The number in a state entry that is a tensor, a float or an int.
double number_in(const Value& value);

}  // namespace assay::suites
