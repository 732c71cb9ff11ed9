// Implements the common parts of perturbations that make commands fail.
#include "harness/perturb/attempts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/perturb/changes.hpp"
#include "harness/perturb/rewrite.hpp"
#include "harness/protocol/json.hpp"
#include "harness/protocol/schema.hpp"
#include "harness/suite/expect.hpp"

namespace assay {
namespace {

/// Of the allocator's statistics. Totals and peaks count failed attempts as well, and an attempt
/// may fill, empty or age a cache. What the program holds stays the same.
bool is_held(const std::string& counter) {
  const bool is_of_use = counter.starts_with("active") || counter.starts_with("allocat") ||
                         counter.starts_with("requested");
  return is_of_use && counter.ends_with(".current");
}

Reply without_totals(Reply reply) {
  const Value* result = reply.ok.find("result");
  const Dict* dict = result == nullptr ? nullptr : result->get_if<Dict>();
  if (dict == nullptr) {
    reply.ok = {};
    return reply;
  }
  Dict kept;
  for (const auto& item : dict->items) {
    const auto* name = item.first.get_if<std::string>();
    if (name != nullptr && is_held(*name)) kept.items.push_back(item);
  }
  reply.ok.set("result", std::move(kept));
  return reply;
}

Command command_of(std::string verb, Fields with = {}) {
  Command command;
  command.verb = std::move(verb);
  command.with = std::move(with);
  return command;
}

std::vector<Command> looks(const std::vector<Exchange>& program) {
  std::vector<Command> commands{
      command_of("core.current_device"),           command_of("dispatch.tls"),
      command_of("autograd.is_grad_enabled"),      command_of("autograd.is_inference_mode"),
      command_of("autocast.is_cache_enabled"),     command_of("autocast.nesting", {{"by", 1}}),
      command_of("autocast.nesting", {{"by", -1}})};
  for (const char* device : {"cpu", "cuda"}) {
    commands.push_back(command_of("autocast.is_enabled", {{"device", device}}));
    commands.push_back(command_of("autocast.dtype", {{"device", device}}));
  }
  const bool has_streams = std::ranges::any_of(program, [](const Exchange& exchange) {
    return exchange.command.verb.starts_with("runtime.") ||
           exchange.command.verb.starts_with("graph.");
  });
  if (has_streams) commands.push_back(command_of("runtime.current_stream"));
  return commands;
}

}  // namespace

bool bears_attempts(const Command& command) {
  if (minds(command.verb, "failure") || command.count || !command.threads.empty()) return false;
  for (const auto& [name, value] : command.with) {
    if (minds(command.verb, "failure:" + name)) return false;
  }
  // The first commands of a longer block would run twice, and guards keep their names.
  const bool has_names =
      std::ranges::any_of(command.enter, [](const Command& guard) { return !guard.as.empty(); });
  if (command.body.size() > 1 || has_names) return false;
  return std::ranges::all_of(command.body, bears_attempts);
}

bool minds_inside(const Command& command, std::string_view what) {
  return minds(command.verb, what) || std::ranges::any_of(command.body, [&](const Command& inner) {
           return minds_inside(inner, what);
         });
}

void ComparisonAfterFailures::compare(const Exchange& exchange, Reply got,
                                      const std::optional<std::string>& failed) {
  const Command& command = exchange.command;
  const bool counts = failed && minds(command.verb, "attempts");
  Reply wanted = counts ? without_totals(exchange.reply) : exchange.reply;
  if (counts) got = without_totals(std::move(got));
  if (failed) {  // some are issued only once, and a failed attempt has had them
    drop_warnings(wanted);
    drop_warnings(got);
  }
  const auto difference = comparison_.compare(command, got, wanted);
  if (!difference) return;
  throw CheckFailed(
      fmt::format("{}; {} replies otherwise then{}{}{}", failed.value_or("nothing fails"),
                  command.verb, difference->where.empty() ? "" : ", ", difference->where,
                  difference->distance),
      difference->wanted, difference->got, {});
}

void ThreadState::learn() {
  probes_.emplace();
  for (Command& look : looks(program_)) {
    if (session_.ask(look).succeeded()) probes_->push_back(std::move(look));
  }
}

std::string ThreadState::before(const Command& command) {
  if (!probes_) learn();
  Command block = command_of("scope");
  block.body = *probes_;
  if (command.verb == "on") {
    Command there = command_of("on", command.with);
    there.body.push_back(std::move(block));
    block = std::move(there);
  }
  Reply reply = session_.ask(std::move(block));
  reply.id.reset();
  return to_json(reply);
}

void ThreadState::expect(const std::string& before, const Command& command,
                         const std::string& failed) {
  const std::string now = this->before(command);
  if (now == before) return;
  throw CheckFailed(failed + ", and the state of the thread is not as before", before, now, {});
}

}  // namespace assay
