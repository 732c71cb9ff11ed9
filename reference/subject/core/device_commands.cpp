// Area core: devices, their text forms, and the current device.
#include "reference/core/types/device_text.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

/// PyTorch deprecates this type since 2.9.
void warn_of_old_type(Call& call, const Device& made) {
  if (made.type != DeviceType::kMkldnn || !call.contract().at_least(Release::k2_11)) return;
  call.runtime().warn(
      "UserWarning",
      "'mkldnn' is no longer used as device type. So torch.device('mkldnn') will be "
      "deprecated and removed in the future.");
}

DeviceType type_argument(Call& call) {
  const std::string text = call.arguments().text("type");
  const auto found = device_type_named(text, call.contract().release);
  if (!found) throw InvalidArgument("there is no device type '" + text + "' in this release");
  return *found;
}

assay::Device current(Call& call) {
  if (!call.contract().cuda()) return {"cpu", -1};
  return {"cuda", call.runtime().current_device()};
}

/// A CPU has no settable current device.
std::optional<int> cuda_index(Call& call) {
  const Device device = call.runtime().resolve(call.device("device"));
  if (!device.is_cuda()) return std::nullopt;
  return device.index;
}

class CurrentDeviceGuard final : public Guard {
 public:
  CurrentDeviceGuard(Runtime& runtime, int index)
      : runtime_(runtime), before_(runtime.current_device()) {
    runtime_.set_current_device(index);
  }
  void leave() override {
    if (runtime_.cuda_devices() > 0) runtime_.set_current_device(before_);
  }

 private:
  Runtime& runtime_;
  int before_;
};

/// A guard for the CPU, which has no effect.
class NoGuard final : public Guard {
 public:
  void leave() override {}
};

}  // namespace

void core_device(Call& call) {
  const std::string text = call.arguments().text("text");
  const Device made = device_from_text(text, call.contract());
  warn_of_old_type(call, made);
  call.set("type", name_of(made.type, call.contract().release));
  call.set("index", made.index);
  // MAIA was called ORT in 1.13, and has the same number.
  const std::string type(name_of(made.type, call.contract().release));
  const std::string plain = to_text(made);
  const std::size_t index = plain.find(':');
  call.set("text", index == std::string::npos ? type : type + plain.substr(index));
}

void core_device_new(Call& call) {
  const DeviceType type = type_argument(call);
  const Device made = make_device(type, call.arguments().integer("index"), call.contract());
  call.set("text", to_text(made));
}

void core_device_type(Call& call) {
  call.set("number", number_of(type_argument(call), call.contract().release));
}

void core_device_key(Call& call) {
  call.result(Value(dispatch_key_of(type_argument(call), call.contract().release)));
}

void core_current_device(Call& call) { call.result(Value(current(call))); }

void core_set_device(Call& call) {
  if (const auto index = cuda_index(call)) call.runtime().set_current_device(*index);
}

void core_device_guard(Call& call) {
  std::shared_ptr<Guard> guard = std::make_shared<NoGuard>();
  if (const auto index = cuda_index(call)) {
    guard = std::make_shared<CurrentDeviceGuard>(call.runtime(), *index);
  }
  call.result(Object(std::move(guard), "guard"));
}

}  // namespace assay::reference
