// Helpers for autograd cases: leaves, calls by name, gradients.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites::graph {

/// The dtypes used for gradients; the cases' values are exact in all of them.
inline constexpr Dtype kTypes[] = {Dtype::kFloat32, Dtype::kFloat16, Dtype::kBfloat16};

/// Elements in this shape, on the device of the contract's tensors.
TensorValue values(Dtype dtype, std::vector<std::int64_t> shape, const std::vector<double>& values);
/// The same for a 2x2 matrix.
TensorValue square(Dtype dtype, const std::vector<double>& values);
Ref leaf(Session& subject, const TensorValue& value);
/// The result of an operator, with a new name.
Ref call(Session& subject, const std::string& op, std::vector<Value> args);
/// For callables: the command that calls an operator, and the one that gives a value.
Command calling(const std::string& op, std::vector<Value> args, std::string as = {});
Command giving(Value value);
bool requires_grad(Session& subject, const Value& tensor);
void expect_grad(Session& subject, const Value& leaf, const TensorValue& wanted,
                 Where where = Where::current());
/// Runs `program` with grad mode set to `value`.
std::vector<Reply> with_grad_mode(Session& subject, bool value,
                                  const std::function<void(Session&)>& program);

}  // namespace assay::suites::graph
