// The dispatch keys of values.
#include "suites/dispatch/model/tensor_model.hpp"

#include "suites/dispatch/model/thread_model.hpp"

namespace assay::suites {
namespace {

std::string text_in(const Fields& with, std::string_view name, const char* otherwise) {
  const Value* value = with.find(name);
  const std::string* text = value == nullptr ? nullptr : value->get_if<std::string>();
  return text == nullptr ? otherwise : *text;
}

bool flag_in(const Fields& with, std::string_view name) {
  const Value* value = with.find(name);
  const bool* flag = value == nullptr ? nullptr : value->get_if<bool>();
  return flag != nullptr && *flag;
}

bool is_quantized(const Fields& with) {
  const Value* value = with.find("dtype");
  const Dtype* dtype = value == nullptr ? nullptr : value->get_if<Dtype>();
  return dtype != nullptr &&
         (*dtype == Dtype::kQint8 || *dtype == Dtype::kQuint8 || *dtype == Dtype::kQint32);
}

/// Devices whose keys are the upper-case device name.
std::string backend_of(const std::string& device) {
  for (const char* backend : {"CPU", "CUDA", "HIP", "XLA", "MPS", "XPU"}) {
    std::string lower(backend);
    for (char& letter : lower) letter = static_cast<char>(letter - 'A' + 'a');
    if (device == lower) return backend;
  }
  return device == "meta" ? "Meta" : "";
}

}  // namespace

KeyBits TensorModel::undefined() const {
  return layout_->functionality_bit("ADInplaceOrView") | layout_->bits_of("AutogradOther");
}

std::optional<std::string> TensorModel::backend_key(const Fields& with) const {
  const std::string backend = backend_of(text_in(with, "device", "cpu"));
  const std::string form = text_in(with, "layout", "strided");
  if (backend.empty() || (form != "strided" && form != "sparse")) return std::nullopt;
  if (form == "sparse") return "Sparse" + backend;
  return is_quantized(with) ? "Quantized" + backend : backend;
}

KeyBits TensorModel::autocast_of(const std::string& device) const {
  std::string backend = backend_of(device);
  // DSP-203: in 1.13, XLA tensors are cast like CUDA tensors.
  if (backend == "XLA" && layout_->release() == Release::k1_13) backend = "CUDA";
  const std::string key = "Autocast" + backend;
  return layout_->is_runtime(key) ? layout_->bits_of(key) : 0;
}

std::optional<KeyBits> TensorModel::of_properties(const Fields& with) const {
  const std::optional<std::string> backend = backend_key(with);
  if (!backend || !layout_->is_runtime(*backend)) return std::nullopt;
  KeyBits keys = layout_->bits_of(*backend) | autocast_of(text_in(with, "device", "cpu"));
  if (!flag_in(with, "inference")) {
    keys |= layout_->functionality_bit("ADInplaceOrView");
    keys |= layout_->bits_of(layout_->autograd_of(*backend));
  }
  if (flag_in(with, "conj")) keys |= layout_->functionality_bit("Conjugate");
  if (flag_in(with, "neg")) keys |= layout_->functionality_bit("Negative");
  if (flag_in(with, "zero")) keys |= layout_->functionality_bit("ZeroTensor");
  return keys;
}

void TensorModel::made(const Command& command, bool known) {
  if (command.as.empty()) return;
  const Value* keys = command.with.find("keys");
  if (keys != nullptr) {
    keys_[command.as] = key_bits_of(keys, *layout_);
  } else if (known || command.with.has("inference")) {
    keys_[command.as] = of_properties(command.with);
  }
}

std::optional<KeyBits> TensorModel::keys_of(const Value& value) const {
  if (value.is<Generator>() || value.is<Tuple>()) return std::nullopt;
  if (const Ref* ref = value.get_if<Ref>()) {
    const auto found = keys_.find(ref->name);
    return found == keys_.end() ? std::nullopt : found->second;
  }
  KeyBits united = 0;
  const List* list = value.get_if<List>();
  if (list == nullptr) return united;
  for (const Value& item : list->items) {
    const std::optional<KeyBits> keys = keys_of(item);
    if (!keys) return std::nullopt;
    united |= *keys;
  }
  return united;
}

}  // namespace assay::suites
