// Checks an instruction against the known forms, the names in scope and PTX's rules for operands.
#include "cuda_impl/on_cpu/ptx/translator/check.hpp"

#include "cuda_impl/on_cpu/ptx/translator/check_move.hpp"
#include "cuda_impl/on_cpu/ptx/translator/check_operand.hpp"
#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

/// Translates one instruction in one form to a call.
class CallMaker {
 public:
  CallMaker(const Instruction& instruction, const Match& match, const Scope& scope)
      : instruction_(instruction),
        match_(match),
        check_(instruction.line, scope),
        letters_(match.form->operands.substr(match.form->operands.find('=') + 1)),
        result_letters_(match.form->operands.substr(0, match.form->operands.find('='))) {}

  bool fits_count() const {
    std::size_t written = result_letters_.empty() ? 0 : 1;
    for (const char letter : letters_) written += is_implied(letter) ? 0U : 1U;
    if (written != instruction_.operands.size()) return false;
    const bool is_pair =
        !instruction_.operands.empty() && instruction_.operands[0].kind == OperandKind::kPair;
    return is_pair == (result_letters_.size() == 2);
  }

  Call run() {
    call_.callee = match_.form->callee;
    call_.template_arguments = match_.template_arguments;
    std::size_t at = 0;
    if (!result_letters_.empty()) add_results(instruction_.operands[at++]);
    for (const char letter : letters_) {
      if (is_implied(letter)) {
        call_.arguments.push_back(implied(letter));
      } else {
        add_argument(letter, instruction_.operands[at++]);
      }
    }
    return std::move(call_);
  }

 private:
  static bool is_implied(char letter) { return !implied(letter).empty(); }

  static std::string implied(char letter) {
    if (letter == 'c') return "carry";
    if (letter == 's') return "shared";
    return letter == 'h' ? "here" : "";
  }

  const Type& type_of(char letter) const {
    switch (letter) {
      case '0':
      case 'X':
      case 'V':
        return *match_.types[0];
      case '1':
      case 'Y':
        return *match_.types[1];
      case 'W':
        return *widened(*match_.types[0]);
      case 'b':
        return *find_type("b32");
      case 'p':
        return *find_type("pred");
      default:
        return *find_type("u32");
    }
  }

  static bool is_wide(char letter) { return letter == 'X' || letter == 'Y' || letter == 'V'; }

  void add_results(const Operand& operand) {
    if (result_letters_.size() == 2) {
      add_result(result_letters_[0], operand.parts[0]);
      add_result(result_letters_[1], operand.parts[1]);
    } else if (result_letters_[0] == 'V') {
      for (const auto& part : parts_of(operand)) add_result('V', part);
      if (match_.form->callee == "load") {
        call_.template_arguments.insert(
            call_.template_arguments.end(),
            {std::string(type_of('V').name), std::to_string(match_.vector_size)});
      }
    } else {
      add_result(result_letters_[0], operand);
    }
  }

  void add_result(char letter, const Operand& operand) {
    call_.results.push_back(
        {check_.target(operand, type_of(letter), is_wide(letter)), is_wide(letter)});
  }

  void add_argument(char letter, const Operand& operand) {
    if (letter == 'V') {
      for (const auto& part : parts_of(operand)) {
        call_.arguments.push_back(check_.value(part, type_of('V'), true));
      }
    } else {
      call_.arguments.push_back(argument(letter, operand));
    }
  }

  std::string argument(char letter, const Operand& operand) const {
    if (letter == 'm') return check_.memory(operand, match_.space, accessed_bytes());
    if (letter == 'A') return check_.address(operand);
    if (letter == 'i') return "u32{" + std::to_string(check_.constant(operand, type_of('i'))) + "}";
    return check_.value(operand, type_of(letter), is_wide(letter));
  }

  std::uint64_t accessed_bytes() const {
    return match_.types.empty() ? 1 : match_.types[0]->bytes * match_.vector_size;
  }

  std::vector<Operand> parts_of(const Operand& operand) const {
    const bool is_vector = operand.kind == OperandKind::kVector;
    if (is_vector != (match_.vector_size > 1))
      check_.refuse(operand, "expected as many registers as the vector has elements");
    if (!is_vector) return {operand};
    if (operand.parts.size() != match_.vector_size) {
      check_.refuse(operand, "expected " + std::to_string(match_.vector_size) + " registers");
    }
    return operand.parts;
  }

  const Instruction& instruction_;
  const Match& match_;
  OperandChecker check_;
  std::string_view letters_;
  std::string_view result_letters_;
  Call call_;
};

}  // namespace

Call check_instruction(const Instruction& instruction, const Scope& scope) {
  if (instruction.opcode == "mov") return check_move(instruction, scope);
  for (const auto& match : matching_forms(instruction)) {
    CallMaker maker(instruction, match, scope);
    if (maker.fits_count()) return maker.run();
  }
  throw Refusal(
      instruction.line, instruction.opcode,
      "no known form of it has these " + std::to_string(instruction.operands.size()) + " operands");
}

}  // namespace assay::cuda::on_cpu::ptx
