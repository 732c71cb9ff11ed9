// Helpers for scaler cases: parameters with gradients, initialized scalers, and their state as
// bits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/optim.hpp"
#include "harness/suite/clients/scaler.hpp"

namespace assay::suites {

/// A case with scaling: release 1.13 does not scale CPU tensors (SCL-115).
CaseOptions scaling(std::string_view name, std::vector<std::string> clauses,
                    std::function<void(Session&)> body, Where where = Where::current());

TensorValue f32_bits(const std::vector<std::uint64_t>& bits);

/// A named tensor of the subject. Converts to a value.
class Tensor {
 public:
  Tensor(Session& subject, const Value& value, bool requires_grad = false);
  static Tensor named(Session& subject, std::string name);

  const std::string& name() const { return name_; }
  operator Value() const { return Ref{name_}; }

  TensorValue read() const;
  void fill_(double value) const;
  void set_grad(Value grad) const;
  /// A tensor or sparse tensor by value, or None.
  Value grad() const;
  /// The bits of the gradient's elements.
  std::vector<std::uint64_t> grad_bits() const;
  Device device() const;

 private:
  Tensor(Session* subject, std::string name) : subject_(subject), name_(std::move(name)) {}

  Session* subject_;
  std::string name_;
};

/// A parameter with this gradient, or none.
Tensor parameter(Session& subject, const TensorValue& value, const Value& grad = {});
/// A float32 parameter `[value]` with the gradient `[grad]`, by default on the first device.
Tensor parameter(Session& subject, float value, float grad, std::optional<Device> device = {});

/// SGD over these parameters, with an exact step (SCL-802).
OptimizerHandle sgd(Session& subject, std::vector<Value> params, double lr = 0.25,
                    std::string mode = "plain");

/// A scaler that has scaled one tensor on the first device.
ScalerHandle ready(Session& subject, ScalerOptions options = {});

/// One iteration with this gradient.
void iterate(Session& subject, const ScalerHandle& scaler, float grad = 1);

/// An optimizer whose step makes these calls, with `$optimizer`, `$0`, … bound.
OptimizerHandle custom(Session& subject, std::vector<Value> params,
                       const std::function<void(Session&)>& step);
/// The same, declaring that it handles scaled gradients itself (SCL-601).
OptimizerHandle scaling_aware(Session& subject, std::vector<Value> params,
                              const std::function<void(Session&)>& step);

/// The elements of a tensor value of any shape: release 1.13 keeps scalars with
/// shape (1,) (SCL-108).
std::vector<std::uint64_t> bits_of(const Value& value);

void expect_scale(const ScalerHandle& scaler, float wanted, Where where = Where::current());
void expect_scale_bits(const ScalerHandle& scaler, std::uint32_t wanted,
                       Where where = Where::current());
void expect_tracker(const ScalerHandle& scaler, std::int64_t wanted,
                    Where where = Where::current());
void expect_stage(const ScalerHandle& scaler, const Value& optimizer, const char* wanted,
                  Where where = Where::current());
/// The flags of an optimizer, in the order of its devices.
void expect_flags(const ScalerHandle& scaler, const Value& optimizer,
                  const std::vector<double>& wanted, Where where = Where::current());
/// Not initialized: neither scalar exists.
void expect_no_tensors(const ScalerHandle& scaler, Where where = Where::current());

/// A dict with string keys.
Dict dict_of(std::vector<std::pair<std::string, Value>> items);

}  // namespace assay::suites
