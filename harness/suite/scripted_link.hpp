// For tests: a subject with scripted replies, and a minimal case.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/suite/runner/runner.hpp"

namespace assay {

/// Answers hello and reset like a valid subject, and other commands through `answer`.
class Scripted final : public Link {
 public:
  std::function<Reply(const Command&)> answer = [](const Command&) {
    return Reply::make_ok({{"result", 1}});
  };
  Reply hello = Reply::make_ok({{"protocol", kProtocolVersion},
                                {"name", "scripted"},
                                {"version", "1"},
                                {"devices", List{{Device{"cuda", 0}}}},
                                {"areas", List{{"amp"}}},
                                {"threads", false}});
  Reply reset = Reply::make_ok({{"uncleaned", List{}}});
  std::string dies_at;
  int restarts = 0;
  std::vector<std::string> verbs;

  Reply exchange(const Command& command) override {
    verbs.push_back(command.verb);
    if (command.verb == dies_at) throw LinkBroken(LinkBroken::Cause::kDied, "gone");
    if (command.verb == "hello") return hello;
    if (command.verb == "reset") return reset;
    return answer(command);
  }
  void restart() override { ++restarts; }
};

inline Case case_of(std::function<void(Session&)> body) {
  Case test;
  test.id = "amp/one";
  test.clauses = {"AMP-201"};
  test.body = std::move(body);
  return test;
}

inline void send_one(Session& session) { session.send("value", {{"value", 1}}); }

inline CaseResult run_once(Scripted& link, std::function<void(Session&)> body,
                           SupportPolicy support) {
  static Case test;  // static, because results refer to their case
  test = case_of(std::move(body));
  RunnerOptions options;
  options.support = std::move(support);
  return Runner(link, options).run({&test, Contract{}});
}

inline CaseResult run_once(Scripted& link, std::function<void(Session&)> body) {
  return run_once(link, std::move(body), SupportPolicy::foreign({}));
}

}  // namespace assay
