// Tests of named threads: `on` and `together`.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "harness/protocol/json.hpp"
#include "harness/subject/interpreter.hpp"
#include "harness/subject/toy_subject.hpp"

namespace assay {
namespace {

using Status = Reply::Status;

class NamedThreadsTest : public ::testing::Test {
 protected:
  NamedThreadsTest() { run(command("hello")); }

  Reply run(const Command& wanted) { return interpreter_.execute(wanted); }
  std::int64_t thread_of(const std::string& name) {
    const Reply reply = run(on_thread(name, {command("toy.thread")}));
    return *reply.replies.at(0).ok.find("result")->get_if<std::int64_t>();
  }

  ToySubject subject_;
  Interpreter interpreter_{subject_};
};

Command box(const std::string& as, Value value) {
  return command("toy.box", {{"value", std::move(value)}}, as);
}
Command read(const std::string& name) { return command("toy.read", {{"box", Ref{name}}}); }
Command add(const std::string& name) { return command("toy.add", {{"box", Ref{name}}}); }
Command fail() { return command("toy.throw", {{"what", "error"}}); }

TEST_F(NamedThreadsTest, ANameIsOneThreadForTheWholeSession) {
  const std::int64_t main = thread_of("main");
  const std::int64_t a = thread_of("a");
  const std::int64_t b = thread_of("b");

  EXPECT_NE(a, b);
  EXPECT_NE(a, main);
  EXPECT_EQ(thread_of("a"), a);
  EXPECT_EQ(thread_of("main"), main);
}

TEST_F(NamedThreadsTest, ResetEndsTheThreads) {
  const std::int64_t a = thread_of("a");

  run(command("reset"));

  EXPECT_NE(thread_of("a"), a) << "and with it what the runtime keeps for the thread";
}

TEST_F(NamedThreadsTest, AFailureOnAThreadIsThatOfTheBlock) {
  const Reply reply = run(on_thread("a", {box("x", 1), fail(), read("x")}));

  EXPECT_EQ(reply.error.message, "out of range");
  EXPECT_EQ(reply.replies.size(), 2u);
}

TEST_F(NamedThreadsTest, AThreadThatWaitsFurtherUpIsRefused) {
  const Command inner = on_thread("a", {box("x", 1)});

  EXPECT_EQ(run(on_thread("a", {inner})).status, Status::kOk) << "itself it can be";
  EXPECT_EQ(run(on_thread("a", {on_thread("b", {on_thread("a", {box("y", 1)})})})).reason,
            "thread 'a' waits for this command to end");
  EXPECT_EQ(run(on_thread("a", {on_thread("main", {box("y", 1)})})).reason,
            "thread 'main' waits for this command to end");
}

TEST_F(NamedThreadsTest, ThreadsThatWouldWaitForEachOtherAreRefused) {
  const Block to_b{on_thread("b", {box("x", 1)})};
  const Block to_a{on_thread("a", {box("y", 1)})};

  const Reply reply = run(together_of({{"a", to_b}, {"b", to_a}}, 50));

  EXPECT_EQ(reply.status, Status::kInvalid);
  EXPECT_EQ(subject_.boxes(), 0u);
}

TEST_F(NamedThreadsTest, ThreadsOfATogetherMayUseAThirdOne) {
  run(box("n", 0));
  const Block to_c{on_thread("c", {add("n")})};

  const Reply reply = run(together_of({{"a", to_c}, {"b", to_c}}, 20));

  EXPECT_EQ(reply.status, Status::kOk) << to_json(reply);
  EXPECT_EQ(to_json(*run(read("n")).ok.find("result")), "40");
}

TEST_F(NamedThreadsTest, EachRoundIsObservedAndTheOutcomesAreCounted) {
  run(box("n", 0));
  const Block observe{read("n"), command("toy.add", {{"box", Ref{"n"}}, {"amount", -2}})};

  const Reply reply = run(together_of({{"a", {add("n")}}, {"main", {add("n")}}}, 100, observe));

  EXPECT_EQ(to_json(reply), R"({"ok":{"outcomes":[{"dict":[["seen",[{"dict":[["result",2]]},)"
                            R"({"dict":[["result",0]]}]],["times",100]]}]}})");
}

TEST_F(NamedThreadsTest, NamesOfARoundAreReleasedWhenItEnds) {
  const Reply reply = run(together_of({{"a", {box("x", 1)}}, {"b", {box("y", 2)}}}, 10,
                                      {read("x"), command("toy.boxes"), box("z", 3)}));

  EXPECT_EQ(
      to_json(reply),
      R"({"ok":{"outcomes":[{"dict":[["seen",[{"dict":[["result",1]]},{"dict":[["result",2]]},)"
      R"({"dict":[["result",{"ref":"z"}]]}]],["times",10]]}]}})");
  EXPECT_EQ(subject_.boxes(), 0u);
}

TEST_F(NamedThreadsTest, AFailingThreadStopsTheRounds) {
  run(box("n", 0));

  const Reply reply = run(together_of({{"a", {add("n")}}, {"b", {fail()}}}, 1000));

  EXPECT_EQ(reply.error.message, "out of range");
  EXPECT_EQ(reply.replies.size(), 1u);
  EXPECT_EQ(to_json(*run(read("n")).ok.find("result")), "1");
}

TEST_F(NamedThreadsTest, CallbacksRunOnTheThreadThatCallsThem) {
  Command callback = callback_of("f", {command("toy.thread")});
  run(callback);
  const std::int64_t a = thread_of("a");

  const Reply reply = run(on_thread("a", {command("toy.call", {{"callable", Callable{"f"}}})}));

  EXPECT_EQ(*reply.replies[0].ok.find("result")->get_if<std::int64_t>(), a);
}

TEST_F(NamedThreadsTest, CallbacksInRoundsLeaveNothingBehind) {
  run(callback_of("f", {box("x", 1), read("x")}));
  const Block call{command("toy.call", {{"callable", Callable{"f"}}})};

  const Reply reply =
      run(together_of({{"a", call}, {"b", call}, {"main", call}}, 50, {command("toy.boxes")}));

  EXPECT_EQ(to_json(reply),
            R"({"ok":{"outcomes":[{"dict":[["seen",[{"dict":[["result",3]]}]],["times",50]]}]}})");
  EXPECT_EQ(subject_.boxes(), 0u);
}

TEST(ThreadlessSubjectTest, OtherThreadsAreUnsupportedWhereTheSubjectTakesOne) {
  ToySubject subject(false);
  Interpreter interpreter(subject);
  interpreter.execute(command("hello"));

  EXPECT_EQ(interpreter.execute(on_thread("a", {box("x", 1)})).status, Status::kUnsupported);
  EXPECT_EQ(interpreter.execute(together_of({{"a", {}}}, 1)).status, Status::kUnsupported);
  EXPECT_EQ(interpreter.execute(on_thread("main", {box("x", 1)})).status, Status::kOk);
  EXPECT_EQ(interpreter.execute(together_of({{"main", {read("x")}}}, 2)).status, Status::kOk);
}

// Tests of callbacks on threads started by the subject.

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
