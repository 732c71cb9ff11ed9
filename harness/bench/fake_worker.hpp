// Scripted workers for tests of the orchestrator.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/bench/plan.hpp"
#include "harness/subject/process/stop_signal.hpp"

namespace assay::bench {

/// The log of the fake workers, and the script that they follow.
struct FakeMachine {
  /// `start mine`, `mine typed_1`, …
  std::vector<std::string> log;
  /// By key (`mine typed_1`): the reply to the n-th request, counted from 0. The default is samples
  /// of 10, 11 and 30 ns.
  std::map<std::string, std::function<Reply(int time)>> replies;
  std::map<std::string, int> asked;
  /// Starting a worker of this subject throws LinkBroken.
  std::string cannot_start;
  /// Workers claim this, and therefore take turns.
  bool takes_iterations = false;
};

inline Reply fake_samples(std::vector<double> samples) {
  List list;
  for (const double sample : samples) list.items.emplace_back(sample);
  return Reply::make_ok({{"samples", list}, {"iterations", 100}, {"via", "c++"}});
}

class FakeWorker final : public Link {
 public:
  FakeWorker(FakeMachine& machine, std::string id) : machine_(machine), id_(std::move(id)) {
    machine_.log.push_back("start " + id_);
  }

  Reply exchange(const Command& command) override {
    if (dead_) throw LinkBroken(LinkBroken::Cause::kDied, "asked although it was dead");
    try {
      return answer(command);
    } catch (const LinkBroken&) {
      dead_ = true;
      throw;
    }
  }
  void restart() override { throw std::logic_error("a worker is never restarted"); }

 private:
  Reply answer(const Command& command) {
    if (command.verb == "hello") return hello();
    if (command.verb == "bench.build") return build();
    if (command.verb == "bench.calibrate") return floors();
    const std::string key = id_ + " " + *command.with.find("loop")->get_if<std::string>();
    machine_.log.push_back(key);
    const int time = machine_.asked[key]++;
    const auto scripted = machine_.replies.find(key);
    return scripted == machine_.replies.end() ? fake_samples({11, 10, 30}) : scripted->second(time);
  }

  Reply hello() const {
    if (machine_.cannot_start == id_) {
      throw LinkBroken(LinkBroken::Cause::kDied, "the subject ended with status 2",
                       "no such thing\nmore");
    }
    return Reply::make_ok({{"protocol", kProtocolVersion},
                           {"name", "fake"},
                           {"version", "7"},
                           {"devices", List{}},
                           {"areas", List{}}});
  }
  static Reply build() {
    return Reply::make_ok({{"tool", "0.0.9"},
                           {"revision", "abc"},
                           {"dirty", true},
                           {"build_type", "Debug"},
                           {"compiler", "c"},
                           {"flags", "-g"}});
  }
  Reply floors() const {
    Reply reply = Reply::make_ok({{"timer_cost_ns", List{{20.0, 22.0}}},
                                  {"timer_resolution_ns", 1.0},
                                  {"empty_loop_ns", List{{1.5}}},
                                  {"null_call_ns", List{{2.0}}}});
    if (machine_.takes_iterations) reply.ok.set("takes_iterations", true);
    return reply;
  }

  FakeMachine& machine_;
  std::string id_;
  bool dead_ = false;
};

inline Contender fake_contender(FakeMachine& machine, const std::string& id) {
  Contender contender;
  contender.id = contender.subject = id;
  contender.open = [&machine, id] { return std::make_unique<FakeWorker>(machine, id); };
  return contender;
}

/// Two subjects, `a` and `b`, and the three cases of dispatch/typed.
inline Plan fake_plan(FakeMachine& machine, int processes) {
  Plan plan;
  plan.contenders = {fake_contender(machine, "a"), fake_contender(machine, "b")};
  plan.cases = select_cases({"dispatch/typed"}, {});
  plan.processes = processes;
  return plan;
}

}  // namespace assay::bench
