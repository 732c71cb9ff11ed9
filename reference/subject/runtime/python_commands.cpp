// Area runtime: Python's streams, and its device and stream contexts.
#include "reference/runtime/python_stream.hpp"
#include "reference/subject/call.hpp"
#include "reference/subject/runtime/arguments.hpp"

namespace assay::reference {
namespace {

/// 1.13 can construct a stream only from a packed word.
void refuse_parts_of_later_releases(Call& call) {
  if (call.contract().release != Release::k1_13) return;
  for (const char* name : {"stream_id", "device_index", "device_type", "generic"}) {
    if (call.has(name)) throw NotSupported("1.13 has no '" + std::string(name) + "' of a stream");
  }
}

}  // namespace

void runtime_python_stream(Call& call) {
  refuse_parts_of_later_releases(call);
  PythonStreamCall asked;
  asked.device = call.device_or_none("device");
  asked.priority = call.arguments().int32("priority", 0);
  asked.stream_id = call.arguments().integer("stream_id", 0);
  asked.device_index = call.arguments().integer("device_index", 0);
  asked.device_type = call.arguments().integer("device_type", 0);
  asked.handle = static_cast<StreamHandle>(call.arguments().integer("handle", 0));
  const bool is_generic = call.arguments().boolean("generic", false);
  if (is_generic) {
    return give_stream(call, python_generic_stream(call.runtime(), asked), StreamClass::kTorch);
  }
  give_stream(call, python_stream(call.runtime(), asked), StreamClass::kTorchCuda);
}

void runtime_python_set_stream(Call& call) {
  python_set_stream(call.runtime(), stream_or_none(call));
}

/// Creates an event for the stream's kind, unless one is given.
void runtime_record_event(Call& call) {
  const Stream stream = stream_argument(call);
  if (call.has("event")) {
    const auto given = event_argument(call);
    std::visit([&](auto& event) { event.record(stream); }, given->event);
    return call.result(call.object("event"));
  }
  if (stream.device.is_cuda()) {
    CudaEvent event(call.runtime(), python_event_flags({}));
    event.record(stream);
    return give_event(call, {std::move(event), true});
  }
  Event event(call.runtime(), stream.device.type, EventFlag::kPytorchDefault);
  event.record(stream);
  give_event(call, {std::move(event), true});
}

void runtime_wait_event(Call& call) {
  const auto asked = event_argument(call);
  const Stream stream = stream_argument(call);
  const StreamClass of_stream = class_of(call.object("stream"));
  const bool is_cuda = std::holds_alternative<CudaEvent>(asked->event);
  if (is_cuda && !waits_for_cuda_events(call.contract(), of_stream)) return;
  std::visit([&](const auto& event) { event.block(stream); }, asked->event);
}

void runtime_wait_stream(Call& call) {
  wait_stream(call.runtime(), stream_argument(call), stream_argument(call, "other"));
}

// Python's device and stream contexts.

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
