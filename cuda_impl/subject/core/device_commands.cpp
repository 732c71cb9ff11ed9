// Area core: device values, and the current device.
#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/device/device_text.hpp"
#include "cuda_impl/subject/command_table.hpp"

namespace assay::cuda {
namespace {

DeviceKind kind(Call& call) {
  const std::string name = call.arguments().text("type");
  const auto found = device_kind_named(name, call.release());
  if (!found) throw InvalidArgument("this release has no device type '" + name + "'");
  return *found;
}

class CurrentDeviceGuard final : public Guard {
 public:
  explicit CurrentDeviceGuard(Device device) : is_cuda_(device.is_cuda()) {
    if (!is_cuda_) return;
    before_ = exchange_current_device(device.index);
  }
  void leave() override {
    if (is_cuda_) cuda_check(restore_current_device(before_));
  }

 private:
  bool is_cuda_;
  int before_ = 0;
};

}  // namespace

void core_device(Call& call) {
  const Device made = device_from_text(call.arguments().text("text"), call.contract());
  call.set("type", name_of(made.kind, call.release()));
  call.set("index", made.index);
  call.set("text", to_text(made, call.release()));
}

void core_device_new(Call& call) {
  const Device made = make_device(kind(call), call.arguments().integer("index"), call.contract());
  call.set("text", to_text(made, call.release()));
}

void core_device_type(Call& call) { call.set("number", number_of(kind(call), call.release())); }

void core_device_key(Call& call) {
  call.result(Value(dispatch_key_of(kind(call), call.release())));
}

void core_current_device(Call& call) {
  const Device device = home().is_cuda() ? cuda_device(cuda::current_device()) : home();
  call.result(Value(to_waist(device, call.release())));
}

/// There is only one CPU, which is always current.
void core_set_device(Call& call) {
  const Device wanted = call.device("device");
  if (wanted.is_cuda()) set_current_device(wanted.index);
}

void core_device_guard(Call& call) {
  std::shared_ptr<Guard> guard = std::make_shared<CurrentDeviceGuard>(call.device("device"));
  call.result(Object(std::move(guard), "guard"));
}

}  // namespace assay::cuda
