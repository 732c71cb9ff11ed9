// The commands of every subject: hello, reset, and queries of named objects.
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/version.h>

#include "harness/adapters/libtorch/backends.hpp"
#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/dispatch/registrations.hpp"
#include "harness/adapters/libtorch/errors.hpp"
#include "harness/adapters/libtorch/names.hpp"
#include "harness/adapters/libtorch/release.hpp"
#include "harness/subject/common_commands.hpp"

namespace assay::libtorch {
namespace {

/// The number of operators. Some operators of clients cannot be removed, because PyTorch has lost
/// their registration (DSP-417), or did not undo a failure (DSP-207,
/// DSP-806).
std::size_t operators_now() { return c10::Dispatcher::singleton().getAllOpNames().size(); }

void hello(Call& call) {
  built_in_count();  // later registrations are clients'
  requested_contract(call);
  introduce(call, {"libtorch",
                   TORCH_VERSION,
                   List{{Device{"cpu", -1}}},
                   command_table().areas(),
                   {release(), DeviceRules::kCpu, Deviations::kCompat}});
}

/// The initial key sets of a thread (DSP-209).
void restore_keys() {
  c10::impl::_force_tls_local_dispatch_key_set(
      c10::impl::LocalDispatchKeySet(c10::impl::PODLocalDispatchKeySet{0, 0}));
}

void reset(Call& call) {
  { const auto dropped = call.names().clear(); }
  restore_keys();
  remove_backends();
  reset_autograd_fallback();
  List uncleaned;
  const bool is_spent = operators_now() != built_in_count() || has_warned_once();
  if (is_spent) uncleaned.items.emplace_back("dispatch");
  call.set("uncleaned", std::move(uncleaned));
}

void drop(Call& call) {
  const Object object = call.object("object");
  if (object.is<InLibrary>()) {
    throw NotSupported("PyTorch ends a registration only together with its library");
  }
  call.names().drop(call.arguments().ref("object"));
}

void uses(Call& call) {
  const Object object = call.object("object");
  const auto names = static_cast<std::int64_t>(call.names().names_of(identity_of(object)));
  if (!object.is<at::Tensor>()) {
    // This function holds one of the references.
    return call.result(Value(static_cast<std::int64_t>(object.held().use_count()) - names - 1));
  }
  const auto owners = static_cast<std::int64_t>(object.as<at::Tensor>()->use_count());
  call.result(Value(std::max<std::int64_t>(owners - names, 0)));
}

struct WeakHandle {
  std::weak_ptr<void> target;
  std::optional<c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>> tensor;
};

void weak(Call& call) {
  const Object object = call.object("object");
  auto handle = std::make_shared<WeakHandle>();
  handle->target = object.held();
  if (object.is<at::Tensor>()) handle->tensor.emplace(object.as<at::Tensor>()->getIntrusivePtr());
  call.result(Object(std::move(handle), "weak"));
}

void gone(Call& call) {
  const auto handle = call.held<WeakHandle>("weak", "weak");
  call.result(Value(handle->tensor ? handle->tensor->expired() : handle->target.expired()));
}

}  // namespace

void add_session_commands(CommandTable& table) {
  table.add("hello", hello);
  table.add("reset", reset);
  table.add("drop", drop);
  table.add("uses", uses);
  table.add("weak", weak);
  table.add("gone", gone);
  add_object_commands(table);
}

}  // namespace assay::libtorch
