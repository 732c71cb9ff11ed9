// Explores depth-first. A machine cannot be copied, so each alternative begins a run again.
#include "cuda_impl/on_cpu/cudart/litmus/explore.hpp"

#include <unordered_set>
#include <utility>

#include "cuda_impl/on_cpu/cudart/litmus/run.hpp"

namespace assay::cuda::on_cpu::litmus {
namespace {

class Explorer {
 public:
  explicit Explorer(const Program& program) : program_(program) {}

  Outcomes explore() {
    alternatives_.emplace_back();
    while (!alternatives_.empty()) {
      const Path path = std::move(alternatives_.back());
      alternatives_.pop_back();
      follow(path);
    }
    return std::move(found_);
  }

 private:
  using Path = std::vector<Action>;

  void follow(Path path) {
    Run run(program_);
    for (const Action action : path) run.take(action);
    while (true) {
      while (const std::optional<Action> action = run.certain()) {
        run.take(*action);
        path.push_back(*action);
      }
      if (!known_.insert(run.state()).second) return;
      found_.states += 1;
      const std::vector<Action> possible = run.possible();
      if (possible.empty()) return end(run);
      for (std::size_t i = 1; i < possible.size(); ++i) {
        alternatives_.push_back(path);
        alternatives_.back().push_back(possible[i]);
      }
      run.take(possible[0]);
      path.push_back(possible[0]);
    }
  }

  void end(const Run& run) {
    if (run.is_over()) {
      found_.observed.insert(run.observed());
    } else {
      found_.hangs = true;
    }
  }

  const Program& program_;
  std::vector<Path> alternatives_;
  std::unordered_set<std::string> known_;
  Outcomes found_;
};

}  // namespace

Outcomes explore(const Program& program) { return Explorer(program).explore(); }

}  // namespace assay::cuda::on_cpu::litmus
