// What scaler cases share: parameters with gradients, scalers that are ready for use, their state
// in bits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/optim.hpp"
#include "harness/suite/clients/scaler.hpp"

namespace assay::suites {

/// A case about scaling. Release 1.13 scales nothing that lies on a CPU (SCL-115).
CaseOptions scaling(std::string_view name, std::vector<std::string> clauses,
                    std::function<void(Session&)> body, Where where = Where::current());

TensorValue f32_bits(const std::vector<std::uint64_t>& bits);

/// A tensor of the subject with a name. Passes wherever a value goes.
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

/// A parameter whose gradient is set. Absent gradient: none.
Tensor parameter(Session& subject, const TensorValue& value, const Value& grad = {});
/// `[value]` with the gradient `[grad]` in float32, on the first device or another.
Tensor parameter(Session& subject, float value, float grad, std::optional<Device> device = {});

/// A plain SGD over these, with a step that is exact (SCL-802).
OptimizerHandle sgd(Session& subject, std::vector<Value> params, double lr = 0.25,
                    std::string mode = "plain");

/// A scaler that has scaled one tensor on the first device.
ScalerHandle ready(Session& subject, ScalerOptions options = {});

/// One iteration whose gradient is this.
void iterate(Session& subject, const ScalerHandle& scaler, float grad = 1);

/// A step that does these calls; `$optimizer`, `$0` and so on are bound inside.
OptimizerHandle custom(Session& subject, std::vector<Value> params,
                       const std::function<void(Session&)>& step);
/// The same, and it says that it handles scaled gradients by itself (SCL-601).
OptimizerHandle scaling_aware(Session& subject, std::vector<Value> params,
                              const std::function<void(Session&)>& step);

/// The elements of a value that must be a tensor, whatever its shape: release 1.13 keeps scalars in
/// shape (1,) (SCL-108).
std::vector<std::uint64_t> bits_of(const Value& value);

void expect_scale(const ScalerHandle& scaler, float wanted, Where where = Where::current());
void expect_scale_bits(const ScalerHandle& scaler, std::uint32_t wanted,
                       Where where = Where::current());
void expect_tracker(const ScalerHandle& scaler, std::int64_t wanted,
                    Where where = Where::current());
void expect_stage(const ScalerHandle& scaler, const Value& optimizer, const char* wanted,
                  Where where = Where::current());
/// The flags of an optimizer in the order of its devices.
void expect_flags(const ScalerHandle& scaler, const Value& optimizer,
                  const std::vector<double>& wanted, Where where = Where::current());
/// Not yet initialised: neither scalar exists.
void expect_no_tensors(const ScalerHandle& scaler, Where where = Where::current());

/// A dict with text for keys.
Dict dict_of(std::vector<std::pair<std::string, Value>> items);

}  // namespace assay::suites
