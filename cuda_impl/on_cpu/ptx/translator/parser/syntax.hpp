// The syntax tree of PTX, as the parser creates it for the emitter. Names are not yet resolved.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cuda_impl/on_cpu/ptx/translator/types.hpp"

namespace assay::cuda::on_cpu::ptx {

enum class OperandKind {
  kName,     ///< a register, special register, variable, label or function, `value` added to it
  kInteger,  ///< `value`, of 64 bits
  kFloat32,  ///< `value` holds its bits
  kFloat64,  ///< `value` holds its bits
  kAddress,  ///< [name+value], or [value] where `name` is empty
  kVector,   ///< {a, b}
  kPair,     ///< a|b: two destinations
  kList,     ///< (a, b): of a call
  kSink      ///< _
};

struct Operand {
  OperandKind kind = OperandKind::kSink;
  std::string text = {};  ///< as written, for messages
  std::string name = {};
  std::uint64_t value = 0;
  bool is_negated = false;  ///< !%p
  std::vector<Operand> parts = {};
};

struct Guard {
  std::string name;
  bool is_negated;
};

struct Instruction {
  int line = 0;
  std::optional<Guard> guard = {};
  std::string opcode = {};
  std::vector<std::string> modifiers = {};  ///< without their dots
  std::vector<Operand> operands = {};
};

struct Label {
  int line;
  std::string name;
};

/// .reg: `count` registers name0, name1, ... where `is_range`.
struct Registers {
  int line;
  const Type* type;
  std::string name;
  bool is_range;
  std::uint32_t count;
};

enum class Space { kGlobal, kConst, kShared, kLocal, kParam };

struct Variable {
  int line = 0;
  Space space = Space::kGlobal;
  const Type* type = nullptr;
  std::uint32_t alignment = 0;  ///< bytes
  std::string name = {};
  std::uint64_t count = 1;                ///< elements; 0 of an array of unknown size
  std::vector<Operand> initialiser = {};  ///< the rest is zero
  bool is_external = false;

  std::uint64_t bytes() const { return count * type->bytes; }
};

/// .loc: the source position of the following statements.
struct Location {
  int file;
  int line;
  int column;
  std::optional<std::array<int, 3>> inlined_at = {};
};

/// name: .branchtargets a, b, c;
struct BranchTargets {
  int line;
  std::string name;
  std::vector<std::string> labels;
};

struct Block;
using Statement =
    std::variant<Instruction, Label, Registers, Variable, Location, BranchTargets, Block>;

struct Block {
  std::vector<Statement> statements;
};

struct Function {
  int line = 0;
  std::string name = {};
  bool is_entry = false;
  std::vector<Variable> results = {};
  std::vector<Variable> parameters = {};
  std::uint32_t max_threads = 0;   ///< 0 if unspecified
  std::uint32_t registers = 0;     ///< at most this many per thread; 0 if unspecified
  std::optional<Block> body = {};  ///< none for a declaration
};

struct Module {
  std::string target;
  std::map<int, std::string> files;
  std::vector<Variable> variables;
  std::vector<Function> functions;
};

}  // namespace assay::cuda::on_cpu::ptx
