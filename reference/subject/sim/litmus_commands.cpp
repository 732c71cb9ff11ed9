// Area sim: the outcomes of litmus programs.
#include "reference/runtime/device/explore.hpp"
#include "reference/subject/command_table.hpp"

namespace assay::reference {
namespace {

Exploration explored(const std::string& text) {
  try {
    return explore(read_litmus_program(text));
  } catch (const BadLitmusProgram& bad) {
    throw InvalidArgument(std::string("sim.permitted: ") + bad.what());
  }
}

}  // namespace

void sim_permitted(Call& call) {
  const Exploration found = explored(call.arguments().text("program"));
  assay::List outcomes;
  for (const LitmusOutcome& outcome : found.outcomes) {
    assay::List values;
    for (const std::int64_t value : outcome) values.items.emplace_back(value);
    outcomes.items.emplace_back(std::move(values));
  }
  call.set("outcomes", std::move(outcomes));
  call.set("hangs", found.hangs);
  call.set("states", static_cast<std::int64_t>(found.states));
}

}  // namespace assay::reference
