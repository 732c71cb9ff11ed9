// Extracts processes in a single pass over the text.
#include "harness/report/bench/thin_bench.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "harness/protocol/json_scan.hpp"
#include "harness/report/bench/record.hpp"
#include "harness/report/thin/thinning.hpp"

namespace assay::report {
namespace {

// Reads a process from a record's text without building a tree, because samples are most of the
// text of a bench record.

/// Required members come first.
constexpr std::array<std::string_view, 13> kMembers{
    "index",       "order",        "median",       "samples",      "iterations",
    "checksum_ok", "load",         "null_call_ns", "sm_clock_mhz", "sm_clocks_mhz",
    "relative",    "throttled_by", "waited_ns"};
constexpr std::size_t kRequired = 8;

class Reader {
 public:
  explicit Reader(JsonScanner& scan) : scan_(scan) {}

  BenchProcess read() {
    PlainMembers members(kMembers);
    scan_.object("a process", [&](std::string_view name) { member(members.take(name)); });
    require(members.has_first(kRequired));
    return std::move(process_);
  }

 private:
  void member(std::size_t place) {
    switch (place) {
      case 0:
        process_.index = count(0);
        return;
      case 1:
        process_.order = count(0);
        return;
      case 2:
        process_.median = positive();
        return;
      case 3:
        scan_.array("samples", [&] { process_.samples.push_back(positive()); });
        return require(!process_.samples.empty());
      case 4:
        process_.iterations = count(1);
        return;
      case 5:
        process_.checksum_ok = scan_.boolean("checksum_ok");
        return;
      default:
        return member_or_null(place);
    }
  }

  void member_or_null(std::size_t place) {
    require(place < kMembers.size());
    if (scan_.peek() == 'n') return scan_.null();
    switch (place) {
      case 6:
        process_.load = positive();
        return;
      case 7:
        process_.null_call_ns = positive();
        return;
      case 8:
        process_.sm_clock_mhz = count(0);
        return;
      case 9:
        process_.sm_clocks_mhz.emplace();
        scan_.array("clocks", [&] { process_.sm_clocks_mhz->push_back(count(0)); });
        return require(!process_.sm_clocks_mhz->empty());
      case 10:
        process_.relative = positive();
        return require(*process_.relative > 0);
      case 11:
        process_.throttled_by = scan_.text("throttled_by");
        return;
      default:
        process_.waited_ns = positive();
    }
  }

  std::int64_t count(std::int64_t least) {
    const std::int64_t value = scan_.integer("a count");
    require(value >= least);
    return value;
  }

  double positive() {
    const double value =
        std::visit([](auto number) { return static_cast<double>(number); }, scan_.number());
    require(value >= 0);
    return value;
  }

  /// Invalid input is left to the reader that builds a tree.
  static void require(bool holds) {
    if (!holds) JsonScanner::malformed("it may break the schema");
  }

  JsonScanner& scan_;
  BenchProcess process_;
};

/// Throws MalformedMessage if the text may violate the schema, or contains unknown members, which
/// are left to the other reader.
BenchProcess plain_process(JsonScanner& scan) { return Reader(scan).read(); }

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
