// Concurrent calls, which `hello` declares as
// supported; run with the thread sanitizer.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "harness/protocol/json.hpp"
#include "harness/subject/answer.hpp"
#include "harness/subject/link/link.hpp"
#include "reference/subject/reference_subject.hpp"

namespace assay::reference {
namespace {

constexpr int kThreads = 3;
constexpr int kRounds = 40;

/// A host without callbacks.
class NoHost final : public Host {
 public:
  Reply call(const std::string&, const std::vector<Value>&, const Fields&) override {
    return Reply::make_unsupported("no callbacks");
  }
};

/// Commands that use names, counters, warnings, devices and both operators. `%` stands for a suffix
/// for each caller.
std::vector<std::string> program(const std::string& mine) {
  std::vector<std::string> lines;
  for (
      std::string line : {
          R"({"do":"core.tensor","with":{"value":{"tensor":{"dtype":"float16","shape":[3],"bits":"3c00 4000 4200"}}},"as":"t%"})",
          R"({"do":"core.to","with":{"tensor":{"ref":"t%"},"dtype":{"dtype":"float32"}},"as":"u%","count":true})",
          R"({"do":"core.add_","with":{"tensor":{"ref":"t%"},"other":1}})",
          R"({"do":"core.read","with":{"tensor":{"ref":"shared"}}})",
          R"({"do":"core.op","with":{"name":"mul","args":[{"ref":"shared"},{"ref":"u%"}]}})",
          R"({"do":"core.set_device","with":{"device":{"device":"cuda:0"}}})",
          R"({"do":"amp.update_scale","with":{"scale":2.0,"tracker":1,"found_inf":0.0,"growth":2.0,"backoff":0.5,"interval":2},"count":true})",
          R"({"do":"amp.unscale","with":{"grads":[{"ref":"t%"}],"found_inf":0.0,"inv_scale":0.5}})",
          R"({"do":"drop","with":{"object":{"ref":"u%"}}})",
          R"({"do":"drop","with":{"object":{"ref":"t%"}}})",
      }) {
    for (auto at = line.find('%'); at != std::string::npos; at = line.find('%')) {
      line.replace(at, 1, mine);
    }
    lines.push_back(line);
  }
  return lines;
}

Command shared_tensor() {
  return command_from_json(
      R"({"do":"core.tensor","with":{"value":{"tensor":{"dtype":"float32","shape":[3],"bits":"3f800000 40000000 40400000"}}},"as":"shared"})");
}

std::string first_failure(Subject& subject, const std::string& mine) {
  NoHost host;
  for (int round = 0; round < kRounds; ++round) {
    for (const std::string& line : program(mine)) {
      const Reply reply = subject.execute(command_from_json(line), host);
      if (!reply.succeeded()) return line + " -> " + to_json(reply);
    }
  }
  return {};
}

TEST(ReferenceThreads, SeveralThreadsUseItAtOnce) {
  const auto subject = make_subject();
  NoHost host;
  ASSERT_TRUE(subject->execute(shared_tensor(), host).succeeded());
  std::vector<std::string> failures(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      failures[static_cast<std::size_t>(i)] = first_failure(*subject, std::to_string(i));
    });
  }

  for (std::thread& thread : threads) thread.join();

  for (const std::string& failure : failures) EXPECT_EQ(failure, "");
}

TEST(ReferenceThreads, BlocksRunTogether) {
  const auto link = connect_in_process(make_subject);
  Command hello;
  hello.verb = "hello";
  ASSERT_TRUE(link->exchange(hello).succeeded());
  ASSERT_TRUE(link->exchange(shared_tensor()).succeeded());
  Command together;
  together.verb = "together";
  together.with = {{"times", kRounds}};
  for (const std::string name : {"main", "a", "b"}) {
    Block block;
    for (const std::string& line : program(name)) block.push_back(command_from_json(line));
    together.threads.emplace_back(name, block);
  }

  const Reply reply = link->exchange(together);

  EXPECT_TRUE(reply.succeeded()) << to_json(reply);
}

}  // namespace
}  // namespace assay::reference
