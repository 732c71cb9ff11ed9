// Parses schemas and checks them as a whole.
#include <algorithm>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/reader.hpp"

namespace assay::reference {

std::variant<OperatorName, FunctionSchema> SchemaReader::read() {
  FunctionSchema schema;
  schema.name = read_name();
  if (!words_.is("(")) {
    words_.expect("eof");
    return schema.name;
  }
  read_arguments(schema);
  words_.expect("arrow");
  read_returns(schema);
  const bool is_late = contract_.strict();
  if (!is_late) check_arguments(schema);  // DSP-310: PyTorch checks before it parses on
  words_.expect("eof");
  if (is_late) check_arguments(schema);
  return schema;
}

OperatorName SchemaReader::read_name() {
  OperatorName name;
  name.name = words_.expect("ident").text;
  if (words_.is(":") && words_.next().kind == ":") {
    words_.take();
    words_.take();
    name.name += "::" + words_.expect("ident").text;
  }
  if (!words_.take_if(".")) return name;
  const SchemaToken overload = words_.expect("ident");
  const bool is_reserved = overload.text == "default" || overload.text.starts_with("__");
  if (is_reserved) {  // DSP-302
    words_.refuse(overload.text + " is not a legal overload name", overload);
  }
  name.overload = overload.text;
  return name;
}

void SchemaReader::read_arguments(FunctionSchema& schema) {
  bool kwarg_only = false;
  words_.expect("(");
  if (words_.take_if(")")) return;
  do {
    const SchemaToken where = words_.now();
    if (schema.vararg) {  // DSP-305
      words_.refuse("... must be the last element of the argument list", where);
    }
    if (words_.take_if("dots")) {
      schema.vararg = true;
    } else if (words_.take_if("*")) {
      kwarg_only = true;
    } else {
      schema.arguments.push_back(read_argument(kwarg_only));
    }
  } while (words_.take_if(","));
  words_.expect(")");
}

SchemaArgument SchemaReader::read_argument(bool kwarg_only) {
  SchemaArgument argument;
  argument.kwarg_only = kwarg_only;
  auto [type, alias] = read_sized_type(argument.size);
  argument.type = std::move(type);
  argument.alias = std::move(alias);
  names_.push_back(words_.expect("ident"));
  argument.name = names_.back().text;
  if (words_.take_if("=")) argument.default_value = read_default(argument);
  return argument;
}

void SchemaReader::read_returns(FunctionSchema& schema) {
  if (words_.take_if("dots")) {
    schema.varret = true;
    return;
  }
  if (!words_.is("(")) {  // DSP-306
    read_return(schema, /*bare=*/true);
    return;
  }
  words_.take();
  if (words_.take_if(")")) return;
  do {
    if (schema.varret) {
      words_.refuse("... must be the last element of the return list", words_.now());
    }
    if (words_.take_if("dots")) {
      schema.varret = true;
    } else {
      read_return(schema, /*bare=*/false);
    }
  } while (words_.take_if(","));
  words_.expect(")");
}

void SchemaReader::read_return(FunctionSchema& schema, bool bare) {
  SchemaArgument value;
  auto [type, alias] = read_sized_type(value.size);
  value.type = std::move(type);
  value.alias = std::move(alias);
  // Outside parentheses, a line break ends the declaration.
  const bool is_over = bare && words_.now().begins_line;
  if (words_.is("ident") && !is_over) value.name = words_.take().text;
  schema.returns.push_back(std::move(value));
}

void SchemaReader::check_arguments(const FunctionSchema& schema) const {
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const SchemaArgument& argument = schema.arguments[i];
    if (argument.default_value && schema.vararg) {
      words_.refuse("schemas with vararg (...) can't have default value args", names_[i]);
    }
    const auto same = [&](const SchemaArgument& other) { return other.name == argument.name; };
    const auto first = std::ranges::find_if(schema.arguments, same) - schema.arguments.begin();
    if (contract_.strict() && static_cast<std::size_t>(first) != i) {  // DSP-311
      words_.refuse("the argument name " + argument.name + " is used twice", names_[i]);
    }
  }
  check_order(schema);
}

// DSP-310
void SchemaReader::check_order(const FunctionSchema& schema) const {
  bool defaulted = false;
  for (std::size_t i = 0; i < schema.arguments.size(); ++i) {
    const SchemaArgument& argument = schema.arguments[i];
    const bool exempt = argument.kwarg_only || argument.type.kind == TypeKind::kList;
    if (defaulted && !argument.default_value && !exempt) {
      const std::string reason = "the parameter " + argument.name + " of " + to_text(schema.name) +
                                 " has no default and follows default " + "argument";
      if (!contract_.strict()) throw Error(ErrorKind::kInternal, reason);
      words_.refuse(reason, names_[i]);
    }
    defaulted = defaulted || argument.default_value.has_value();
  }
}

std::variant<OperatorName, FunctionSchema> parse_schema_or_name(std::string_view text,
                                                                const Contract& contract) {
  return SchemaReader(text, contract).read();
}

FunctionSchema parse_schema(std::string_view text, const Contract& contract) {
  auto parsed = parse_schema_or_name(text, contract);
  check(std::holds_alternative<FunctionSchema>(parsed), [&] {
    return "a function schema was expected but only the operator name was given: " +
           std::string(text);
  });
  return std::get<FunctionSchema>(std::move(parsed));
}

OperatorName parse_name(std::string_view text, const Contract& contract) {
  auto parsed = parse_schema_or_name(text, contract);
  check(std::holds_alternative<OperatorName>(parsed), [&] {
    return "an operator name was expected but a function schema was given: " + std::string(text);
  });
  return std::get<OperatorName>(std::move(parsed));
}

}  // namespace assay::reference
