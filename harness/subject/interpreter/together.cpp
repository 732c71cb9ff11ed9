// The block command `together`: releases several threads simultaneously, in repeated rounds.
#include <algorithm>
#include <barrier>

#include "harness/protocol/json.hpp"
#include "harness/subject/interpreter/interpreter_state.hpp"

namespace assay {
namespace {

constexpr std::int64_t kMostRounds = 100'000'000;
constexpr std::size_t kMostThreads = 256;

const char* problem_with(const Command& together) {
  if (together.threads.empty()) return "'together' needs 'threads'";
  if (together.threads.size() > kMostThreads) return "'together' has too many threads";
  for (std::size_t i = 0; i < together.threads.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (together.threads[i].first == together.threads[j].first) {
        return "'together' names a thread twice";
      }
    }
  }
  return nullptr;
}

/// The original name of a local name: `x` for `x~7`.
Substitution undone(const Substitution& substitution) {
  Substitution back;
  for (const auto& [name, fresh] : substitution) back.emplace(fresh.get_if<Ref>()->name, Ref{name});
  return back;
}

/// Counts each distinct sequence of observations.
class Histogram {
 public:
  void add(const std::vector<Reply>& observed, const Substitution& back) {
    List seen;
    for (const Reply& reply : observed) {
      Dict fields;
      for (const auto& [name, value] : reply.ok) {
        fields.items.emplace_back(name, substituted(value, back));
      }
      seen.items.emplace_back(std::move(fields));
    }
    Value sequence = std::move(seen);
    const auto [where, is_new] = index_.emplace(to_json(sequence), rows_.size());
    if (is_new) rows_.push_back({std::move(sequence), 0});
    ++rows_[where->second].times;
  }

  Value take() {
    List outcomes;
    for (Row& row : rows_) {
      Dict fields;
      fields.items.emplace_back("seen", std::move(row.seen));
      fields.items.emplace_back("times", row.times);
      outcomes.items.emplace_back(std::move(fields));
    }
    return outcomes;
  }

 private:
  struct Row {
    Value seen;
    std::int64_t times;
  };
  std::vector<Row> rows_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace

/// One thread of `together`.
struct Participant {
  const Block* source = nullptr;
  NamedThread* thread = nullptr;  ///< null: the thread that runs the command
  Block block;                    ///< the block of this round
  Reply reply;
};

/// Shared with the threads, which may still be running when the last round ends.
struct Gates {
  explicit Gates(std::ptrdiff_t count) : start(count), finish(count) {}
  std::barrier<> start;
  std::barrier<> finish;
  std::atomic<bool> ending = false;
};

/// The rounds of one `together`, from the view of the thread that runs the command.
class Interpreter::State::Rounds {
 public:
  Rounds(State& state, const Block& observe, std::vector<Participant> participants);
  /// Ends the threads.
  ~Rounds();
  Rounds(const Rounds&) = delete;
  Rounds& operator=(const Rounds&) = delete;

  Reply run(std::int64_t times);

 private:
  void work(Participant& participant, Gates& gates);
  void run_one(Participant& participant);
  Reply round();
  Reply observe(const Substitution& fresh);
  Substitution fresh_names();

  State& state_;
  const Block& observe_;
  Context context_;
  std::vector<Participant> participants_;
  std::shared_ptr<Gates> gates_;
  LocalNames locals_;
  Histogram histogram_;
};

Interpreter::State::Rounds::Rounds(State& state, const Block& observe,
                                   std::vector<Participant> participants)
    : state_(state),
      observe_(observe),
      context_(ContextScope::current()),
      participants_(std::move(participants)) {
  context_.locals = &locals_;
  const auto others = std::count_if(participants_.begin(), participants_.end(),
                                    [](const auto& one) { return one.thread != nullptr; });
  gates_ = std::make_shared<Gates>(others + 1);
  for (Participant& one : participants_) {
    if (one.thread == nullptr) continue;
    one.thread->post([this, &one, gates = gates_] { work(one, *gates); });
  }
}

Interpreter::State::Rounds::~Rounds() {
  gates_->ending = true;
  gates_->start.arrive_and_wait();
}

void Interpreter::State::Rounds::work(Participant& participant, Gates& gates) {
  for (;;) {
    gates.start.arrive_and_wait();
    if (gates.ending) return;  // only `gates` may be accessed from here on
    const ContextScope scope({&state_, &participant.thread->actor(), &locals_, context_.depth});
    run_one(participant);
    gates.finish.arrive_and_wait();
  }
}

void Interpreter::State::Rounds::run_one(Participant& participant) {
  participant.reply = reply_or_failure([&] { return state_.run_block(participant.block); });
}

Reply Interpreter::State::Rounds::run(std::int64_t times) {
  const ContextScope scope(context_);
  for (std::int64_t i = 0; i < times; ++i) {
    Reply outcome = round();
    state_.release(locals_);
    if (!outcome.succeeded()) return outcome;
  }
  return Reply::make_ok({{"outcomes", histogram_.take()}});
}

Reply Interpreter::State::Rounds::round() {
  const Substitution fresh = fresh_names();
  for (Participant& one : participants_) one.block = substituted(*one.source, fresh);
  gates_->start.arrive_and_wait();
  for (Participant& one : participants_) {
    if (one.thread == nullptr) run_one(one);
  }
  gates_->finish.arrive_and_wait();
  for (Participant& one : participants_) {
    if (!one.reply.succeeded()) return std::move(one.reply);
  }
  return observe(fresh);
}

Reply Interpreter::State::Rounds::observe(const Substitution& fresh) {
  Reply seen = state_.run_block(substituted(observe_, fresh));
  if (seen.succeeded()) histogram_.add(seen.replies, undone(fresh));
  return seen;
}

Substitution Interpreter::State::Rounds::fresh_names() {
  Substitution fresh;
  for (const Participant& one : participants_) add_fresh_names(fresh, *one.source, state_.fresh_);
  add_fresh_names(fresh, observe_, state_.fresh_);
  return fresh;
}

Reply Interpreter::State::together(const Command& command) {
  if (const char* problem = problem_with(command)) return Reply::make_invalid(problem);
  const Value* wanted = command.with.find("times");
  const Value once = 1;
  const auto* times = (wanted == nullptr ? once : *wanted).get_if<std::int64_t>();
  if (command.with.size() > (wanted == nullptr ? 0u : 1u) || times == nullptr || *times < 1 ||
      *times > kMostRounds) {
    return Reply::make_invalid("'together' takes 'times', an int from 1 to " +
                               std::to_string(kMostRounds) + ", and no other argument");
  }
  const Actor& self = *ContextScope::current().self;
  std::vector<Participant> participants;
  std::vector<Actor*> others;
  for (const auto& [name, block] : command.threads) {
    Participant& one = participants.emplace_back();
    one.source = &block;
    if (name == self.name) continue;
    if (std::optional<Reply> refusal = no_thread(name)) return std::move(*refusal);
    one.thread = &threads_.named(name);
    others.push_back(&one.thread->actor());
  }
  const WaitGraph::Wait wait(waits_, *ContextScope::current().self, std::move(others), true);
  if (wait.refused_by() != nullptr) return deadlock_reply(*wait.refused_by());
  return Rounds(*this, command.observe, std::move(participants)).run(*times);
}

}  // namespace assay
