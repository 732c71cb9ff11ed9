// Formats the list of executed kernels.
#include "reference/subject/dispatch/ran_kernels.hpp"

#include "reference/operators/boxed_arguments.hpp"
#include "reference/subject/dispatch/objects.hpp"

namespace assay::reference {
namespace {

/// A tensor is shown by its dtype, a plain value as it is, any other value by its kind.
struct Shown {
  const Runtime& runtime;

  Value operator()(std::monostate) const { return {}; }
  Value operator()(const Tensor& held) const { return to_protocol(held.dtype()); }
  Value operator()(double held) const { return held; }
  Value operator()(std::int64_t held) const { return held; }
  Value operator()(bool held) const { return held; }
  Value operator()(std::complex<double> held) const { return to_protocol(Scalar(held)); }
  Value operator()(const std::string& held) const { return held; }
  Value operator()(Device held) const { return to_protocol(runtime, held); }
  Value operator()(const IValue::ListPtr& held) const {
    List list;
    for (const IValue& item : *held) list.items.push_back(std::visit(*this, item.payload()));
    return list;
  }
  Value operator()(const IValue::TuplePtr&) const { return "Tuple"; }
  Value operator()(const IValue::DictPtr&) const { return "Dict"; }
  Value operator()(const IValue::GeneratorPtr&) const { return "Generator"; }
};

/// Dtypes are boxed as ints, so the schema must tell them apart. A typed call may have more
/// arguments than the schema.
bool is_dtype(const OperatorHandle& op, std::size_t argument) {
  if (!op.has_schema() || argument >= op.schema().arguments.size()) return false;
  const std::string type = to_text(op.schema().arguments[argument].type);
  return type == "ScalarType" || type == "ScalarType?";
}

Value dtype_shown(const Runtime& runtime, const IValue& number) {
  return to_protocol(dtype_numbered(number.to_int(), runtime.contract().release));
}

Value entry_of(const Runtime& runtime, const KernelStart& start) {
  List arguments;
  for (std::size_t i = 0; i < start.arguments.size(); ++i) {
    const IValue& argument = *start.arguments[i];
    arguments.items.push_back(is_dtype(start.op, i) && argument.kind() == "Int"
                                  ? dtype_shown(runtime, argument)
                                  : std::visit(Shown{runtime}, argument.payload()));
  }
  Dict entry;
  entry.items.emplace_back("kernel", start.label);
  entry.items.emplace_back("op", start.op.name());
  entry.items.emplace_back("key", name_of(start.key));
  entry.items.emplace_back("keys", static_cast<std::int64_t>(start.keys.bits));
  entry.items.emplace_back("boxed", start.boxed);
  entry.items.emplace_back("arguments", std::move(arguments));
  return entry;
}

}  // namespace

RanKernels::RanKernels(Call& call)
    : watch_(dispatcher_of(call), [this, &runtime = call.runtime()](const KernelStart& start) {
        entries_.push_back(entry_of(runtime, start));
      }) {}

}  // namespace assay::reference
