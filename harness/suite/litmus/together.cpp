// Runs the rounds of a litmus program inside the subject, with the block command `together`.
#include "harness/suite/litmus/run.hpp"
#include "harness/suite/reading.hpp"

namespace assay {
namespace {

constexpr std::string_view kMain = "main";

/// The replies to the commands of `observe` in one round.
const std::vector<Value>& seen_in(const Value& outcome, std::int64_t& times) {
  const List* seen = nullptr;
  for (const auto& [name, value] : held_in<Dict>(outcome).items) {
    const std::string& key = held_in<std::string>(name);
    if (key == "seen") seen = &held_in<List>(value);
    if (key == "times") times = held_in<std::int64_t>(value);
  }
  if (seen == nullptr) throw BadReply("an outcome of 'together' lacks 'seen'");
  return seen->items;
}

std::int64_t number_of(const Value& fields) {
  const Dict* dict = fields.get_if<Dict>();
  if (dict != nullptr && dict->items.size() == 1) {
    const Value& result = dict->items.front().second;
    if (const bool* answer = result.get_if<bool>()) return *answer ? 1 : 0;
    if (const TensorValue* tensor = result.tensor()) {
      return static_cast<std::int64_t>(tensor->bits_at(0));
    }
  }
  throw BadReply("an outcome of 'together' lacks an observed word");
}

}  // namespace

LitmusHistogram LitmusRun::together(std::int64_t rounds) {
  Names names;
  std::map<std::size_t, std::size_t> places;  // of each observation in `observe`
  std::vector<std::pair<std::string, Block>> threads;
  const bool alone = program_.threads.size() == 1;
  Block observe = alone ? events() : Block();
  for (std::size_t call = 0; call < calls_.size(); ++call) {
    const std::string& thread = calls_[call].thread;
    const bool last = alone || thread == kMain;
    if (!last && (threads.empty() || threads.back().first != thread))
      threads.push_back({thread, {}});
    Block& block = last ? observe : threads.back().second;
    places[call] = block.size();
    for (Command& one : commands(call, names)) block.push_back(std::move(one));
  }
  for (Command& one : objects_.wait_for_all()) observe.push_back(std::move(one));
  for (const auto& [call, name] : names) {
    if (calls_[call].operation->verb != litmus::Verb::kLoad) continue;
    places[call] = observe.size();
    Command read;
    read.verb = "core.read";
    read.with = {{"tensor", Ref{name}}};
    observe.push_back(std::move(read));
  }
  for (Command& one : objects_.clear()) observe.push_back(std::move(one));
  if (threads.empty()) threads.push_back({std::string(kMain), {}});

  for (const Command& one : objects_.clear()) session_.send(one);
  const Reply reply = session_.together(std::move(threads), rounds, std::move(observe));
  LitmusHistogram histogram;
  for (const Value& outcome : field_as<List>(reply, "outcomes").items) {
    std::int64_t times = 0;
    const std::vector<Value>& answers = seen_in(outcome, times);
    std::map<std::size_t, std::int64_t> seen;
    for (std::size_t call = 0; call < calls_.size(); ++call) {
      if (calls_[call].operation->observes()) seen[call] = number_of(answers.at(places[call]));
    }
    histogram[outcome_of(seen)] += times;
  }
  events_.clear();
  gates_.clear();
  return histogram;
}

}  // namespace assay
