// Measures commands per second: in this process and over a pipe, one by one and in blocks of
// 1000. `waist-speed [program ...]` measures that program.
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "harness/subject/arguments.hpp"
#include "harness/subject/link/link.hpp"
#include "harness/subject/serve.hpp"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kBlock = 1000;
constexpr std::chrono::seconds kLongEnough{1};

/// Answers amp.update_scale with minimal work, so that only the protocol is measured.
class Echo final : public Subject {
 public:
  Reply execute(const Command& command, Host&) override {
    if (command.verb == "hello") return Reply::make_ok({{"threads", false}});
    Arguments arguments(command);
    const double scale = arguments.real("scale");
    const std::int64_t tracker = arguments.integer("tracker");
    const double found_inf = arguments.real("found_inf");
    const double growth = arguments.real("growth");
    arguments.real("backoff");
    arguments.integer("interval");
    arguments.done();
    return Reply::make_ok({{"scale", scale * growth},
                           {"tracker", tracker},
                           {"found_inf", found_inf},
                           {"same", true}});
  }
};

Command update_scale() {
  Command command;
  command.verb = "amp.update_scale";
  command.with = {{"scale", 65536.0}, {"tracker", 1999}, {"found_inf", 0.0},
                  {"growth", 2.0},    {"backoff", 0.5},  {"interval", 2000}};
  return command;
}

Command block_of(const Command& command) {
  Command scope;
  scope.verb = "scope";
  scope.body.assign(kBlock, command);
  return scope;
}

/// Repeats `command` for some time; throws if a reply is not `ok`.
double exchanges_per_second(Link& link, Command command) {
  const auto begin = Clock::now();
  std::int64_t count = 0;
  while (Clock::now() - begin < kLongEnough) {
    command.id = ++count;
    const Reply reply = link.exchange(command);
    if (!reply.succeeded())
      throw std::runtime_error("a command failed: " + reply.error.message + reply.reason);
  }
  return static_cast<double>(count) / std::chrono::duration<double>(Clock::now() - begin).count();
}

void measure(const char* name, Link& link) {
  const double singly = exchanges_per_second(link, update_scale());
  const double in_blocks =
      static_cast<double>(kBlock) * exchanges_per_second(link, block_of(update_scale()));
  std::printf("%-12s %9.0f commands/s singly, %9.0f in blocks of %d\n", name, singly, in_blocks,
              static_cast<int>(kBlock));
}

int run(const std::string& self, std::vector<std::string> program) {
  if (program.empty()) {
    measure("in process", *connect_in_process([] { return std::make_unique<Echo>(); }));
    program = {self, "--serve"};
  }
  measure("over a pipe", *connect_process({.argv = std::move(program)}));
  return 0;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words == std::vector<std::string>{"--serve"}) {
      assay::Echo echo;
      return assay::serve(echo);
    }
    return assay::run("/proc/self/exe", words);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "waist-speed: %s\n", failure.what());
    return 1;
  }
}
