// Extracts processes in a single pass over the text.
#include "harness/report/bench/thin_bench.hpp"

#include <algorithm>
#include <iterator>

#include "harness/report/bench/plain_process.hpp"
#include "harness/report/thin/thinning.hpp"

namespace assay::report {
namespace {

/// Copies the record without the processes.
class WithoutProcesses {
 public:
  explicit WithoutProcesses(std::string_view text) : walk_(text) {}

  ThinBench thinned() {
    walk_.members([&](std::string_view name) {
      if (name != "measurements") return walk_.copy();
      walk_.items([&] { measurement(); });
    });
    walk_.scan.end();
    return {std::move(walk_.rest), std::move(taken_)};
  }

 private:
  void measurement() {
    taken_.emplace_back();
    walk_.members([&](std::string_view name) {
      if (name != "processes") return walk_.copy();
      processes();
    });
  }

  /// Leaves all of them in place if one is not plain.
  void processes() {
    const JsonScanner before = walk_.scan;
    const std::size_t copied = walk_.rest.size();
    try {
      take_processes();
    } catch (const MalformedMessage&) {
      walk_.scan = before;
      walk_.rest.resize(copied);
      taken_.back().clear();
      walk_.copy();
    }
  }

  void take_processes() {
    bool is_first = true;
    walk_.rest += '[';
    walk_.scan.array("processes", [&] {
      if (is_first) {
        walk_.copy();
      } else {
        taken_.back().push_back(plain_process(walk_.scan));
      }
      is_first = false;
    });
    walk_.rest += ']';
  }

  Thinning walk_;
  std::vector<std::vector<BenchProcess>> taken_;
};

}  // namespace

std::optional<ThinBench> without_plain_processes(std::string_view text) {
  try {
    return WithoutProcesses(text).thinned();
  } catch (const MalformedMessage&) {
    return std::nullopt;
  }
}

void put_back(std::vector<std::vector<BenchProcess>> taken,
              std::vector<BenchMeasurement>& measurements) {
  for (std::size_t i = 0; i < measurements.size(); ++i)
    std::ranges::move(taken.at(i), std::back_inserter(measurements[i].processes));
}

}  // namespace assay::report
