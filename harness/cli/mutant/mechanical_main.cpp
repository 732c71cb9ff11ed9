// The reference with one mechanical mutant enabled, of those that scripts/power has made.
#include <sys/resource.h>

#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

#include "harness/cli/mutant/reached.hpp"
#include "harness/subject/serve.hpp"
#include "harness/suite/faults.hpp"
#include "reference/subject/reference_subject.hpp"

namespace assay {
namespace {

/// Also says which functions were called.
class Watched final : public Subject {
 public:
  explicit Watched(std::unique_ptr<Subject> subject) : subject_(std::move(subject)) {}

  Reply execute(const Command& command, Host& host) override {
    if (command.verb != kAsksReached) return subject_->execute(command, host);
    List called;
    for (std::size_t i = 0; i < mutant::kMostFunctions; ++i) {
      const bool was_called = mutant::reached[i].exchange(false, std::memory_order_relaxed);
      if (was_called) called.items.emplace_back(static_cast<std::int64_t>(i));
    }
    Fields fields;
    fields.set("result", Value(std::move(called)));
    return Reply::make_ok(std::move(fields));
  }

 private:
  std::unique_ptr<Subject> subject_;
};

/// A mutant may allocate without end.
void limit_memory() {
  constexpr rlim_t kMost = rlim_t{4} << 30;
  const rlimit limit{kMost, kMost};
  setrlimit(RLIMIT_AS, &limit);
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s <mutant> | --none\n", argv[0]);
    return 2;
  }
  assay::limit_memory();
  if (std::string_view(argv[1]) != assay::kNoFault) assay::mutant::plant(argv[1]);
  assay::Watched subject(assay::reference::make_subject());
  return assay::serve(subject);
}
