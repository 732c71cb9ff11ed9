// Reads declarations of variables and parameters.
#include "cuda_impl/on_cpu/ptx/translator/parser/parse_variable.hpp"

#include <optional>

#include "cuda_impl/on_cpu/ptx/translator/parser/parse_operands.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

std::optional<Space> space_of(std::string_view text) {
  if (text == ".global") return Space::kGlobal;
  if (text == ".const") return Space::kConst;
  if (text == ".shared") return Space::kShared;
  if (text == ".local") return Space::kLocal;
  if (text == ".param") return Space::kParam;
  return std::nullopt;
}

/// .ptr .global .align 4: attributes of a pointer parameter, ignored here.
void skip_pointer_attributes(TokenStream& tokens) {
  if (!tokens.accept(".ptr")) return;
  if (at_space(tokens)) tokens.take();
  if (tokens.accept(".align")) tokens.expect_count();
}

std::vector<Operand> parse_initialiser(TokenStream& tokens) {
  if (!tokens.accept("{")) return {parse_number(tokens)};
  std::vector<Operand> values;
  while (!tokens.accept("}")) {
    if (!values.empty()) tokens.expect(",");
    values.push_back(parse_number(tokens));
  }
  return values;
}

}  // namespace

bool at_space(const TokenStream& tokens) { return space_of(tokens.peek().text).has_value(); }

Variable parse_variable(TokenStream& tokens) {
  Variable variable{.line = tokens.peek().line};
  const auto space = space_of(tokens.peek().text);
  if (!space) tokens.refuse("expected a state space");
  variable.space = *space;
  tokens.take();
  if (tokens.accept(".align"))
    variable.alignment = static_cast<std::uint32_t>(tokens.expect_count());
  if (tokens.next_is(".attribute"))
    tokens.refuse("the translator knows no attributes of variables");
  variable.type = &tokens.expect_type();
  if (variable.alignment == 0) variable.alignment = variable.type->bytes;
  skip_pointer_attributes(tokens);
  variable.name = tokens.expect(TokenKind::kName, "the variable's name").text;
  if (tokens.accept("[")) {
    variable.count = tokens.next_is("]") ? 0 : tokens.expect_count();
    tokens.expect("]");
  }
  if (tokens.accept("=")) variable.initialiser = parse_initialiser(tokens);
  return variable;
}

}  // namespace assay::cuda::on_cpu::ptx
