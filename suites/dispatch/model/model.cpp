// A model of dispatch: the kernel that a call reaches.
#include "suites/dispatch/model/model.hpp"

#include <algorithm>

#include "suites/dispatch/model/batch.hpp"

namespace assay::suites {
namespace {

using Kind = TableEntry::Kind;

const char* const kCia = "CompositeImplicitAutograd";
const char* const kCiaNested = "CompositeImplicitAutogradNestedTensor";
const char* const kCea = "CompositeExplicitAutograd";
const char* const kCeaNonFunctional = "CompositeExplicitAutogradNonFunctional";

/// Kernels without a key are composite (DSP-502).
std::string stored_at(const std::string& key) {
  return key.empty() || key == "CatchAll" || key == "Undefined" ? kCia : key;
}

}  // namespace

std::string ExpectedCall::text() const {
  return error ? std::string(assay::name_of(*error)) : entry.label;
}

Model::Model(Layout layout, Contract contract)
    : layout_(std::make_shared<Layout>(std::move(layout))), contract_(contract) {}

int Model::add(const std::string& op, const std::string& key, TableEntry kernel) {
  const std::string place = op.empty() ? key : stored_at(key);
  kernels_[op][place].push_back({next_, std::move(kernel)});
  refresh_for(op, place);
  return next_++;
}

int Model::add_fallback(const std::string& key, TableEntry kernel) {
  return add("", key, std::move(kernel));
}

void Model::remove(int registration) {
  for (auto& [op, kernels] : kernels_) {
    for (auto& [key, stack] : kernels) {
      const auto found = std::find_if(stack.begin(), stack.end(), [&](const Registration& one) {
        return one.number == registration;
      });
      if (found == stack.end()) continue;
      stack.erase(found);
      const std::string place = key;
      if (stack.empty()) kernels.erase(place);
      return refresh_for(op, place);
    }
  }
}

void Model::set_schema(const std::string& op, bool has_one) {
  if (has_one) {
    without_schema_.erase(op);
  } else {
    without_schema_.insert(op);
  }
}

const TableEntry* Model::newest(const std::string& op, const std::string& key) const {
  const auto kernels = kernels_.find(op);
  if (kernels == kernels_.end()) return nullptr;
  const auto stack = kernels->second.find(key);
  return stack == kernels->second.end() ? nullptr : &stack->second.back().kernel;
}

bool Model::has_tied_kernel(const std::string& op, const std::string& key) const {
  const auto kernels = kernels_.find(op);
  return kernels != kernels_.end() &&
         std::any_of(kernels->second.begin(), kernels->second.end(),
                     [&](const auto& entry) { return tied(key, entry.first); });
}

bool Model::tied(const std::string& autograd_key, const std::string& key) const {
  if (!layout_->is_runtime(key)) return false;
  const RuntimeKey runtime = layout_->parse(key);
  if (autograd_key == "AutogradNestedTensor")
    return layout_->alias_has(kCiaNested, key) && !layout_->is_autograd(key);
  const bool dense = runtime.backend >= 0 && layout_->functionality_bit("Dense") ==
                                                 (layout_->bits_of(key) & ~layout_->backend_bits());
  if (autograd_key == "AutogradOther") return layout_->is_backend_key(key) && !dense;
  // PyTorch does not associate MTIA with its autograd key.
  return dense && key != "MTIA" && layout_->autograd_of(key) == autograd_key;
}

bool Model::has_backend_kernel(const std::string& op, const std::string& key) const {
  if (newest(op, kCea) != nullptr) return true;
  return key != "Undefined" && layout_->is_autograd(key) && has_tied_kernel(op, key);
}

std::optional<TableEntry> Model::composite(const std::string& op, const std::string& key) const {
  const bool undefined = key == "Undefined";
  const auto covers = [&](const char* alias) {
    return undefined || layout_->alias_has(alias, key);
  };
  for (const char* alias : {kCeaNonFunctional, kCea}) {
    const TableEntry* kernel = newest(op, alias);
    if (kernel != nullptr && covers(alias)) return *kernel;
  }
  const TableEntry* nested = newest(op, kCiaNested);
  if (nested != nullptr && !undefined && covers(kCiaNested)) return *nested;
  const TableEntry* implicit = newest(op, kCia);
  if (implicit == nullptr || !covers(kCia)) return std::nullopt;
  if (key == "AutogradOther" && has_tied_kernel(op, key)) {
    return TableEntry{Kind::kAmbiguous, ""};
  }
  if (has_backend_kernel(op, key)) return std::nullopt;
  return *implicit;
}

TableEntry Model::computed(const std::string& op, const std::string& key) const {
  const bool undefined = key == "Undefined";
  if (!undefined) {
    if (const TableEntry* exact = newest(op, key)) return *exact;
  }
  if (auto found = composite(op, key)) return *found;
  if (undefined) return {};
  for (const char* alias : {"Autograd", "FuncTorchBatchedDecomposition"}) {
    const TableEntry* kernel = newest(op, alias);
    if (kernel != nullptr && layout_->alias_has(alias, key)) return *kernel;
  }
  const TableEntry* fallback = newest("", key);
  return fallback == nullptr ? TableEntry() : *fallback;
}

TableEntry Model::live(const std::string& op, const std::string& key) const {
  if (contract_.strict()) return computed(op, key);
  const auto table = tables_.find(op);
  if (table == tables_.end()) return computed(op, key);
  const auto kept = table->second.find(key);
  return kept == table->second.end() ? computed(op, key) : kept->second;
}

bool Model::stale(const std::string& op) const {
  if (contract_.strict()) return false;
  const auto& keys = layout_->runtime_keys();
  return std::any_of(keys.begin(), keys.end(),
                     [&](const std::string& key) { return live(op, key) != computed(op, key); });
}

void Model::refresh(const std::string& op, const std::string& key) {
  tables_[op][key] = computed(op, key);
}

void Model::refresh_for(const std::string& op, const std::string& key) {
  if (contract_.strict()) return;
  if (!op.empty()) return refresh_around(op, key);
  for (const auto& [each, table] : Tables(tables_)) refresh_around(each, key);
}

void Model::refresh_around(const std::string& op, const std::string& key) {
  const bool is_new = !tables_.contains(op);
  const bool fills_undefined = key == kCia || key == kCea || key == kCeaNonFunctional;
  for (const std::string& each : layout_->runtime_keys()) {
    const bool undefined = each == "Undefined";
    const bool touched = undefined ? fills_undefined : each == key || layout_->alias_has(key, each);
    if (is_new || touched) refresh(op, each);
  }
  if (layout_->is_runtime(key) && layout_->is_backend_key(key))
    refresh(op, layout_->autograd_of(key));
}

KeyBits Model::unmasked(const std::string& op, int backend, KeyBits set) const {
  KeyBits kept = set;
  for (const std::string& key : layout_->runtime_keys()) {
    const RuntimeKey runtime = layout_->parse(key);
    if (runtime.backend >= 0 && runtime.backend != backend) continue;
    const KeyBits bit = layout_->bits_of(key) & ~layout_->backend_bits();
    if ((set & bit) != 0 && live(op, key).kind == Kind::kFallthrough) kept &= ~bit;
  }
  return kept;
}

KeyBits Model::effective(const std::string& op, const CallKeys& keys) const {
  const KeyBits all = (keys.args | keys.included) & ~(keys.excluded & ~layout_->backend_bits());
  const KeyBits chooses = contract_.release < Release::k2_11 ? keys.args : all;
  return unmasked(op, layout_->highest_backend(chooses), all);
}

ExpectedCall Model::call(const std::string& op, const CallKeys& keys) const {
  return redispatch(op, effective(op, keys));
}

ExpectedCall Model::redispatch(const std::string& op, KeyBits keys) const {
  const std::string key = layout_->highest(keys);
  ExpectedCall reached{.entry = live(op, key), .key = key, .keys = keys, .error = {}};
  const bool hops = reached.entry.kind == Kind::kHop && !without_schema_.contains(op);
  if (hops) return redispatch(op, keys & layout_->after_autograd());
  if (reached.entry.kind == Kind::kMissing) {
    // If the table is stale, composing the error message detects that first.
    reached.error = stale(op) ? ErrorKind::kInternal : ErrorKind::kNotImplemented;
  } else if (reached.entry.kind != Kind::kKernel) {
    reached.error = ErrorKind::kInternal;
  }
  return reached;
}

namespace {

/// Those of `keys` that have a fallback.
std::vector<std::string> fallbacks_of(Session& subject, const std::vector<std::string>& keys) {
  std::vector<std::string> found;
  Batch batch(subject);
  for (const std::string& key : keys) {
    if (key == "Undefined") continue;
    batch.then([&](Session& s) { s.dispatch().has_fallback(key); }, key,
               [&](const Reply& reply) {
                 if (field_as<bool>(reply, "result")) found.push_back(key);
               });
  }
  batch.flush();
  return found;
}

}  // namespace

Model model_of(Session& subject) {
  Model model(layout_of(subject), subject.contract());
  const bool strict = subject.contract().strict();
  const bool boxed = !strict && subject.contract().release != Release::k1_13;
  for (const std::string& key : fallbacks_of(subject, model.layout().runtime_keys())) {
    Kind kind = Kind::kKernel;
    if (strict || key == "BackendSelect" || key == "ADInplaceOrView" ||
        key.starts_with("Autocast")) {
      kind = Kind::kFallthrough;
    }
    if (model.layout().is_autograd(key)) kind = boxed ? Kind::kHop : Kind::kFallthrough;
    model.add_fallback(key, {kind, kind == Kind::kKernel ? "of the runtime" : ""});
  }
  return model;
}

}  // namespace assay::suites
