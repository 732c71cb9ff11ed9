// Area runtime: Python's device and stream contexts.
#include "reference/runtime/python_context.hpp"
#include "reference/subject/command_table.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

/// One entry of a context, whose object can be entered again.
class EnteredContext : public Guard {
 public:
  virtual std::shared_ptr<Guard> enter_again() const = 0;
};

template <typename Context>
class Entered final : public EnteredContext {
 public:
  explicit Entered(std::shared_ptr<Context> context) : context_(std::move(context)) {
    context_->enter();
  }
  void leave() override { context_->exit(); }
  std::shared_ptr<Guard> enter_again() const override {
    return std::make_shared<Entered>(context_);
  }

 private:
  std::shared_ptr<Context> context_;
};

void give(Call& call, std::shared_ptr<Guard> guard) {
  call.result(Object(std::move(guard), "guard"));
}

template <typename Context>
void enter(Call& call, Context context) {
  give(call, std::make_shared<Entered<Context>>(std::make_shared<Context>(std::move(context))));
}

}  // namespace

void runtime_stream_context(Call& call) {
  enter(call, PythonStreamContext(call.runtime(), stream_or_none(call)));
}

void runtime_device_context(Call& call) {
  if (const auto* index = call.arguments().value("device").get_if<std::int64_t>()) {
    return enter(call, PythonDeviceContext(call.runtime(), static_cast<int>(*index)));
  }
  enter(call, PythonDeviceContext(call.runtime(), call.device("device")));
}

/// For a tensor that is not on CUDA it has no effect.
void runtime_device_of(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  const int index = tensor.is_cuda() ? tensor.device().index : -1;
  enter(call, PythonDeviceContext(call.runtime(), index));
}

void runtime_reenter(Call& call) {
  const auto guard = call.held<Guard>("context", "guard");
  const auto* entered = dynamic_cast<const EnteredContext*>(guard.get());
  if (entered == nullptr) throw InvalidArgument("only Python's contexts can be entered again");
  give(call, entered->enter_again());
}

}  // namespace assay::reference
