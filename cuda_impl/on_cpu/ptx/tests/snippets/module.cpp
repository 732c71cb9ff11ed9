// Writes the PTX that runs the snippets.
#include "cuda_impl/on_cpu/ptx/tests/snippets/snippet.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

std::string width_of(const std::string& type) { return std::to_string(8 * bytes_of(type)); }

/// Bytes and halves are in 16-bit registers, pairs of halves in 32-bit registers.
std::string register_of(const std::string& type) {
  const bool has_own = type[0] == 'f' ? bytes_of(type) >= 4 && type != "f16x2" : type == "pred";
  if (has_own) return type;
  if (bytes_of(type) == 1) return "b16";
  return type[0] == 'u' || type[0] == 's' ? type : "b" + width_of(type);
}

/// How an operand is read from the slot at %in + offset.
std::string load(const std::string& type, const std::string& name, int offset) {
  const auto address = "[%in+" + std::to_string(offset) + "]";
  if (type == "pred") {
    return "  ld.global.u8 %byte, " + address + ";\n  setp.ne.u16 " + name + ", %byte, 0;\n";
  }
  return "  ld.global." + (bytes_of(type) == 1 ? "u8" : "b" + width_of(type)) + " " + name + ", " +
         address + ";\n";
}

std::string store(const std::string& type) {
  if (type.empty()) return "";
  if (type == "pred") return "  selp.u64 %word, 1, 0, %d;\n  st.global.u64 [%out], %word;\n";
  return "  st.global.b" + (bytes_of(type) == 1 ? "16" : width_of(type)) + " [%out], %d;\n";
}

std::string kernel_of(const Snippet& snippet, std::size_t number) {
  std::string text = ".visible .entry snippet_" + std::to_string(number) +
                     "(.param .u64 inputs, .param .u64 outputs, .param .u32 count)\n{\n"
                     "  .reg .b64 %in, %out, %m, %word;\n  .reg .b32 %i, %n, %size, %block;\n"
                     "  .reg .b16 %byte;\n  .reg .pred %outside;\n";
  const char* names[] = {"%a", "%b", "%c"};
  for (std::size_t i = 0; i < snippet.operands.size(); ++i) {
    text += "  .reg ." + register_of(snippet.operands[i]) + " " + names[i] + ";\n";
  }
  if (!snippet.result.empty()) text += "  .reg ." + register_of(snippet.result) + " %d;\n";
  text +=
      "  mov.u32 %i, %tid.x;\n  mov.u32 %size, %ntid.x;\n  mov.u32 %block, %ctaid.x;\n"
      "  mad.lo.u32 %i, %block, %size, %i;\n  ld.param.u32 %n, [count];\n"
      "  setp.ge.u32 %outside, %i, %n;\n  @%outside bra done;\n"
      "  ld.param.u64 %in, [inputs];\n  mad.wide.u32 %in, %i, 24, %in;\n"
      "  ld.param.u64 %out, [outputs];\n  mad.wide.u32 %out, %i, 16, %out;\n"
      "  add.u64 %m, %out, 8;\n  ld.global.u64 %word, [%in];\n  st.global.u64 [%m], %word;\n";
  for (std::size_t i = 0; i < snippet.operands.size(); ++i) {
    text += load(snippet.operands[i], names[i], 8 * static_cast<int>(i));
  }
  const bool is_block = snippet.instruction.starts_with('{');
  return text + "  " + snippet.instruction + (is_block ? "\n" : ";\n") + store(snippet.result) +
         "done:\n  ret;\n}\n";
}

}  // namespace

std::uint32_t bytes_of(const std::string& type) {
  if (type == "pred" || type.ends_with('8')) return 1;
  if (type.ends_with("16x2") || type.ends_with("32")) return 4;
  return type.ends_with("64") ? 8 : 2;
}

std::string module_of(const Snippets& snippets) {
  std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n";
  for (std::size_t i = 0; i < snippets.size(); ++i) text += kernel_of(snippets[i], i);
  return text;
}

Snippets all_snippets() {
  Snippets all;
  for (const auto& part :
       {integer_snippets(), bit_snippets(), compare_snippets(), float_snippets(), half_snippets(),
        convert_snippets(), memory_snippets(), warp_snippets()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
