// The known instructions: one row per form.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cuda_impl/on_cpu/ptx/translator/parser/syntax.hpp"

namespace assay::cuda::on_cpu::ptx {

/// A form is identified by its modifiers: slots separated by spaces. A slot lists alternatives,
/// "rn|rz"; with a leading "?" it is optional, and the first alternative is the default. Its prefix
/// means:
///   :  a type, which operands refer to by number; names of sets are in forms.cpp
///   $  goes to the callee as a template argument; $: a type that does so
///   @  a state space, generic if left out
///   #  how many elements a vector has, one if left out
///
/// Operands are letters, results before "=", two results written a|b:
///   0 1  of the type in that slot         W  of twice the width of type 0
///   X Y  as 0 and 1, registers may be wider
///   p    predicate, !p allowed            w  u32      b  b32
///   A    a 64-bit address or the address of a variable
///   m    memory, [register+4]             i  an integer constant
///   V    a vector of type 0 (or one register), registers may be wider
/// and implicit operands: c the carry flag, s the begin of shared memory,
/// h the thread's indices.
struct Form {
  std::string_view opcode;
  std::string_view modifiers;
  std::string_view operands;
  std::string_view callee;  ///< a template of operations.hpp
};

/// The assignment of an instruction's modifiers to a form's slots.
struct Match {
  const Form* form;
  std::vector<const Type*> types = {};
  std::vector<std::string> template_arguments = {};
  std::string space = {};  ///< empty: generic
  std::uint32_t vector_size = 1;
};

/// The forms that match the instruction's modifiers; they differ in operands. If there is none,
/// throws a Refusal that names the unknown opcode or modifier.
std::vector<Match> matching_forms(const Instruction& instruction);

}  // namespace assay::cuda::on_cpu::ptx
