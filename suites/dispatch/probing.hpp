// What dispatch cases share: labelled kernels, probe tensors, and where a call ends.
#pragma once

#include <string>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/dispatch.hpp"

namespace assay::suites {

/// Boxed, returns its first tensor.
Made boxed_kernel(Session& subject, const std::string& label);
/// Typed, returns its first tensor.
Made typed_kernel(Session& subject, const std::string& label,
                  const std::string& signature = "Tensor(const Tensor&)");
/// Boxed or typed (with a signature), returns that value.
Made value_kernel(Session& subject, const std::string& label, const Value& value,
                  const std::string& signature = {});
Made fallthrough_kernel(Session& subject);

/// A boxed kernel at a key, labelled by the key unless told otherwise. No key: the catch-all.
Made at(Session& subject, const Value& op, const std::string& key, const std::string& label = {});

/// A tensor that carries these keys and no others.
Made probe(Session& subject, const KeySet& keys);
/// A tensor as this device has them, with its autograd key and the rest.
Made device_tensor(Session& subject, const std::string& device);

/// The label of the last kernel that a call runs, or the word for its error. Boxed unless `options`
/// say otherwise.
std::string reached(Session& subject, const Value& op, std::vector<Value> args,
                    const CallOptions& options = {.boxed = true});
/// Of an operator that takes one tensor: where the entry at `key` leads, by redispatching to it.
std::string reached_at(Session& subject, const Value& op, const std::string& key);

void expect_text(const std::string& got, const std::string& wanted, Where where = Where::current());
void expect_texts(const std::vector<std::string>& got, const std::vector<std::string>& wanted,
                  Where where = Where::current());
/// Every text of `wanted` is among `got`.
void expect_among(const std::vector<std::string>& got, const std::vector<std::string>& wanted,
                  Where where = Where::current());

/// What `program` records as `enter`, around `body`.
std::vector<Reply> within(Session& subject, const std::function<void(Session&)>& enter,
                          const std::function<void(Session&)>& body);

/// A callback whose body is `program`, under a name of its own.
Callable callback_of(Session& subject, const std::function<void(Session&)>& program);
/// A boxed kernel that runs `program`; inside it `$0`, … and `$keys` are bound.
Made running_kernel(Session& subject, const std::string& label,
                    const std::function<void(Session&)>& program);

}  // namespace assay::suites
