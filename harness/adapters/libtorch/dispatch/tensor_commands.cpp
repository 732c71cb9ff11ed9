// Area dispatch: probe tensors, and the dispatch keys of tensors and generators.
#include <ATen/core/Tensor.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/TensorOptions.h>

#include <array>

#include "harness/adapters/libtorch/command_table.hpp"
#include "harness/adapters/libtorch/generators.hpp"
#include "harness/adapters/libtorch/keys.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

/// One element without data. PyTorch computes its keys, unless the client gives them.
class Probe final : public c10::TensorImpl {
 public:
  Probe(c10::DispatchKey backend, at::ScalarType dtype, c10::Device device)
      : TensorImpl(c10::DispatchKeySet(backend), c10::scalarTypeToTypeMeta(dtype), device) {
    set_sizes_contiguous({1});
  }
  explicit Probe(c10::DispatchKeySet keys)
      : Probe(c10::DispatchKey::CPU, at::kFloat, c10::Device(c10::kCPU)) {
    key_set_ = keys;
  }
  void mark(c10::DispatchKey key) { key_set_ = key_set_.add(key); }
};

using ProbePtr = c10::intrusive_ptr<Probe>;

c10::Layout layout_argument(Call& call) {
  const std::string text = call.arguments().text("layout", "strided");
  if (text == "strided") return c10::kStrided;
  if (text == "sparse") return c10::kSparse;
  if (text == "sparse_csr") return c10::kSparseCsr;
  if (text == "mkldnn") return c10::kMkldnn;
  throw NotSupported("no layout '" + text + "'");
}

c10::DispatchKey backend_key_argument(Call& call) {
  const at::ScalarType dtype = call.dtype_or_none("dtype").value_or(at::kFloat);
  const c10::Device device(device_type_named(call.arguments().text("device")));
  return c10::computeDispatchKey(dtype, layout_argument(call), device);
}

/// Marks views and zero tensors without creating them, because probes have no data.
void add_marks(Call& call, Probe& probe) {
  constexpr std::array<std::pair<std::string_view, c10::DispatchKey>, 3> kMarks{{
      {"conj", c10::DispatchKey::Conjugate},
      {"neg", c10::DispatchKey::Negative},
      {"zero", c10::DispatchKey::ZeroTensor},
  }};
  for (const auto& [name, key] : kMarks) {
    if (call.arguments().boolean(name, false)) probe.mark(key);
  }
}

ProbePtr probe_of_traits(Call& call) {
  const at::ScalarType dtype = call.dtype_or_none("dtype").value_or(at::kFloat);
  const c10::DeviceType type = device_type_named(call.arguments().text("device"));
  const c10::Device device(type, static_cast<c10::DeviceIndex>(type == c10::kCUDA ? 0 : -1));
  const c10::DispatchKey backend = backend_key_argument(call);
  const bool is_on = c10::InferenceMode::is_enabled();
  const c10::InferenceMode mode(call.arguments().boolean("inference", is_on));
  return c10::make_intrusive<Probe>(backend, dtype, device);
}

c10::DispatchKeySet keys_of(Call& call, const Value& value) {
  if (value.is_none()) return {};
  if (const auto* list = value.get_if<List>()) {
    c10::DispatchKeySet united;
    for (const Value& item : list->items) united = united | keys_of(call, item);
    return united;
  }
  if (const auto* generator = value.get_if<Generator>()) {
    return generator_of(*generator).key_set();
  }
  return call.tensor_from(value).key_set();
}

}  // namespace

void dispatch_backend_key(Call& call) { call.result(Value(name_of(backend_key_argument(call)))); }

void dispatch_tensor(Call& call) {
  ProbePtr made = call.has("keys") ? c10::make_intrusive<Probe>(set_argument(call, "keys"))
                                   : probe_of_traits(call);
  add_marks(call, *made);
  call.result(at::Tensor(std::move(made)));
}

void dispatch_tensor_keys(Call& call) {
  call.result(bits_value(keys_of(call, call.arguments().value("of"))));
}

}  // namespace assay::libtorch
