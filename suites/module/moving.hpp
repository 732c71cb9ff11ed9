// What module cases share: modules with a little of everything, and questions about tensors.
#pragma once

#include <functional>
#include <string>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/module.hpp"
#include "harness/suite/clients/optim.hpp"

namespace assay::suites {

inline const Device kMeta{"meta", -1};
inline const Device kHost{"cpu", -1};

/// H1: one of each sort of tensor that a move treats differently.
struct Mixture {
  ModuleHandle module;
  Ref real;             ///< parameter `w`, float32 [1.5, -2]
  Ref integral;         ///< parameter `i`, int64
  Ref complex;          ///< parameter `c`, complex64, unspecified content
  Ref real_buffer;      ///< `b`, float32
  Ref integral_buffer;  ///< `bi`, int32
};
Mixture mixture(Session& subject);

/// A plain module with one float32 parameter `w`.
struct Single {
  ModuleHandle module;
  Ref parameter;
};
Single single(Session& subject, const ParameterOptions& how = {});

/// A function for `apply_tensors`; `program` sees its argument as `$0`, and what its last call
/// returns is the function's result.
Callable function(Session& subject, const std::function<void(Session&)>& program);
/// Multiplies by 2: not idempotent, unlike a cast.
Callable doubling(Session& subject);
/// A cast to float64 that raises `index` for tensors without dimensions.
Callable casting_all_but_scalars(Session& subject);

/// The gradient itself, named.
Ref grad_of(Session& subject, const Ref& tensor);
/// Gives the tensor this gradient, and returns it.
Ref give_grad(Session& subject, const Ref& tensor, const Value& grad);

Dtype dtype_of(Session& subject, const Ref& tensor);
void expect_dtype(Session& subject, const Ref& tensor, Dtype wanted,
                  Where where = Where::current());
void expect_device(Session& subject, const Ref& tensor, const Device& wanted,
                   Where where = Where::current());
/// Is what now stands there the object from before?
void expect_kept(Session& subject, const Ref& before, const Ref& now,
                 Where where = Where::current());
void expect_replaced(Session& subject, const Ref& before, const Ref& now,
                     Where where = Where::current());

}  // namespace assay::suites
