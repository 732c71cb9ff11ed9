// The open recordings of a thread.
#include "harness/adapters/libtorch/ran_kernels.hpp"

#include <utility>

#include "harness/adapters/libtorch/keys.hpp"
#include "harness/adapters/libtorch/tensors.hpp"

namespace assay::libtorch {
namespace {

std::vector<std::shared_ptr<List>>& open_lists() {
  thread_local std::vector<std::shared_ptr<List>> lists;
  return lists;
}

/// A dtype is boxed as its number.
bool is_dtype(const c10::FunctionSchema* schema, std::size_t argument) {
  if (schema == nullptr || argument >= schema->arguments().size()) return false;
  const std::string type = schema->arguments()[argument].real_type()->str();
  return type == "ScalarType" || type == "ScalarType?";
}

Value entry_of(const Run& run, bool boxed, const c10::FunctionSchema* schema) {
  List arguments;
  for (std::size_t i = 0; i < run.arguments.size(); ++i) {
    const c10::IValue& argument = run.arguments[i];
    arguments.items.push_back(is_dtype(schema, i) && argument.isInt()
                                  ? Value(to_waist(argument.toScalarType()))
                                  : shown_in_ran(argument));
  }
  Dict entry;
  entry.items.emplace_back("kernel", run.kernel.label);
  entry.items.emplace_back("op", c10::toString(run.op));
  if (run.keys) {
    entry.items.emplace_back("key", name_of(run.keys->highestPriorityTypeId()));
    entry.items.emplace_back("keys", bits_value(*run.keys));
  }
  entry.items.emplace_back("boxed", boxed);
  entry.items.emplace_back("arguments", std::move(arguments));
  return entry;
}

}  // namespace

void write_ran(const Run& run, bool boxed, const c10::FunctionSchema* schema) {
  if (open_lists().empty()) return;
  const Value entry = entry_of(run, boxed, schema);
  for (const auto& list : open_lists()) list->items.push_back(entry);
}

RanKernels::RanKernels() : entries_(std::make_shared<List>()) { open_lists().push_back(entries_); }

List RanKernels::take() { return std::exchange(*entries_, {}); }

void RanKernels::stop() { std::erase(open_lists(), entries_); }

}  // namespace assay::libtorch
