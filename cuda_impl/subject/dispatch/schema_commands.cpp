// Area dispatch: parses, infers and compares schemas for clients.
#include "cuda_impl/dispatch/schema/schema.hpp"
#include "cuda_impl/dispatch/schema/signature.hpp"
#include "cuda_impl/subject/call.hpp"

namespace assay::cuda {

/// Converts a default value to a protocol value.
Value to_waist(const dispatch::Constant& constant, Release release);

namespace {

using dispatch::AliasInfo;
using dispatch::Argument;
using dispatch::Constant;
using dispatch::OperatorName;
using dispatch::Schema;

struct ConstantValue {
  Release release;

  Value operator()(std::monostate) const { return {}; }
  Value operator()(std::complex<double> held) const { return Complex{held.real(), held.imag()}; }
  Value operator()(Device held) const { return to_waist(held, release); }
  Value operator()(const Constant::List& held) const {
    List list;
    for (const Constant& item : held) list.items.push_back(to_waist(item, release));
    return list;
  }
  template <typename T>
  Value operator()(const T& held) const {
    return held;
  }
};

Value names_value(const std::set<std::string>& names) {
  List list;
  for (const std::string& name : names) list.items.emplace_back(name);
  return list;
}

Value alias_value(const AliasInfo& alias) {
  Dict dict;
  dict.items.emplace_back("write", alias.is_write);
  dict.items.emplace_back("before", names_value(alias.before));
  dict.items.emplace_back("after", names_value(alias.after));
  dict.items.emplace_back("contained",
                          alias.contained.empty() ? Value() : alias_value(alias.contained.front()));
  return dict;
}

Value argument_value(const Argument& argument, Release release) {
  Dict dict;
  dict.items.emplace_back("name", argument.name);
  dict.items.emplace_back("type", argument.type.text());
  dict.items.emplace_back("size", argument.size ? Value(*argument.size) : Value());
  if (argument.default_value) {
    dict.items.emplace_back("default", to_waist(*argument.default_value, release));
  }
  dict.items.emplace_back("kwarg_only", argument.kwarg_only);
  dict.items.emplace_back("alias", argument.alias ? alias_value(*argument.alias) : Value());
  return dict;
}

Value arguments_value(std::span<const Argument> arguments, Release release) {
  List list;
  for (const Argument& argument : arguments) {
    list.items.push_back(argument_value(argument, release));
  }
  return list;
}

void set_parsed(Call& call, const OperatorName& name) {
  call.set("text", name.text());
  call.set("name", name.name);
  call.set("overload", name.overload);
}

void set_parsed(Call& call, const Schema& schema) {
  set_parsed(call, schema.name());
  call.set("text", schema.text(call.contract()));
  call.set("arguments", arguments_value(schema.arguments(), call.release()));
  call.set("returns", arguments_value(schema.returns(), call.release()));
  call.set("vararg", schema.is_vararg());
  call.set("varret", schema.is_varret());
  call.set("mutable", schema.is_mutable());
}

}  // namespace

void dispatch_parse(Call& call) {
  const std::string text = call.arguments().text("text");
  const std::string as = call.arguments().text("as", "schema");
  if (as == "schema") return set_parsed(call, dispatch::parse_schema(text, call.contract()));
  if (as == "name") return set_parsed(call, dispatch::parse_name(text, call.contract()));
  if (as != "either") throw NotSupported("nothing is parsed as '" + as + "'");
  const auto parsed = dispatch::parse_schema_or_name(text, call.contract());
  std::visit([&](const auto& read) { set_parsed(call, read); }, parsed);
}

void dispatch_infer(Call& call) {
  Schema schema =
      dispatch::schema_of_signature(call.arguments().text("signature"), call.contract().release);
  if (call.has("name")) {
    schema.rename(dispatch::parse_name(call.arguments().text("name"), call.contract()));
  }
  call.set("text", schema.text(call.contract()));
  call.set("alias_kind", "CONSERVATIVE");  // DSP-313
}

void dispatch_schema_difference(Call& call) {
  const Schema declared =
      dispatch::parse_schema(call.arguments().text("declared"), call.contract());
  const Schema inferred =
      dispatch::parse_schema(call.arguments().text("inferred"), call.contract());
  const auto reason = dispatch::schema_difference(declared, inferred, call.contract());
  call.result(reason ? Value(*reason) : Value());
}

Value to_waist(const Constant& constant, Release release) {
  return std::visit(ConstantValue{release}, constant.payload());
}

}  // namespace assay::cuda
