// Helpers for module cases: modules with all kinds of contents, and queries of tensors.
#pragma once

#include <functional>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/core.hpp"
#include "harness/suite/clients/module.hpp"
#include "harness/suite/clients/optim.hpp"

namespace assay::suites {

inline const Device kMeta{"meta", -1};
inline const Device kHost{"cpu", -1};

/// H1: one tensor of each kind that conversions treat differently.
struct MixedModule {
  ModuleHandle module;
  Ref real;             ///< parameter `w`, float32 [1.5, -2]
  Ref integral;         ///< parameter `i`, int64
  Ref complex;          ///< parameter `c`, complex64, unspecified content
  Ref real_buffer;      ///< `b`, float32
  Ref integral_buffer;  ///< `bi`, int32
};
MixedModule mixture(Session& subject);

/// A module with a single float32 parameter `w`.
struct Single {
  ModuleHandle module;
  Ref parameter;
};
Single single(Session& subject, const ParameterOptions& how = {});

/// A function for `apply_tensors`: `program` receives its argument as `$0`, and the result of its
/// last call is the function's result.
Callable function(Session& subject, const std::function<void(Session&)>& program);
/// Multiplies by 2; unlike a cast, it is not idempotent.
Callable doubling(Session& subject);
/// A cast to float64 that raises `index` for zero-dimensional tensors.
Callable casting_all_but_scalars(Session& subject);

/// The gradient itself, named.
Ref grad_of(Session& subject, const Ref& tensor);
/// Sets the tensor's gradient and returns it.
Ref give_grad(Session& subject, const Ref& tensor, const Value& grad);

Dtype dtype_of(Session& subject, const Ref& tensor);
void expect_dtype(Session& subject, const Ref& tensor, Dtype wanted,
                  Where where = Where::current());
void expect_device(Session& subject, const Ref& tensor, const Device& wanted,
                   Where where = Where::current());
/// Checks that `now` is the same object as `before`.
void expect_kept(Session& subject, const Ref& before, const Ref& now,
                 Where where = Where::current());
void expect_replaced(Session& subject, const Ref& before, const Ref& now,
                     Where where = Where::current());

}  // namespace assay::suites
