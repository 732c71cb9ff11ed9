// Parses function bodies.
#include "cuda_impl/on_cpu/ptx/translator/parser/parse_body.hpp"

#include "cuda_impl/on_cpu/ptx/translator/parser/parse_operands.hpp"
#include "cuda_impl/on_cpu/ptx/translator/parser/parse_variable.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

/// .reg .b32 %r<9>, %x;
void parse_registers(TokenStream& tokens, Block& block) {
  const auto& type = tokens.expect_type();
  do {
    const auto name = tokens.expect(TokenKind::kName, "a register's name");
    Registers registers{name.line, &type, std::string(name.text), false, 1};
    if (tokens.accept("<")) {
      registers.is_range = true;
      registers.count = static_cast<std::uint32_t>(tokens.expect_count());
      tokens.expect(">");
    }
    block.statements.emplace_back(registers);
  } while (tokens.accept(","));
  tokens.expect(";");
}

BranchTargets parse_branch_targets(TokenStream& tokens, const Token& name) {
  BranchTargets targets{name.line, std::string(name.text), {}};
  do {
    targets.labels.emplace_back(tokens.expect(TokenKind::kName, "a label").text);
  } while (tokens.accept(","));
  tokens.expect(";");
  return targets;
}

void parse_label(TokenStream& tokens, Block& block) {
  const auto name = tokens.take();
  tokens.expect(":");
  if (tokens.accept(".branchtargets")) {
    block.statements.emplace_back(parse_branch_targets(tokens, name));
  } else {
    block.statements.emplace_back(Label{name.line, std::string(name.text)});
  }
}

Guard parse_guard(TokenStream& tokens) {
  const bool is_negated = tokens.accept("!");
  return {std::string(tokens.expect(TokenKind::kName, "a predicate").text), is_negated};
}

Instruction parse_instruction(TokenStream& tokens) {
  Instruction instruction{.line = tokens.peek().line};
  if (tokens.accept("@")) instruction.guard = parse_guard(tokens);
  instruction.opcode = tokens.expect(TokenKind::kName, "an instruction").text;
  while (tokens.peek().kind == TokenKind::kDotted) {
    instruction.modifiers.emplace_back(tokens.take().text.substr(1));
  }
  instruction.operands = parse_operands(tokens);
  tokens.expect(";");
  return instruction;
}

void parse_directive(TokenStream& tokens, Block& block) {
  if (at_space(tokens)) {
    block.statements.emplace_back(parse_variable(tokens));
    tokens.expect(";");
  } else if (tokens.accept(".reg")) {
    parse_registers(tokens, block);
  } else if (tokens.accept(".loc")) {
    block.statements.emplace_back(parse_location(tokens));
  } else if (tokens.accept(".pragma")) {
    tokens.expect(TokenKind::kString, "a pragma's text");
    tokens.expect(";");
  } else {
    tokens.refuse("unknown directive in a function");
  }
}

}  // namespace

Block parse_block(TokenStream& tokens) {
  Block block;
  while (!tokens.accept("}")) {
    if (tokens.accept("{")) {
      block.statements.emplace_back(parse_block(tokens));
    } else if (tokens.accept(";")) {
      continue;
    } else if (tokens.peek().kind == TokenKind::kDotted) {
      parse_directive(tokens, block);
    } else if (tokens.peek().kind == TokenKind::kName && tokens.peek(1).text == ":") {
      parse_label(tokens, block);
    } else {
      block.statements.emplace_back(parse_instruction(tokens));
    }
  }
  return block;
}

}  // namespace assay::cuda::on_cpu::ptx
