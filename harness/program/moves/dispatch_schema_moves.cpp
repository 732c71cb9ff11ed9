// Moves of the area dispatch: parsing, inference and comparison of schemas.
#include <array>
#include <string>
#include <vector>

#include "harness/program/moves/dispatch_parts.hpp"
#include "harness/program/random.hpp"

namespace assay {
namespace {

// Random schemas, valid and invalid, by their grammar (DSP-301 to DSP-312).

/// Two schemas that match or nearly match.
struct SchemaPair {
  std::string declared;
  std::string inferred;
};
SchemaPair random_schema_pair(Random& random);

std::string some_type(Random& random) {
  return random.of(
      {"Tensor",       "Tensor",  "Tensor",    "Tensor?", "Tensor[]",   "Tensor?[]",
       "int",          "int",     "int[]",     "int[2]",  "int?",       "float",
       "float",        "bool",    "str",       "Scalar",  "ScalarType", "Layout",
       "MemoryFormat", "Device",  "Generator", "float[]", "bool[3]",    "Dict(str, Tensor)",
       "(int, str)",   "complex", "Any",       "t",       "Foo"});
}

std::string annotated(Random& random, const std::string& type) {
  if (!type.starts_with("Tensor") || random.below(3) > 0) return type;
  const char* mark = random.of({"(a)", "(a!)", "(b!)", "(a -> b)", "(a! -> b)", "(a -> *)", "(*)"});
  std::string text = "Tensor" + std::string(mark) + type.substr(6);
  if (type.ends_with("[]") && random.one_in(3)) text += "(c!)";
  return text;
}

std::string some_number(Random& random) {
  return random.of({"0", "1", "-3", "2147483648", "9223372036854775807", "-9223372036854775808",
                    "99999999999999999999"});
}

std::string some_real(Random& random) {
  return random.of({"1", "0.1", "1e-05", "3.141592653589793", "-2.5", "1e+300"});
}

/// A default for an argument of this type; occasionally of a different type.
std::string default_for(Random& random, std::string type) {
  if (random.one_in(12)) type = some_type(random);
  if (type.ends_with("?") && random.one_in(2)) return "None";
  if (type.starts_with("int[")) return random.of({"[]", "[1, 2]", "1", "[3]"});
  if (type.starts_with("int")) return some_number(random);
  if (type.starts_with("float[")) return "[0.5, 2]";
  if (type.starts_with("float")) return some_real(random);
  if (type.starts_with("bool[")) return "[True, False, True]";
  if (type.starts_with("bool")) return random.of({"True", "False"});
  if (type == "str") return random.of({"\"x\"", "'a b'", "\"\\n\""});
  if (type == "Scalar") return random.of({"1", "0.5"});
  if (type == "ScalarType") return random.of({"float", "long", "6"});
  if (type == "Layout") return "strided";
  if (type == "MemoryFormat") return "contiguous_format";
  return "None";
}

std::string some_word(Random& random, std::size_t number) {
  if (random.one_in(40)) return random.of({"def", "if", "None", "and", "x0", "from"});
  return "x" + std::to_string(number);
}

std::string some_arguments(Random& random, std::size_t count) {
  std::string text;
  bool defaults = false;
  const std::size_t star = random.one_in(4) ? random.below(count + 1) : count + 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ", ";
    if (i == star) text += "*, ";
    const std::string type = some_type(random);
    text += annotated(random, type) + " " + some_word(random, i);
    if (random.one_in(12) ? !defaults : (defaults || random.one_in(4))) {
      defaults = true;
      text += "=" + default_for(random, type);
    }
  }
  if (random.one_in(25)) text += count > 0 ? ", ..." : "...";
  return text;
}

std::string some_returns(Random& random) {
  switch (random.below(6)) {
    case 0:
      return "()";
    case 1:
      return "(" + annotated(random, some_type(random)) + ")";
    case 2:
      return "(" + some_type(random) + " a, " + some_type(random) + ")";
    case 3:
      return random.one_in(6) ? "..." : annotated(random, "Tensor[]");
    default:
      return annotated(random, some_type(random));
  }
}

std::string some_name(Random& random) {
  std::string name = random.of({"f", "ns::f", "ns::f", "aten::add_", "a::b::c"});
  if (random.one_in(3)) name += random.of({".ov", ".out", ".default", ".__x", ".Tensor"});
  return name;
}

/// Changes a letter, or appends text.
void damage(Random& random, std::string& text) {
  if (random.one_in(8)) {
    text[random.below(text.size())] =
        random.of({'(', ')', ',', '*', ' ', '=', '[', '1', 'x', '?', '!', '$'});
  }
  if (random.one_in(20)) text += random.of({" x", "\ng() -> ()", " # note", ","});
}

std::string joined(const std::vector<std::string>& types) {
  std::string text;
  for (std::size_t i = 0; i < types.size(); ++i) {
    text += (i > 0 ? ", " : "") + types[i] + " y" + std::to_string(i);
  }
  return text;
}

/// Replaces a type in a list, makes it optional, or removes it.
void change(Random& random, std::vector<std::string>& types) {
  if (types.empty()) return;
  std::string& type = types[random.below(types.size())];
  if (random.one_in(3)) {
    type = random.of({"Tensor", "int", "Tensor[]"});
  } else if (random.one_in(3)) {
    types.pop_back();
  } else {
    type += "?";
  }
}

/// Follows the grammar, with occasional errors.
std::string random_schema(Random& random) {
  const bool is_long = random.one_in(30);
  const auto count =
      static_cast<std::size_t>(is_long ? random.between(62, 66) : random.between(0, 4));
  std::string text = some_name(random) + "(";
  if (is_long) {
    for (std::size_t i = 0; i < count; ++i) {
      text += (i > 0 ? ", int x" : "int x") + std::to_string(i);
    }
  } else {
    text += some_arguments(random, count);
  }
  text += ") -> " + some_returns(random);
  damage(random, text);
  return text;
}

SchemaPair random_schema_pair(Random& random) {
  const auto some = [&] {
    std::vector<std::string> types;
    for (std::int64_t left = random.between(0, 3); left > 0; --left) {
      types.push_back(random.of({"Tensor", "Tensor?", "int", "Tensor[]", "float"}));
    }
    return types;
  };
  std::vector<std::string> takes = some();
  std::vector<std::string> gives = some();
  SchemaPair pair;
  pair.declared = "f(" + joined(takes) + ") -> (" + joined(gives) + ")";
  if (random.one_in(2)) change(random, takes);
  if (random.one_in(2)) change(random, gives);
  pair.inferred = "f(" + joined(takes) + ") -> (" + joined(gives) + ")";
  return pair;
}

// The moves.

bool parse(Draft& draft) {
  Random& random = draft.random();
  Fields with{{"text", random_schema(random)}};
  if (random.one_in(6)) with.set("as", random.of({"schema", "either", "name"}));
  draft.add("dispatch.parse", std::move(with));
  return true;
}

bool parse_name(Draft& draft) {
  Random& random = draft.random();
  std::string name =
      random.of({"f", "ns::f", "ns::f.ov", "f.default", "ns::f.__x", "a::b::c", "def"});
  draft.add("dispatch.parse", {{"text", name}, {"as", random.of({"name", "either"})}});
  return true;
}

bool infer(Draft& draft) {
  Random& random = draft.random();
  const char* odd = random.of({"void(int)", "void(vector<bool>)", "void(List<Scalar>)",
                               "void(Dict<string,Scalar>)", "void(Dict<Tensor,int64_t>)"});
  Fields with{{"signature", random.one_in(4) ? odd : any_signature(random)}};
  if (random.one_in(2)) with.set("name", "ns::f");
  draft.add("dispatch.infer", std::move(with));
  return true;
}

bool compare(Draft& draft) {
  SchemaPair pair = random_schema_pair(draft.random());
  draft.add("dispatch.schema_difference",
            {{"declared", std::move(pair.declared)}, {"inferred", std::move(pair.inferred)}});
  return true;
}

const std::array kMoves = {
    Move{"dispatch.parse", 8, parse},
    Move{"dispatch.parse", 1, parse_name},
    Move{"dispatch.infer", 2, infer},
    Move{"dispatch.schema_difference", 2, compare},
};

}  // namespace

std::span<const Move> dispatch_schema_moves() { return kMoves; }

}  // namespace assay
