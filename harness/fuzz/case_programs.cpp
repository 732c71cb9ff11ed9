// Learns the programs of cases.
#include "harness/fuzz/case_programs.hpp"

#include <algorithm>
#include <utility>

#include "harness/perturb/changes.hpp"
#include "harness/program/moves.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/suite/unsupported_case.hpp"

namespace assay {
namespace {

/// Longer programs take longer than others that show as much.
constexpr std::size_t kLongest = 60;
constexpr int kMostTries = 100;

/// True for an operator of PyTorch that clauses describe. Subjects compute the others as they like.
bool is_described(std::string_view name) {
  if (!name.starts_with("aten::")) return true;
  name.remove_prefix(std::string_view("aten::").size());
  Command command;
  command.id = 0;
  command.verb = "core.op";
  command.with = {{"name", name.substr(0, name.find('.'))}, {"args", List{}}};
  return validate_command(to_json(command)).empty();
}

/// True for a command with an address or a handle that the subject gave, or whose result is its
/// own.
bool is_personal(const Command& command) {
  if (command.with.has("address") || command.with.has("handle")) return true;
  const Value* op = command.with.find("op");
  const auto* name = op == nullptr ? nullptr : op->get_if<std::string>();
  if (name != nullptr && command.verb == "dispatch.call" && !is_described(*name)) return true;
  return std::ranges::any_of(command.body, is_personal);
}

/// How much work a command may do is known for the case alone.
Command uncounted(Command command) {
  command.id.reset();
  command.count = false;
  for (Block* block : {&command.enter, &command.body, &command.observe}) {
    for (Command& inner : *block) inner = uncounted(std::move(inner));
  }
  return command;
}

}  // namespace

void CasePrograms::choose(const std::vector<const Case*>& cases,
                          const std::vector<std::string>& areas, const Contract& contract) {
  contract_ = contract;
  for (const Case* test : cases) {
    const bool has_area = std::ranges::find(areas, area_of_case(test->id)) != areas.end();
    const bool is_usual = !test->fresh && !test->full && test->unless.empty();
    if (has_area && is_usual && test->applies.admits(contract)) cases_.push_back(test);
  }
}

/// A case that chooses commands by what it was told, or uses names of the subject's own, has no
/// program that can be sent again.
const Block& CasePrograms::program_of(std::size_t index, const RunCase& run) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = programs_.find(index); known != programs_.end()) return known->second;
  }
  const CaseResult result = run({cases_[index], contract_});
  Block program;
  if (result.outcome == Outcome::kPass && is_repeatable(result.history)) {
    for (const Exchange& exchange : result.history) program.push_back(uncounted(exchange.command));
  }
  if (size_of(program) > kLongest || std::ranges::any_of(program, is_personal)) program.clear();
  const std::scoped_lock lock(mutex_);
  return programs_.emplace(index, std::move(program)).first->second;
}

Block CasePrograms::changed(const RunCase& run, Random& random) {
  Block chosen[2];
  bool counts[2] = {};
  for (int i = 0; i < 2; ++i) {
    for (int tries = 0; tries < kMostTries && chosen[i].empty(); ++tries) {
      const std::size_t index = random.below(cases_.size());
      chosen[i] = program_of(index, run);
      counts[i] = area_of_case(cases_[index]->id) == "memory";
    }
  }
  // Statistics of memory include what others allocate.
  if (counts[0] || counts[1]) chosen[1].clear();
  return varied(std::move(chosen[0]), chosen[1], random);
}

}  // namespace assay
