// What autograd cases share: leaves, calls by name, gradients.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites::graph {

/// The types that gradients are asked for in: values of the cases are exact in all of them.
inline constexpr Dtype kTypes[] = {Dtype::kFloat32, Dtype::kFloat16, Dtype::kBfloat16};

/// Elements in that shape, where the contract's tensors live.
TensorValue values(Dtype dtype, std::vector<std::int64_t> shape, const std::vector<double>& values);
/// The same of a square matrix with two rows.
TensorValue square(Dtype dtype, const std::vector<double>& values);
Ref leaf(Session& subject, const TensorValue& value);
/// The outcome of an operator, under a fresh name.
Ref call(Session& subject, const std::string& op, std::vector<Value> args);
bool requires_grad(Session& subject, const Value& tensor);
void expect_grad(Session& subject, const Value& leaf, const TensorValue& wanted,
                 Where where = Where::current());
/// What `program` does with grad mode as said.
std::vector<Reply> with_grad_mode(Session& subject, bool value,
                                  const std::function<void(Session&)>& program);

}  // namespace assay::suites::graph
