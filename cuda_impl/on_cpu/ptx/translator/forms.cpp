// The known instructions, and the parsing of their modifiers.
#include "cuda_impl/on_cpu/ptx/translator/forms.hpp"

#include <algorithm>
#include <optional>

#include "cuda_impl/on_cpu/ptx/translator/form_table.hpp"
#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

constexpr std::pair<std::string_view, std::string_view> kSets[] = {
    {"int", "u16|u32|u64|s16|s32|s64"},
    {"int16_32", "u16|u32|s16|s32"},
    {"int32_64", "u32|u64|s32|s64"},
    {"any_int", "u8|u16|u32|u64|s8|s16|s32|s64"},
    {"signed", "s16|s32|s64"},
    {"unsigned", "u16|u32|u64"},
    {"bits", "b16|b32|b64"},
    {"logic", "pred|b16|b32|b64"},
    {"half", "f16|bf16|f16x2|bf16x2"},
    {"memory", "b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64"},
    {"float_comparison", "eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan"},
    {"space", "const|global|local|param|param::entry|param::func|shared|shared::cta"},
    {"writable", "global|local|param|param::func|shared|shared::cta"},
    {"atomic", "global|shared|shared::cta"},
    {"order", "relaxed|acquire|release|acq_rel"},
    {"scope", "cta|cluster|gpu|sys"},
    {"l1_hint",
     "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate"},
    {"l2_hint", "L2::64B|L2::128B|L2::256B"},
};

/// The C++ name of a captured modifier.
std::string constant_of(std::string_view modifier) {
  constexpr std::string_view kRoundings = "|rn|rz|rm|rp|rni|rzi|rmi|rpi|";
  constexpr std::string_view kAccesses = "|weak|relaxed|acquire|release|acq_rel|volatile|";
  constexpr std::string_view kLogic = "|and|or|xor|";
  const auto name = std::string(modifier);
  const auto is_in = [&](std::string_view set) {
    return set.find("|" + name + "|") != std::string_view::npos;
  };
  if (is_in(kRoundings)) return "Rounding::" + name;
  if (is_in(kAccesses)) return "Access::" + name + "_";
  if (is_in(kLogic)) return "Logic::" + name + "_";
  return "Comparison::" + name;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

struct Slot {
  bool is_captured = false;
  bool is_optional = false;
  char kind = ' ';  ///< ':', '@', '#' or nothing
  std::vector<std::string_view> choices = {};
};

Slot slot_of(std::string_view text) {
  Slot slot;
  if (text.ends_with('?')) slot.is_optional = true, text.remove_suffix(1);
  if (text.starts_with('$')) slot.is_captured = true, text.remove_prefix(1);
  if (std::string_view(":@#").find(text[0]) != std::string_view::npos) {
    slot.kind = text[0];
    text.remove_prefix(1);
  }
  for (const auto choice : split(text, '|')) {
    const auto set =
        std::ranges::find(kSets, choice, &std::pair<std::string_view, std::string_view>::first);
    if (set == std::end(kSets)) {
      slot.choices.push_back(choice);
    } else {
      std::ranges::copy(split(set->second, '|'), std::back_inserter(slot.choices));
    }
  }
  return slot;
}

/// The template argument for a captured modifier.
std::string argument_of(const Slot& slot, std::string_view modifier) {
  if (slot.kind == ':') return std::string(modifier);
  if (slot.kind == '@') return "Window::" + std::string(modifier.substr(0, modifier.find("::")));
  return constant_of(modifier);
}

void fill(Match& match, const Slot& slot, std::string_view modifier) {
  if (slot.kind == ':') match.types.push_back(find_type(modifier));
  if (slot.kind == '@') match.space = modifier;
  if (slot.kind == '#') match.vector_size = static_cast<std::uint32_t>(modifier[1] - '0');
  if (slot.is_captured) match.template_arguments.push_back(argument_of(slot, modifier));
}

struct Attempt {
  std::optional<Match> match;
  std::size_t read = 0;  ///< matched modifiers
};

Attempt attempt(const Form& form, const std::vector<std::string>& modifiers) {
  Match match{.form = &form};
  std::size_t at = 0;
  for (const auto text : split(form.modifiers, ' ')) {
    const auto slot = slot_of(text);
    const bool fits = at < modifiers.size() &&
                      std::ranges::find(slot.choices, modifiers[at]) != slot.choices.end();
    if (fits) {
      fill(match, slot, modifiers[at++]);
    } else if (!slot.is_optional) {
      return {std::nullopt, at};
    } else if (slot.is_captured) {
      match.template_arguments.push_back(
          argument_of(slot, slot.kind == '@' ? "generic" : slot.choices.front()));
    }
  }
  if (at < modifiers.size()) return {std::nullopt, at};
  return {std::move(match), at};
}

std::string text_of(const Instruction& instruction) {
  std::string text = instruction.opcode;
  for (const auto& modifier : instruction.modifiers) text += "." + modifier;
  return text;
}

}  // namespace

std::vector<Match> matching_forms(const Instruction& instruction) {
  std::vector<Match> matches;
  std::size_t furthest = 0;
  bool is_known = false;
  for (const auto& form : kForms) {
    if (form.opcode != instruction.opcode) continue;
    is_known = true;
    auto result = attempt(form, instruction.modifiers);
    furthest = std::max(furthest, result.read);
    if (result.match) matches.push_back(std::move(*result.match));
  }
  if (!matches.empty()) return matches;
  const auto text = text_of(instruction);
  if (!is_known) throw Refusal(instruction.line, text, "unknown opcode " + instruction.opcode);
  if (furthest == instruction.modifiers.size()) {
    throw Refusal(instruction.line, text, "a modifier or type is missing");
  }
  throw Refusal(instruction.line, text, "unknown modifier ." + instruction.modifiers[furthest]);
}

}  // namespace assay::cuda::on_cpu::ptx
