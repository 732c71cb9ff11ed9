// Defines operators with or without a kernel.
#include "reference/dispatch/registry/define_operator.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/signature_schema.hpp"

namespace assay::reference {
namespace {

FunctionSchema inferred_schema(const OperatorName& name, const std::optional<Kernel>& kernel) {
  check(kernel.has_value(), [&] {
    return "def(\"" + to_text(name) + "\"): only the operator name was given, but no function";
  });
  check(kernel->is_typed(), [&] {
    return "def(\"" + to_text(name) +
           "\"): only the operator name was given, and from a kernel without a signature we "
           "couldn't infer schema either";
  });
  FunctionSchema schema = schema_of(*kernel->signature());
  schema.name = name;
  return schema;
}

Registration both(Registration def, Registration impl, Deviations deviations) {
  auto held =
      std::make_shared<std::pair<Registration, Registration>>(std::move(def), std::move(impl));
  return {[held] {
            held->second.drop();
            held->first.drop();
          },
          deviations};
}

bool has_variable(const SchemaType& type) {
  return type.kind == TypeKind::kVariable || std::ranges::any_of(type.items, has_variable);
}

/// DSP-303: PyTorch parses type variables in all schemas, but since 2.4 defines them only for its
/// own operators.
void check_variables(const FunctionSchema& schema, const Contract& contract) {
  const std::string_view owner = schema.name.name_space();
  const bool may = !contract.at_least(Release::k2_4) || owner == "aten" || owner == "prim";
  if (may) return;
  for (const auto* arguments : {&schema.arguments, &schema.returns}) {
    for (const SchemaArgument& argument : *arguments) {
      check(!has_variable(argument.type), ErrorKind::kSchema, [&] {
        return "unknown type specifier '" + to_text(argument.type) + "' in " + to_text(schema.name);
      });
    }
  }
}

}  // namespace

Registration define_operator(Dispatcher& dispatcher, const SchemaOrName& what,
                             const DefOptions& options, Registration& kept) {
  const auto* name = std::get_if<OperatorName>(&what);
  const FunctionSchema schema =
      name != nullptr ? inferred_schema(*name, options.kernel) : std::get<FunctionSchema>(what);
  check_variables(schema, dispatcher.runtime().contract());
  const AliasKind usual = name != nullptr ? AliasKind::kConservative : AliasKind::kFromSchema;
  Registration def = dispatcher.registry().define(
      schema, {options.at, options.alias_kind.value_or(usual), options.tags});
  if (!options.kernel) return def;

  const Contract& contract = dispatcher.runtime().contract();
  try {
    Registration impl =
        dispatcher.registry().impl(schema.name, options.key, *options.kernel, options.kernel_debug);
    return both(std::move(def), std::move(impl), contract.deviations);
  } catch (const Error&) {
    if (!contract.strict()) kept = std::move(def);
    throw;
  }
}

}  // namespace assay::reference
