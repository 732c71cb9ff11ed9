// Helpers for dispatch cases: labelled kernels, probe tensors, and the kernel that a call reaches.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/dispatch.hpp"

namespace assay::suites {

/// A boxed kernel that returns its first tensor.
DispatchObject boxed_kernel(Session& subject, const std::string& label);
/// A typed kernel that returns its first tensor.
DispatchObject typed_kernel(Session& subject, const std::string& label,
                            const std::string& signature = "Tensor(const Tensor&)");
/// A boxed or typed kernel (with a signature) that returns this value.
DispatchObject value_kernel(Session& subject, const std::string& label, const Value& value,
                            const std::string& signature = {});
DispatchObject fallthrough_kernel(Session& subject);

/// Registers a boxed kernel at a key, labelled with the key by default. Empty key: the catch-all.
DispatchObject at(Session& subject, const Value& op, const std::string& key,
                  const std::string& label = {});

/// A tensor with exactly these keys.
DispatchObject probe(Session& subject, const KeySet& keys);
/// A tensor with the usual keys of this device, including its autograd key.
DispatchObject device_tensor(Session& subject, const std::string& device);

/// The label of the last kernel of a call, or the name of its error. Boxed unless `options` say
/// otherwise.
std::string reached(Session& subject, const Value& op, std::vector<Value> args,
                    const CallOptions& options = {.boxed = true});
/// The kernel at `key` of an operator with one tensor argument, found by redispatching to it.
std::string reached_at(Session& subject, const Value& op, const std::string& key);

void expect_text(const std::string& got, const std::string& wanted, Where where = Where::current());
void expect_texts(const std::vector<std::string>& got, const std::vector<std::string>& wanted,
                  Where where = Where::current());
/// All texts of `wanted` are in `got`.
void expect_among(const std::vector<std::string>& got, const std::vector<std::string>& wanted,
                  Where where = Where::current());

/// Runs `body` inside the guards recorded by `enter`.
std::vector<Reply> within(Session& subject, const std::function<void(Session&)>& enter,
                          const std::function<void(Session&)>& body);

/// A callback with the body `program` and a new name.
Callable callback_of(Session& subject, const std::function<void(Session&)>& program);
/// A boxed kernel that runs `program`, with `$0`, … and `$keys` bound.
DispatchObject running_kernel(Session& subject, const std::string& label,
                              const std::function<void(Session&)>& program);

}  // namespace assay::suites
