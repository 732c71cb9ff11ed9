// Parses schemas, with types and alias annotations, and checks them as a whole.
#include <algorithm>
#include <array>
#include <cctype>

#include "reference/core/types/error.hpp"
#include "reference/dispatch/schema/reader.hpp"

namespace assay::reference {

// Types and alias annotations.

namespace {

constexpr std::array kWordKinds{
    TypeKind::kTensor,       TypeKind::kScalar,    TypeKind::kInt,        TypeKind::kFloat,
    TypeKind::kBool,         TypeKind::kStr,       TypeKind::kComplex,    TypeKind::kSymInt,
    TypeKind::kDevice,       TypeKind::kGenerator, TypeKind::kScalarType, TypeKind::kLayout,
    TypeKind::kMemoryFormat, TypeKind::kQScheme,   TypeKind::kStorage,    TypeKind::kStream,
    TypeKind::kAny,
};

/// Combines the annotations of a container and its element. Without its own annotation, a container
/// is written if its element is (DSP-307).
std::optional<AliasInfo> contained_in(std::optional<AliasInfo> container,
                                      std::optional<AliasInfo> element) {
  if (!element) return container;
  AliasInfo made;
  if (container) {
    made = std::move(*container);
  } else {
    made.write = element->write;
  }
  made.contained.push_back(std::move(*element));
  return made;
}

}  // namespace

SchemaReader::AnnotatedType SchemaReader::read_sized_type(std::optional<std::int64_t>& size) {
  AnnotatedType read = read_type();
  if (!words_.take_if("[")) return read;
  const SchemaToken number = words_.expect("number");
  size = to_integer(number.text, number);
  words_.expect("]");
  read.type = list_of(std::move(read.type));
  read.alias = contained_in(read_alias(), std::move(read.alias));
  if (words_.take_if("?")) read.type = optional_of(std::move(read.type));
  return read;
}

SchemaReader::AnnotatedType SchemaReader::read_type() {
  AnnotatedType read = read_base_type();
  while (true) {
    if (words_.is("[") && words_.next().kind == "]") {
      words_.take();
      words_.take();
      read.type = list_of(std::move(read.type));
      read.alias = contained_in(read_alias(), std::move(read.alias));
    } else if (words_.take_if("?")) {
      if (read.type.kind != TypeKind::kOptional) read.type = optional_of(std::move(read.type));
    } else {
      return read;
    }
  }
}

SchemaReader::AnnotatedType SchemaReader::read_base_type() {
  if (words_.take_if("(")) {
    SchemaType tuple{TypeKind::kTuple, {}, {}};
    if (words_.take_if(")")) return {std::move(tuple), std::nullopt};
    do {
      tuple.items.push_back(read_type().type);
    } while (words_.take_if(","));
    words_.expect(")");
    return {std::move(tuple), std::nullopt};
  }
  if (words_.take_if("None") || words_.take_if("NoneType")) {
    return {{TypeKind::kNone, {}, {}}, read_alias()};
  }
  SchemaType type = read_named_type();
  // These types already end with parentheses, so they take no annotation.
  if (type.kind == TypeKind::kFuture || type.kind == TypeKind::kRRef ||
      (type.kind == TypeKind::kOpaque && !type.items.empty())) {
    return {std::move(type), std::nullopt};
  }
  return {std::move(type), read_alias()};
}

SchemaType SchemaReader::read_named_type() {
  const SchemaToken word = words_.expect("ident");
  for (const TypeKind kind : kWordKinds) {
    if (word_of(kind) != word.text) continue;
    return {kind, {}, {}};
  }
  if (word.text == "Dict") return {TypeKind::kDict, read_types(2), {}};
  if (word.text == "Future") return {TypeKind::kFuture, read_types(1), {}};
  if (word.text == "RRef") return {TypeKind::kRRef, read_types(1), {}};
  if (const auto rare = read_rare_type(word.text)) return *rare;
  if (word.text == "__torch__") {
    std::string path;
    while (words_.take_if(".")) path += (path.empty() ? "" : ".") + words_.expect("ident").text;
    words_.refuse("Unknown custom class type " + path + ", which is not registered", word);
  }
  const bool is_lower = std::islower(static_cast<unsigned char>(word.text[0])) != 0;
  if (is_lower && !contract_.strict()) {  // DSP-303
    return {TypeKind::kVariable, {}, word.text};
  }
  words_.refuse("unknown type specifier '" + word.text + "'", word);
}

/// Types that can only be parsed and printed; some exist since 2.4 or 2.11, Dimname up to 2.12
/// (DSP-303).
std::optional<SchemaType> SchemaReader::read_rare_type(const std::string& word) {
  const bool is_new = contract_.at_least(Release::k2_4);
  const bool is_newest = contract_.at_least(Release::k2_11);
  if (word == "Dimname" && contract_.before(Release::k2_13)) {
    return SchemaType{TypeKind::kStr, {}, {}};
  }
  if (word == "ConstQuantizerPtr" || (word == "DeviceIndex" && is_new)) {
    return SchemaType{TypeKind::kInt, {}, {}};
  }
  const bool is_word = word == "Quantizer" || word == "Capsule" || word == "AnyClassType" ||
                       word == "AnyEnumType" || (word == "SymBool" && is_newest);
  if (is_word) return SchemaType{TypeKind::kOpaque, {}, word};
  if (word == "Await" && is_new) return SchemaType{TypeKind::kOpaque, read_types(1), word};
  return std::nullopt;
}

std::vector<SchemaType> SchemaReader::read_types(std::size_t count) {
  std::vector<SchemaType> types;
  words_.expect("(");
  while (types.size() < count) {
    if (!types.empty()) words_.expect(",");
    types.push_back(read_type().type);
  }
  words_.expect(")");
  return types;
}

std::optional<AliasInfo> SchemaReader::read_alias() {
  AliasInfo alias;
  if (words_.take_if("!")) {
    alias.before = {"$" + std::to_string(fresh_sets_++)};
    // PyTorch leaves the set after the call empty here (DSP-307).
    if (contract_.strict()) alias.after = alias.before;
    alias.write = true;
    return alias;
  }
  if (!words_.take_if("(")) return std::nullopt;
  alias.before = read_alias_set();
  alias.write = words_.take_if("!");
  alias.after = words_.take_if("arrow") ? read_alias_set() : alias.before;
  words_.expect(")");
  return alias;
}

std::set<std::string> SchemaReader::read_alias_set() {
  std::set<std::string> names;
  do {
    names.insert(words_.is("*") ? words_.take().text : words_.expect("ident").text);
  } while (words_.take_if("|"));
  return names;
}

// Whole schemas.

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
