// Tests of callbacks on threads started by the subject.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "harness/protocol/json.hpp"
#include "harness/subject/interpreter.hpp"
#include "harness/subject/toy_subject.hpp"

namespace assay {
namespace {

/// A toy that can pause in the middle of a block until it is released.
class StoppingSubject final : public Subject {
 public:
  Reply execute(const Command& command, Host& host) override {
    if (command.verb != "stop") return toy_.execute(command, host);
    stopped.set_value();
    goes_on.get_future().wait();
    return Reply::make_ok();
  }

  std::promise<void> stopped;
  std::promise<void> goes_on;

 private:
  ToySubject toy_;
};

Command define(const std::string& name, Block body) {
  Command made = command("callback", {}, name);
  made.body = std::move(body);
  return made;
}

std::int64_t boxes(Interpreter& interpreter) {
  return *interpreter.execute(command("toy.boxes")).ok.find("result")->get_if<std::int64_t>();
}

TEST(OwnThreadsTest, ACommandThatEndsMeanwhileLeavesTheNamesOfACallback) {
  StoppingSubject subject;
  Interpreter interpreter(subject);
  interpreter.execute(define("f", {command("toy.box", {{"value", 5}}, "x"), command("stop"),
                                   command("toy.read", {{"box", Ref{"x"}}})}));
  Reply reply;
  std::thread own([&] { reply = interpreter.call("f", {}, {}); });
  subject.stopped.get_future().wait();

  interpreter.execute(command("value", {{"value", 1}}));
  subject.goes_on.set_value();
  own.join();

  ASSERT_TRUE(reply.succeeded()) << reply.reason;
  EXPECT_EQ(to_json(*reply.ok.find("result")), "5");
}

TEST(OwnThreadsTest, TheNamesGoWithTheNextCommandAfterTheCallback) {
  ToySubject subject;
  Interpreter interpreter(subject);
  interpreter.execute(define("f", {command("toy.box", {{"value", 5}}, "x")}));
  std::thread([&] { interpreter.call("f", {}, {}); }).join();

  const std::int64_t before = boxes(interpreter);

  EXPECT_EQ(before, 1);
  EXPECT_EQ(boxes(interpreter), 0);
}

TEST(OwnThreadsTest, SeveralMayCallAtOnceWhileCommandsCome) {
  ToySubject subject;
  Interpreter interpreter(subject);
  interpreter.execute(define(
      "f", {command("toy.box", {{"value", 5}}, "x"), command("toy.read", {{"box", Ref{"x"}}})}));
  constexpr int kCalls = 200;
  std::atomic<int> right = 0;
  std::vector<std::thread> own;
  for (int i = 0; i < 3; ++i) {
    own.emplace_back([&] {
      for (int call = 0; call < kCalls; ++call) {
        right += interpreter.call("f", {}, {}).ok.find("result") != nullptr;
      }
    });
  }

  for (int i = 0; i < kCalls; ++i) interpreter.execute(command("value", {{"value", i}}));
  for (std::thread& thread : own) thread.join();

  EXPECT_EQ(right, 3 * kCalls);
}

}  // namespace
}  // namespace assay
