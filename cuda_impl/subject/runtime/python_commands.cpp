// Area runtime: Python's streams, events and context managers.
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/event.hpp"
#include "cuda_impl/runtime/python.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"

namespace assay::cuda {
namespace {

std::shared_ptr<AnyEvent> new_event_for(const Stream& stream) {
  if (stream.device.is_cuda()) return std::make_shared<AnyEvent>(std::in_place_type<CudaEvent>);
  return std::make_shared<AnyEvent>(std::in_place_type<Event>, stream.device.kind, kPytorchDefault);
}

int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  throw InvalidArgument("'handle' must be bytes in hexadecimal");
}

/// A context that can be entered repeatedly.
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

template <typename Context>
void enter(Call& call, Context context) {
  std::shared_ptr<Guard> guard =
      std::make_shared<Entered<Context>>(std::make_shared<Context>(std::move(context)));
  call.result(Object(std::move(guard), "guard"));
}

}  // namespace

void runtime_python_stream(Call& call) {
  const bool is_old = call.release() == Release::k1_13;
  for (const char* const name : {"stream_id", "device_index", "device_type", "generic"}) {
    if (is_old && call.has(name)) throw NotSupported("1.13 has no " + std::string(name));
  }
  Arguments& with = call.arguments();
  PythonStreamOptions options;
  if (!call.is_none("device")) options.device = call.device_as_given("device");
  options.priority = int_argument(call, "priority", 0);
  options.parts = {.id = with.integer("stream_id", 0),
                   .device_index = with.integer("device_index", 0),
                   .device_type = with.integer("device_type", 0)};
  options.handle = with.integer("handle", 0);
  const bool is_generic = with.boolean("generic", false);
  const StreamMaker maker = is_generic ? StreamMaker::kTorch : StreamMaker::kTorchCuda;
  give_stream(call, is_generic ? python_generic_stream(options) : python_stream(options), maker);
}

void runtime_python_set_stream(Call& call) {
  if (const auto given = stream_or_none(call)) python_set_stream(*given);
}

/// EVT-028
void runtime_record_event(Call& call) {
  const Stream stream = stream_argument(call);
  if (call.has("event")) {
    const auto event = event_argument(call);
    std::visit([&](auto& recorded) { recorded.record(stream); }, *event);
    return call.result(call.object("event"));
  }
  auto event = new_event_for(stream);
  std::visit([&](auto& recorded) { recorded.record(stream); }, *event);
  give_event(call, std::move(event));
}

void runtime_wait_event(Call& call) {
  const auto event = event_argument(call);
  const Stream stream = stream_argument(call);
  const bool is_of_cuda = std::holds_alternative<CudaEvent>(*event);
  if (is_of_cuda && passes_over_cuda_events(made_stream(call, "stream")->maker)) return;
  std::visit([&](const auto& waited) { waited.block(stream); }, *event);
}

void runtime_wait_stream(Call& call) {
  wait_for_stream(stream_argument(call), stream_argument(call, "other"));
}

/// EVT-029
void runtime_ipc_handle(Call& call) {
  const auto event = event_argument(call);
  auto* const of_cuda = std::get_if<CudaEvent>(event.get());
  require(of_cuda != nullptr, ErrorKind::kNotImplemented,
          [] { return "torch.Event ipc is not supported"; });
  std::string digits;
  for (const char byte : of_cuda->ipc_bytes()) {
    const auto value = static_cast<unsigned char>(byte);
    digits += "0123456789abcdef"[value / 16];
    digits += "0123456789abcdef"[value % 16];
  }
  call.result(Value(digits));
}

void runtime_event_from_ipc(Call& call) {
  const Device device = call.device_as_given("device");
  const std::string text = call.arguments().text("handle");
  if (text.size() % 2 != 0) throw InvalidArgument("'handle' must be bytes in hexadecimal");
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    bytes += static_cast<char>(digit(text[i]) * 16 + digit(text[i + 1]));
  }
  give_event(call, std::make_shared<AnyEvent>(std::in_place_type<CudaEvent>, device, bytes));
}

void runtime_stream_context(Call& call) { enter(call, PythonStreamContext(stream_or_none(call))); }

void runtime_device_context(Call& call) {
  const auto* const index = call.arguments().value("device").get_if<std::int64_t>();
  if (index != nullptr) return enter(call, PythonDeviceContext(static_cast<int>(*index)));
  enter(call, PythonDeviceContext(call.device_as_given("device")));
}

void runtime_device_of(Call& call) {
  const Tensor tensor = call.tensor("tensor");
  enter(call, PythonDeviceContext(tensor.is_cuda() ? tensor.device().index : -1));
}

void runtime_reenter(Call& call) {
  const auto guard = call.held<Guard>("context", "guard");
  const auto* const entered = dynamic_cast<const EnteredContext*>(guard.get());
  if (entered == nullptr) throw InvalidArgument("only a context of Python's can be entered again");
  call.result(Object(entered->enter_again(), "guard"));
}

}  // namespace assay::cuda
