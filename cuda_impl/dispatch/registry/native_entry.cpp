// Registers native entries and implements their kernels.
#include "cuda_impl/dispatch/registry/native_entry.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "cuda_impl/dispatch/call/argument_keys.hpp"
#include "cuda_impl/dispatch/call/trace.hpp"

namespace assay::cuda::dispatch {
namespace {

using enum Functionality;
using KernelNames = std::map<Key, std::string>;

bool is_out_form(const Schema& schema) {
  return std::ranges::any_of(schema.arguments(), [](const Argument& argument) {
    return argument.kwarg_only && argument.is_written();
  });
}

std::string qualified(const std::string& name, std::string_view with) {
  if (name.empty() || name.find("::") != std::string::npos) return name;
  return std::string(with) + "::" + name;
}

KernelNames kernels_of_delegate(Dispatcher& dispatcher, const std::string& name) {
  const Operator* found = dispatcher.find(parse_name(name, dispatcher.contract()));
  require(found != nullptr, [&] { return "there is no structured operator " + name; });
  KernelNames names;
  for (const auto& [key, kernels] : found->state()->kernels) names[key] = kernels.front()->debug;
  return names;
}

KernelNames kernels_of(Dispatcher& dispatcher, const NativeEntry& entry, const Schema& schema) {
  const std::string op = schema.name().text();
  KernelNames names;
  if (!entry.structured_delegate.empty()) {
    const auto in = schema.name().namespace_name();
    names = kernels_of_delegate(dispatcher, qualified(entry.structured_delegate, in));
  }
  for (const auto& [key, name] : entry.dispatch) names[key] = name;
  const bool is_in_group = entry.is_structured || !entry.structured_delegate.empty();
  if (!is_in_group && names.empty()) names[kCompositeImplicit] = schema.name().name;
  if (!is_in_group) return names;
  names.emplace(Backend::kMeta, "shape of " + op);
  if (!is_out_form(schema)) names.emplace(kCompositeExplicitNonFunctional, "composite of " + op);
  return names;
}

/// DSP-219: the device of the first defined tensor.
class CommonDevice {
 public:
  explicit CommonDevice(const std::string& op) : op_(op) {}

  void see(const Boxed& boxed, const std::string& argument) {
    if (boxed.is(BoxedKind::kList)) {
      for (const Boxed& item : boxed.list()) see(item, argument);
    } else if (boxed.is_tensor() && boxed.tensor().defined()) {
      see(boxed.tensor().device(), argument);
    }
  }

 private:
  void see(Device device, const std::string& argument) {
    if (!common_) common_ = device;
    require(device == *common_, [&] {
      return "Expected all tensors to be on the same device, but found at least two devices, " +
             to_text(*common_) + " and " + to_text(device) + "! (when checking argument " +
             argument + " in method " + op_ + ")";
    });
  }

  const std::string& op_;
  std::optional<Device> common_;
};

void expect_common_device(const Schema& schema, std::span<const Boxed> arguments,
                          const std::string& op) {
  CommonDevice common(op);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    common.see(arguments[i], schema.arguments()[i].name);
  }
}

Stack results_of(const Schema& schema, std::span<const Boxed> arguments) {
  Stack results;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (schema.arguments()[i].is_written()) results.push_back(arguments[i]);
  }
  const auto tensor = std::ranges::find_if(arguments, &Boxed::is_tensor);
  if (results.empty() && tensor != arguments.end()) results.push_back(*tensor);
  results.resize(schema.returns().size());
  return results;
}

void run_entry(const Entry& entry, KeySet keys, Stack& stack) {
  report_boxed_start(entry, keys, stack);
  const Schema& schema = entry.table->state->definition->schema;
  const std::span<const Boxed> arguments = std::span(stack).last(schema.arguments().size());
  if (functor_of<bool>(entry)) expect_common_device(schema, arguments, entry.table->op->text());
  Stack results = results_of(schema, arguments);
  stack.resize(stack.size() - arguments.size());
  for (Boxed& result : results) stack.push_back(std::move(result));
}

}  // namespace

NativeOperator register_entry(Dispatcher& dispatcher, const NativeEntry& entry) {
  Schema schema = parse_schema(entry.func, dispatcher.contract());
  schema.rename({qualified(schema.name().name, "native"), schema.name().overload});
  const KernelNames kernels = kernels_of(dispatcher, entry, schema);
  const Kernel kernel =
      Kernel::of_boxed(run_entry, std::make_shared<const bool>(entry.checks_device));
  NativeOperator made;
  made.registrations.push_back(dispatcher.define(schema, {"native function entry"}));
  for (const auto& [key, name] : kernels) {
    made.registrations.push_back(dispatcher.implement(schema.name(), key, kernel, name));
    made.ops.push_back(schema.name().text() + "@" + name_of(key));
  }
  std::ranges::sort(made.ops);
  return made;
}

}  // namespace assay::cuda::dispatch
