// What autocast cases share: the device under test, operands, regions, calls and what reached the
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

/// A device type, and what its autocast casts to unless told otherwise.
struct Target {
  std::string type;
  Dtype low;
  Dtype other;  ///< the other of the two low types
  Device device;
};

/// Where the contract's tensors live.
Target target_of(const Session& subject);
/// The CPU, whatever the contract.
Target cpu_target();
/// Of its tensors: `CPU`, `CUDA`; `PrivateUse1` for a device that PyTorch has no name for.
std::string backend_key(const Target& target);

/// `f` float32, `h` float16, `b` bfloat16, `d` float64, `i` int64.
Dtype dtype_of_letter(char letter);
std::string letters_of(const std::vector<Dtype>& types);

/// A 1x1 matrix, or the same value in another shape, on the target's device.
TensorValue matrix(const Target& target, Dtype dtype, double value = 1);
TensorValue of_shape(const Target& target, Dtype dtype, std::vector<std::int64_t> shape,
                     double value = 1);
/// One tensor of that shape for each letter.
std::vector<Value> operands(const Target& target, std::string_view letters,
                            const std::vector<std::int64_t>& shape = {1, 1});

/// Runs `body` in a region that is entered and left by hand. A failure leaves it to the next reset.
void inside(Session& subject, const RegionOptions& options, const std::function<void()>& body);
/// In a region of the target with its defaults.
void inside(Session& subject, const Target& target, const std::function<void()>& body);

/// A kernel that ran: which operator, at which key, with which arguments.
struct KernelRun {
  std::string op;
  std::string key;
  std::vector<Value> arguments;
};
std::vector<KernelRun> runs_of(const Value& list);
/// Types of the tensors among the arguments, those in lists as well, and types that are arguments
/// themselves.
std::vector<Dtype> tensor_types(const std::vector<Value>& arguments);

/// An operator's outcome.
class Called {
 public:
  Called(Session& subject, std::string op, Reply reply)
      : subject_(&subject), op_(std::move(op)), reply_(std::move(reply)) {}

  Value result() const { return field(reply_, "result"); }
  /// The result's type.
  Dtype dtype() const;
  std::vector<KernelRun> ran() const { return runs_of(field(reply_, "ran")); }
  /// The last kernel of this operator that is not autocast's; none when the operator is made of
  /// others, and only those are seen.
  std::optional<KernelRun> kernel() const;
  /// The types among its arguments, as letters; throws Unsupported when it was not seen.
  std::string reached() const;

 private:
  Session* subject_;
  std::string op_;
  Reply reply_;
};

/// Calls `op` through the dispatcher. With `as` the result is named.
Called call(Session& subject, const std::string& op, std::vector<Value> args, std::string as = {});
/// The same, named afresh.
Ref call_ref(Session& subject, const std::string& op, std::vector<Value> args);
Called mm(Session& subject, const Value& left, const Value& right);
Dtype dtype_of(Session& subject, const Value& value);
/// The only element, as a number.
double number_of(Session& subject, const Value& value);

/// How many conversions `body` made.
std::int64_t conversions(Session& subject, const std::function<void()>& body);

/// Results of the commands of a block that ran on that thread.
std::vector<Value> on_thread(Session& subject, const std::string& thread,
                             const std::function<void(Session&)>& program);

/// Levels of regions around the caller.
std::int64_t depth(Session& subject);

/// Every kernel that ran while `body` did, on this thread.
std::vector<KernelRun> traced(Session& subject, const std::function<void(Session&)>& program);
/// Of those, the runs of `op` at a backend, as letters of their types, each run a word.
std::vector<std::string> reached_by(const std::vector<KernelRun>& runs, std::string_view op);

/// The one word of a list; anything else is a failure.
std::string only_word(const std::vector<std::string>& words, Where where = Where::current());

void expect_dtype(Session& subject, const Value& value, Dtype wanted,
                  Where where = Where::current());

/// An operator of the case's own, in a namespace of its own, with one kernel at the device's key
/// (or at `key`).
struct OwnOp {
  std::string schema;  ///< `probe(Tensor x) -> bool`
  Fields kernel;       ///< behaviour and what it needs
  std::string key = {};
};
/// Its full name.
std::string define(Session& subject, const Target& target, const OwnOp& op);
/// A kernel that runs these commands; its value is the last one's result.
Fields calling(Session& subject, const std::function<void(Session&)>& program);

}  // namespace assay::suites
