// Reads the operands of an instruction.
#include "cuda_impl/on_cpu/ptx/translator/parser/parse_operands.hpp"

#include <charconv>

#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

std::uint64_t digits_of(const Token& token, std::string_view digits, int base) {
  std::uint64_t value = 0;
  const auto* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || stop != end || digits.empty()) {
    throw Refusal(token.line, std::string(token.text), "not a number that the translator knows");
  }
  return value;
}

Operand unsigned_number(const Token& token) {
  auto digits = token.text;
  Operand number{.kind = OperandKind::kInteger, .text = std::string(digits)};
  const auto starts = [&](const char* lower, const char* upper) {
    return digits.starts_with(lower) || digits.starts_with(upper);
  };
  const bool is_single = starts("0f", "0F");
  if ((is_single && digits.size() == 10) || (starts("0d", "0D") && digits.size() == 18)) {
    number.kind = is_single ? OperandKind::kFloat32 : OperandKind::kFloat64;
    number.value = digits_of(token, digits.substr(2), 16);
    return number;
  }
  if (digits.ends_with('U')) digits.remove_suffix(1);
  if (starts("0x", "0X")) {
    number.value = digits_of(token, digits.substr(2), 16);
  } else if (starts("0b", "0B")) {
    number.value = digits_of(token, digits.substr(2), 2);
  } else {
    const bool is_octal = digits.size() > 1 && digits[0] == '0';
    number.value = digits_of(token, digits, is_octal ? 8 : 10);
  }
  return number;
}

std::string name_with_suffix(TokenStream& tokens) {
  std::string name(tokens.expect(TokenKind::kName, "a name").text);
  // %tid.x: only special registers have components.
  if (name[0] == '%' && tokens.peek().kind == TokenKind::kDotted) name += tokens.take().text;
  return name;
}

Operand parse_operand(TokenStream& tokens);

std::vector<Operand> parts_until(TokenStream& tokens, std::string_view end) {
  std::vector<Operand> parts;
  while (!tokens.accept(end)) {
    if (!parts.empty()) tokens.expect(",");
    parts.push_back(parse_operand(tokens));
  }
  return parts;
}

/// An offset after a name: +8, -8, +-8; 0 if there is none.
std::uint64_t parse_offset(TokenStream& tokens) {
  if (!tokens.next_is("+") && !tokens.next_is("-")) return 0;
  tokens.accept("+");
  return parse_number(tokens).value;
}

Operand parse_address(TokenStream& tokens) {
  Operand address{.kind = OperandKind::kAddress};
  if (tokens.peek().kind == TokenKind::kName) {
    address.name = name_with_suffix(tokens);
    address.value = parse_offset(tokens);
  } else {
    address.value = parse_number(tokens).value;
  }
  tokens.expect("]");
  address.text = "[" + address.name + "+" + std::to_string(address.value) + "]";
  return address;
}

Operand parse_named(TokenStream& tokens) {
  Operand named{.kind = OperandKind::kName, .name = name_with_suffix(tokens)};
  if (named.name == "_") named.kind = OperandKind::kSink;
  named.text = named.name;
  named.value = parse_offset(tokens);
  if (!tokens.accept("|")) return named;
  auto second = parse_named(tokens);
  const auto text = named.text + "|" + second.text;
  return {.kind = OperandKind::kPair, .text = text, .parts = {named, second}};
}

Operand parse_operand(TokenStream& tokens) {
  if (tokens.accept("[")) return parse_address(tokens);
  if (tokens.accept("{")) {
    return {.kind = OperandKind::kVector, .text = "{...}", .parts = parts_until(tokens, "}")};
  }
  if (tokens.accept("(")) {
    return {.kind = OperandKind::kList, .text = "(...)", .parts = parts_until(tokens, ")")};
  }
  if (tokens.accept("!")) {
    auto operand = parse_named(tokens);
    operand.is_negated = true;
    operand.text = "!" + operand.text;
    return operand;
  }
  if (tokens.peek().kind == TokenKind::kName) return parse_named(tokens);
  return parse_number(tokens);
}

int expect_int(TokenStream& tokens) { return static_cast<int>(tokens.expect_count()); }

}  // namespace

Operand parse_number(TokenStream& tokens) {
  const bool is_negative = tokens.accept("-");
  auto number = unsigned_number(tokens.expect(TokenKind::kNumber, "an operand"));
  if (!is_negative) return number;
  if (number.kind != OperandKind::kInteger) tokens.refuse("a sign before the bits of a float");
  number.value = 0 - number.value;
  number.text = "-" + number.text;
  return number;
}

std::vector<Operand> parse_operands(TokenStream& tokens) {
  std::vector<Operand> operands;
  while (!tokens.next_is(";")) {
    if (!operands.empty()) tokens.expect(",");
    operands.push_back(parse_operand(tokens));
  }
  return operands;
}

Location parse_location(TokenStream& tokens) {
  Location location{expect_int(tokens), expect_int(tokens), expect_int(tokens)};
  if (!tokens.accept(",")) return location;
  tokens.expect("function_name");
  tokens.expect(TokenKind::kName, "a label");
  if (tokens.accept("+")) tokens.expect_count();
  tokens.expect(",");
  tokens.expect("inlined_at");
  location.inlined_at = {expect_int(tokens), expect_int(tokens), expect_int(tokens)};
  return location;
}

}  // namespace assay::cuda::on_cpu::ptx
