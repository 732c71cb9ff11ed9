// Area dispatch: parsing, inferring and comparing schemas.
#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/schema.hpp"
#include "reference/dispatch/schema/signature_schema.hpp"
#include "reference/subject/call.hpp"

namespace assay::reference {
namespace {

struct DefaultValue {
  Call& call;

  Value of(const IValue& value) const { return std::visit(*this, value.payload()); }

  Value operator()(std::monostate) const { return {}; }
  Value operator()(double held) const { return held; }
  Value operator()(std::int64_t held) const { return held; }
  Value operator()(bool held) const { return held; }
  Value operator()(std::complex<double> held) const { return to_protocol(Scalar(held)); }
  Value operator()(const std::string& held) const { return held; }
  Value operator()(Device held) const { return to_protocol(call.runtime(), held); }
  Value operator()(const IValue::ListPtr& held) const {
    assay::List list;
    for (const IValue& item : *held) list.items.push_back(of(item));
    return list;
  }
  template <typename T>
  Value operator()(const T&) const {
    return Opaque{"default"};
  }
};

Value set_value(const std::set<std::string>& names) {
  assay::List list;
  for (const std::string& name : names) list.items.emplace_back(name);
  return list;
}

Value alias_value(const AliasInfo* alias) {
  if (alias == nullptr) return {};
  assay::Dict dict;
  dict.items.emplace_back("write", alias->write);
  dict.items.emplace_back("before", set_value(alias->before));
  dict.items.emplace_back("after", set_value(alias->after));
  const AliasInfo* element = alias->contained.empty() ? nullptr : alias->contained.data();
  dict.items.emplace_back("contained", alias_value(element));
  return dict;
}

Value argument_value(Call& call, const SchemaArgument& argument) {
  assay::Dict dict;
  dict.items.emplace_back("name", argument.name);
  dict.items.emplace_back("type", to_text(argument.type));
  dict.items.emplace_back("size", argument.size ? Value(*argument.size) : Value());
  if (argument.default_value) {
    dict.items.emplace_back("default", DefaultValue{call}.of(*argument.default_value));
  }
  dict.items.emplace_back("kwarg_only", argument.kwarg_only);
  dict.items.emplace_back("alias", alias_value(argument.alias ? &*argument.alias : nullptr));
  return dict;
}

Value arguments_value(Call& call, const std::vector<SchemaArgument>& arguments) {
  assay::List list;
  for (const SchemaArgument& argument : arguments) {
    list.items.push_back(argument_value(call, argument));
  }
  return list;
}

void set_name(Call& call, const OperatorName& name) {
  call.set("name", name.name);
  call.set("overload", name.overload);
}

void set_schema(Call& call, const FunctionSchema& schema) {
  call.set("text", to_text(schema, call.contract().deviations));
  set_name(call, schema.name);
  call.set("arguments", arguments_value(call, schema.arguments));
  call.set("returns", arguments_value(call, schema.returns));
  call.set("vararg", schema.vararg);
  call.set("varret", schema.varret);
  call.set("mutable", schema.is_mutable());
}

void set_parsed(Call& call, const std::variant<OperatorName, FunctionSchema>& parsed) {
  if (const auto* schema = std::get_if<FunctionSchema>(&parsed)) return set_schema(call, *schema);
  const auto& name = std::get<OperatorName>(parsed);
  call.set("text", to_text(name));
  set_name(call, name);
}

}  // namespace

void dispatch_parse(Call& call) {
  const std::string text = call.arguments().text("text");
  const std::string as = call.arguments().text("as", "schema");
  if (as == "schema") return set_parsed(call, parse_schema(text, call.contract()));
  if (as == "name") return set_parsed(call, parse_name(text, call.contract()));
  if (as == "either") return set_parsed(call, parse_schema_or_name(text, call.contract()));
  throw NotSupported("nothing is parsed as '" + as + "'");
}

void dispatch_infer(Call& call) {
  FunctionSchema schema =
      schema_of(parse_signature(call.arguments().text("signature"), call.contract().release));
  if (call.has("name")) schema.name = parse_name(call.arguments().text("name"), call.contract());
  call.set("text", to_text(schema));
  call.set("alias_kind", name_of(AliasKind::kConservative));
}

void dispatch_schema_difference(Call& call) {
  const auto found = worded_difference(
      parse_schema(call.arguments().text("declared"), call.contract()),
      parse_schema(call.arguments().text("inferred"), call.contract()), call.contract().release);
  call.result(found ? Value(*found) : Value());
}

}  // namespace assay::reference
