// What optimizer cases share: named tensors with gradients, and the modes an optimizer comes in.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/optim.hpp"

namespace assay::suites {

/// A parameter of the subject with a name. Passes wherever a value goes.
class Param {
 public:
  Param(Session& subject, const Value& value);
  /// What is there under this name.
  static Param named(Session& subject, std::string name) { return {&subject, std::move(name)}; }
  operator Value() const { return Ref{name_}; }

  void set_grad(Value grad) const;
  /// How often it was written to.
  std::int64_t version() const;
  TensorValue read() const;
  /// By value, or None.
  Value grad() const;

 private:
  Param(Session* subject, std::string name) : subject_(subject), name_(std::move(name)) {}

  Session* subject_;
  std::string name_;
};

/// `[value]` with the gradient `[grad]`, float32.
Param param(Session& subject, double value, double grad);

/// The modes of the contract's release: the fused form with the attributes of a scaler is younger
/// than 1.13.
std::vector<std::string> modes(const Session& subject);

/// `sgd`, `adam` and `adamw`.
const std::vector<std::string>& kinds();
/// One of them with the rate 0.25.
OptimizerHandle made(Session& subject, std::string_view kind, const std::vector<Value>& params,
                     const std::string& mode = "plain");

/// The entry of that name, or None.
Value entry(const Dict& dict, std::string_view name);
/// The entry of that name in an optimizer's state for its parameter of that index, or None.
Value state_of(const OptimizerHandle& optimizer, std::size_t index, std::string_view name);
/// The number in a state entry, whether it is a tensor, a float or an int.
double number_in(const Value& value);

}  // namespace assay::suites
