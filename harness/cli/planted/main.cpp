// The reference with an artificial slowdown, which `assay compare` and `assay gate` must detect.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>

#include "harness/subject/serve.hpp"
#include "reference/subject/reference_subject.hpp"

namespace {

using namespace assay;

/// Work that the compiler cannot remove: each step depends on the one before.
void work(std::int64_t steps) {
  static volatile std::uint64_t kept = 0;
  std::uint64_t state = kept;
  for (std::int64_t i = 0; i < steps; ++i) state = state * 6364136223846793005U + 1;
  kept = state;
}

/// Does additional work after each batch, for every iteration, and adds its time to the reply.
class Planted final : public Subject {
 public:
  Planted(std::unique_ptr<Subject> subject, std::int64_t steps)
      : subject_(std::move(subject)), steps_(steps) {}

  Reply execute(const Command& command, Host& host) override {
    Reply reply = subject_->execute(command, host);
    if (command.verb != "bench.run" || !reply.succeeded()) return reply;
    const std::int64_t times = *command.with.find("n")->get_if<std::int64_t>();
    const auto begin = std::chrono::steady_clock::now();
    work(steps_ * times);
    const std::chrono::nanoseconds more = std::chrono::steady_clock::now() - begin;
    reply.ok.set("ns", *reply.ok.find("ns")->get_if<std::int64_t>() + more.count());
    return reply;
  }

 private:
  std::unique_ptr<Subject> subject_;
  std::int64_t steps_;
};

}  // namespace

/// The steps are read from a file, so that the command line, and thus the subject, stays the same.
int main(int argc, char** argv) {
  std::int64_t steps = -1;
  if (argc == 2) std::ifstream(argv[1]) >> steps;
  if (steps < 0) {
    std::fputs("usage: assay-planted <file with the number of steps for each iteration>\n", stderr);
    return 2;
  }
  Planted subject(reference::make_subject(), steps);
  return serve(subject);
}
