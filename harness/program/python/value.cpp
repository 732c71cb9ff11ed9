// Writes numbers, texts, containers and tensors as Python expressions.
#include "harness/program/python/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "harness/protocol/utf8.hpp"

namespace assay::python {
namespace {

constexpr std::array kWords = {
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

/// What else a variable of a script must not be called: the names that the script itself uses, and
/// Python's functions, which a case could call by a reference otherwise.
constexpr std::array kTaken = {"ThreadPoolExecutor",
                               "alike",
                               "check",
                               "copy",
                               "differences",
                               "held_in",
                               "iter",
                               "list",
                               "math",
                               "named_buffer",
                               "named_parameter",
                               "pickle",
                               "print",
                               "raises",
                               "stage_of",
                               "sys",
                               "torch",
                               "args",
                               "named",
                               "complex",
                               "len",
                               "map",
                               "all",
                               "isinstance",
                               "type",
                               "bool",
                               "id",
                               "abs",
                               "aiter",
                               "anext",
                               "any",
                               "ascii",
                               "bin",
                               "breakpoint",
                               "bytearray",
                               "bytes",
                               "callable",
                               "chr",
                               "classmethod",
                               "compile",
                               "copyright",
                               "credits",
                               "delattr",
                               "dict",
                               "dir",
                               "divmod",
                               "enumerate",
                               "eval",
                               "exec",
                               "exit",
                               "filter",
                               "float",
                               "format",
                               "frozenset",
                               "getattr",
                               "globals",
                               "hasattr",
                               "hash",
                               "help",
                               "hex",
                               "input",
                               "int",
                               "issubclass",
                               "license",
                               "locals",
                               "max",
                               "memoryview",
                               "min",
                               "next",
                               "object",
                               "oct",
                               "open",
                               "ord",
                               "pow",
                               "property",
                               "quit",
                               "range",
                               "repr",
                               "reversed",
                               "round",
                               "set",
                               "setattr",
                               "slice",
                               "sorted",
                               "staticmethod",
                               "str",
                               "sum",
                               "super",
                               "tuple",
                               "vars",
                               "zip"};

constexpr std::uint32_t kReplacement = 0xfffd;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool is_among(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string joined(const std::vector<Value>& items, bool on_cuda) {
  std::string text;
  for (const Value& item : items) text += (text.empty() ? "" : ", ") + expression(item, on_cuda);
  return text;
}

/// `repr` of a double is exact, except for the payload of a NaN.
std::string number(double value) {
  if (std::isnan(value)) {
    constexpr auto kUsual = std::uint64_t{0x7ff8000000000000};
    if (std::bit_cast<std::uint64_t>(value) != kUsual) throw NoForm("a NaN with a payload");
    return "math.nan";
  }
  if (std::isinf(value)) return value > 0 ? "math.inf" : "-math.inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string device_text(const Device& device) {
  return in_quotes(device.index < 0 ? device.type
                                    : fmt::format("{}:{}", device.type, device.index));
}

/// The bits of `math.nan` in a tensor of this type.
std::uint64_t usual_nan(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat16:
      return 0x7e00;
    case Dtype::kBfloat16:
      return 0x7fc0;
    case Dtype::kFloat32:
      return 0x7fc00000;
    default:
      return 0x7ff8000000000000;
  }
}

/// Conversion to a Python number preserves only the default NaN.
bool is_plain(const TensorValue& tensor) {
  if (!is_floating(tensor.dtype)) return true;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tensor.numel()); ++i) {
    const bool is_usual = tensor.bits_at(i) == usual_nan(tensor.dtype);
    if (std::isnan(tensor.real_at(i)) && !is_usual) return false;
  }
  return true;
}

std::string element(const TensorValue& tensor, std::size_t index) {
  const std::uint64_t raw = tensor.bits_at(index);
  if (tensor.dtype == Dtype::kBool) return raw != 0 ? "True" : "False";
  if (raw == usual_nan(tensor.dtype) && is_floating(tensor.dtype)) return "math.nan";
  if (is_floating(tensor.dtype)) return number(tensor.real_at(index));
  const auto width = bits_per_element(tensor.dtype);
  if (tensor.dtype == Dtype::kUint8) return fmt::format("{}", raw);
  const auto shift = 64 - width;
  return fmt::format("{}", static_cast<std::int64_t>(raw << shift) >> shift);
}

/// Nested lists that follow the shape; `next` is the index of the next element.
std::string nested(const TensorValue& tensor, std::size_t dim, std::size_t& next) {
  if (dim == tensor.shape.size()) return element(tensor, next++);
  std::string text = "[";
  for (std::int64_t i = 0; i < tensor.shape[dim]; ++i) {
    text += (i == 0 ? "" : ", ") + nested(tensor, dim + 1, next);
  }
  return text + "]";
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// Writes elements as bits, through an integer type of the same width.
std::string by_bits(const TensorValue& tensor) {
  const auto width = bits_per_element(tensor.dtype);
  std::string items;
  for (std::size_t i = 0; i < static_cast<std::size_t>(tensor.numel()); ++i) {
    const auto shift = 64 - width;
    const auto raw = static_cast<std::int64_t>(tensor.bits_at(i) << shift) >> shift;
    items += fmt::format("{}{}", i == 0 ? "" : ", ", raw);
  }
  return fmt::format("torch.tensor([{}], dtype=torch.int{}).view(torch.{}).reshape({})", items,
                     width, name_of(tensor.dtype), shape_text(tensor.shape));
}

std::string contiguous(const TensorValue& tensor) {
  std::size_t next = 0;
  // Nested lists cannot express a shape that contains 0.
  if (tensor.numel() == 0) {
    return fmt::format("torch.empty({}, dtype=torch.{})", shape_text(tensor.shape),
                       name_of(tensor.dtype));
  }
  if (!is_plain(tensor)) return by_bits(tensor);
  return fmt::format("torch.tensor({}, dtype=torch.{})", nested(tensor, 0, next),
                     name_of(tensor.dtype));
}

std::string tensor_text(const TensorValue& tensor, bool on_cuda) {
  constexpr std::int64_t kMostElements = 4096;
  if (tensor.recipe || tensor.digest || tensor.numel() > kMostElements) {
    throw NoForm("a tensor of many elements");
  }
  for (const std::int64_t stride : tensor.strides) {
    if (stride == 0) throw NoForm("a tensor whose elements overlap");
  }
  if (tensor.device.type == "meta") throw NoForm("a tensor on meta by value");
  std::string text = contiguous(tensor);
  if (!tensor.strides.empty()) {
    text = fmt::format("torch.empty_strided({}, {}, dtype=torch.{}).copy_({})",
                       shape_text(tensor.shape), shape_text(tensor.strides), name_of(tensor.dtype),
                       text);
  }
  const std::string_view home = on_cuda ? "cuda" : "cpu";
  const bool is_elsewhere =
      !tensor.device.type.empty() && (tensor.device.type != home || tensor.device.index > 0);
  return is_elsewhere ? text + ".to(" + device_text(tensor.device) + ")" : text;
}

struct Writer {
  bool on_cuda;

  std::string operator()(const None&) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
  std::string operator()(double value) const { return number(value); }
  std::string operator()(const Complex& value) const {
    return fmt::format("complex({}, {})", number(value.real), number(value.imag));
  }
  std::string operator()(const std::string& text) const { return in_quotes(text); }
  std::string operator()(const Dtype& dtype) const {
    return fmt::format("torch.{}", name_of(dtype));
  }
  std::string operator()(const Device& device) const {
    return "torch.device(" + device_text(device) + ")";
  }
  std::string operator()(const Ref& ref) const { return variable(ref.name); }
  std::string operator()(const Callable& callable) const { return variable(callable.name); }
  std::string operator()(const List& list) const { return "[" + joined(list.items, on_cuda) + "]"; }
  std::string operator()(const Tuple& tuple) const {
    return "(" + joined(tuple.items, on_cuda) + (tuple.items.size() == 1 ? ",)" : ")");
  }
  std::string operator()(const Lazy& lazy) const {
    return "iter([" + joined(lazy.items, on_cuda) + "])";
  }
  std::string operator()(const Dict& dict) const {
    std::string text;
    for (const auto& [key, value] : dict.items) {
      text +=
          (text.empty() ? "" : ", ") + expression(key, on_cuda) + ": " + expression(value, on_cuda);
    }
    return "{" + text + "}";
  }
  std::string operator()(const Value::TensorPtr& tensor) const {
    return tensor_text(*tensor, on_cuda);
  }
  template <typename Other>
  std::string operator()(const Other&) const {
    throw NoForm("a value that scripts do not write");
  }
};

/// True if the text can be a variable as it is: of Python's grammar, and neither taken nor like one
/// that `Writer::fresh` or `marked` makes.
bool is_ours(std::string_view text) {
  const std::size_t number = text.find_last_not_of("0123456789");
  const bool is_numbered = number + 1 < text.size() && text.substr(0, number + 1).ends_with('_') &&
                           !text.substr(0, number).ends_with('_');
  return is_identifier(text) && !is_among(kTaken, text) && text[0] != '_' && !text.ends_with('_') &&
         !is_numbered;
}

bool has_adjacent_underscores(std::string_view name) {
  for (const std::string_view pair : {"__", "_.", "._", ".."}) {
    if (name.find(pair) != std::string_view::npos) return true;
  }
  return false;
}

/// A variable for any other name. What follows the text says which character each underscore was,
/// so that two names never become one variable.
std::string marked(std::string_view name) {
  std::string text, marks;
  if (name.empty() || !is_letter(name[0]) || name[0] == '_') text = "n", marks = "n";
  for (const char c : name) {
    const bool is_kept = c != '_' && (is_letter(c) || is_digit(c));
    text += is_kept ? c : '_';
    if (is_kept) continue;
    constexpr std::string_view kNamed = "_.-#~";
    const std::size_t place = kNamed.find(c);
    marks += place == std::string_view::npos ? fmt::format("x{:02x}", static_cast<unsigned char>(c))
                                             : std::string(1, "udmht"[place]);
  }
  return text + "_" + marks + "_";
}

}  // namespace

std::string variable(const std::string& name) {
  if (name.starts_with('$')) {  // an argument of the enclosing callback
    const std::string key = name.substr(1);
    const bool is_number = !key.empty() && key.size() < 10 && std::ranges::all_of(key, is_digit);
    return is_number ? fmt::format("args[{}]", std::stoul(key))
                     : fmt::format("named[{}]", in_quotes(key));
  }
  std::string dotted;
  for (const char c : name) dotted += c == '.' ? "__" : std::string(1, c);
  const bool stays = is_ours(dotted) && !has_adjacent_underscores(name);
  return stays ? dotted : marked(name);
}

bool is_identifier(std::string_view text) {
  const auto may_follow = [](char c) { return is_letter(c) || is_digit(c); };
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, may_follow) &&
         !is_among(kWords, text);
}

std::string escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    const std::uint32_t code = length == 0 ? kReplacement : code_point(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
    if (code == '\n') {
      out += "\\n";
    } else if (code == '"' || code == '\\') {
      out += {'\\', static_cast<char>(code)};
    } else if (code >= 0x20 && code < 0x7f) {
      out += static_cast<char>(code);
    } else {
      out += code < 0x100     ? fmt::format("\\x{:02x}", code)
             : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                              : fmt::format("\\U{:08x}", code);
    }
  }
  return out;
}

std::string in_quotes(std::string_view text) { return '"' + escaped(text) + '"'; }

std::string expression(const Value& value, bool on_cuda) {
  return std::visit(Writer{on_cuda}, value.storage());
}

}  // namespace assay::python
