// Helpers for autocast cases: the device under test, operands, regions, calls and their
// kernels.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/suite/cases.hpp"
#include "harness/suite/clients/autocast.hpp"
#include "harness/suite/clients/autograd.hpp"
#include "harness/suite/clients/core.hpp"

namespace assay::suites {

/// A device type with the default dtype of its autocast.
struct Target {
  std::string type;
  Dtype low;
  Dtype other;  ///< the other of the two low types
  Device device;
};

/// The device of the contract's tensors.
Target target_of(const Session& subject);
/// The CPU, for any contract.
Target cpu_target();
/// A device type with autocast that is none of CPU, CUDA and the target.
std::string third_device(const Target& target);
/// The key of its tensors: `CPU`, `CUDA`; `PrivateUse1` for a device unknown to PyTorch.
std::string backend_key(const Target& target);

/// `f` float32, `h` float16, `b` bfloat16, `d` float64, `i` int64.
Dtype dtype_of_letter(char letter);
std::string letters_of(const std::vector<Dtype>& types);

/// A 1x1 matrix on the target's device, or the same value in another shape.
TensorValue matrix(const Target& target, Dtype dtype, double value = 1);
TensorValue of_shape(const Target& target, Dtype dtype, std::vector<std::int64_t> shape,
                     double value = 1);
/// One tensor of this shape for each letter.
std::vector<Value> operands(const Target& target, std::string_view letters,
                            const std::vector<std::int64_t>& shape = {1, 1});

/// Runs `body` in a region entered and left by explicit commands. After an error it stays entered.
void inside(Session& subject, const RegionOptions& options, const std::function<void()>& body);
/// The same in a region of the target with default options.
void inside(Session& subject, const Target& target, const std::function<void()>& body);

/// A kernel that ran: operator, key, arguments.
struct KernelRun {
  std::string op;
  std::string key;
  std::vector<Value> arguments;
};
std::vector<KernelRun> runs_of(const Value& list);
/// The dtypes of tensors among the arguments, including those in lists, and of arguments that are
/// dtypes themselves.
std::vector<Dtype> tensor_types(const std::vector<Value>& arguments);

/// The result of an operator call.
class Called {
 public:
  Called(Session& subject, std::string op, Reply reply)
      : subject_(&subject), op_(std::move(op)), reply_(std::move(reply)) {}

  Value result() const { return field(reply_, "result"); }
  /// The dtype of the result.
  Dtype dtype() const;
  std::vector<KernelRun> ran() const { return runs_of(field(reply_, "ran")); }
  /// The last kernel of this operator other than autocast's; none if the operator is composite and
  /// only its parts are observed.
  std::optional<KernelRun> kernel() const;
  /// The dtypes of its arguments as letters; throws Unsupported if it was not observed.
  std::string reached() const;

 private:
  Session* subject_;
  std::string op_;
  Reply reply_;
};

/// Calls `op` through the dispatcher. With `as`, the result is named.
Called call(Session& subject, const std::string& op, std::vector<Value> args, std::string as = {});
/// The same, with a new name for the result.
Ref call_ref(Session& subject, const std::string& op, std::vector<Value> args);
Called mm(Session& subject, const Value& left, const Value& right);
Dtype dtype_of(Session& subject, const Value& value);
/// The single element as a number.
double number_of(Session& subject, const Value& value);

/// The number of conversions made by `body`.
std::int64_t conversions(Session& subject, const std::function<void()>& body);

/// The results of a block's commands that ran on that thread.
std::vector<Value> on_thread(Session& subject, const std::string& thread,
                             const std::function<void(Session&)>& program);

/// The nesting depth of regions around the caller.
std::int64_t depth(Session& subject);

/// All kernels that ran on this thread during `body`.
std::vector<KernelRun> traced(Session& subject, const std::function<void(Session&)>& program);
/// The runs of `op` at a backend, each as the letters of its dtypes.
std::vector<std::string> reached_by(const std::vector<KernelRun>& runs, std::string_view op);

/// The single element of the list; any other number of elements is a failure.
std::string only_word(const std::vector<std::string>& words, Where where = Where::current());

void expect_dtype(Session& subject, const Value& value, Dtype wanted,
                  Where where = Where::current());

/// A custom operator in its own namespace, with one kernel at the device's key
/// (or at `key`).
struct OwnOp {
  std::string schema;  ///< `probe(Tensor x) -> bool`
  Fields kernel;       ///< the behaviour and its parameters
  std::string key = {};
};
/// Defines the operator and returns its full name.
std::string define(Session& subject, const Target& target, const OwnOp& op);
/// A kernel that runs these commands and returns the result of the last.
Fields calling(Session& subject, const std::function<void(Session&)>& program);

}  // namespace assay::suites
