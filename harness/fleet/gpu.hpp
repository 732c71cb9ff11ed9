// What the records of a fleet say of each GPU.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/archive/entry.hpp"

namespace assay::fleet {

/// What a quantity depends on. The order is that of all outputs.
enum class Family : std::uint8_t {
  kMemory,     ///< kernels and copies that are larger than caches
  kKernels,    ///< shorter ones
  kLaunches,   ///< the host's way to the GPU
  kTransfers,  ///< copies between host and device
  kClock,      ///< the clock itself
};
inline constexpr std::size_t kFamilies = 5;
std::string_view name_of(Family family);

/// A quantity of one GPU.
struct Row {
  Family family = Family::kKernels;
  std::string name;     ///< `device/copy/N=1024/l2=hot`
  std::string subject;  ///< its own name
  /// The process and the logarithm of its time.
  std::vector<std::pair<std::int64_t, double>> rounds;
  std::optional<double> floor;  ///< in units of this GPU's own floor
  std::string floor_unit;       ///< `launches`
  std::optional<double> roof;   ///< bandwidth, as a share of this GPU's largest copy
};

/// A case, or a loop of a bench, that did not give the right result each time.
struct Red {
  std::size_t times = 0;  ///< repetitions
  std::size_t wrong = 0;  ///< with other bits than demanded
  std::size_t dead = 0;   ///< without an answer: crashed, timed out
  std::string sentence;
};

struct Gpu {
  std::string id;     ///< its UUID; otherwise the user's name for it, or the file's
  std::string label;  ///< `node17 gpu 3`; without a record of a run, the name of its file
  std::string model;
  std::map<std::string, std::string> settings;  ///< `ECC`: `on`; without what is unknown
  std::string method;                           ///< the build that measured it, and how
  bool mig = false;
  bool synthetic = false;
  std::size_t runs = 0, benches = 0;
  std::vector<std::string> files;
  std::map<std::string, Red> red;
  std::map<std::string, Row> rows;
  std::vector<std::pair<std::int64_t, double>> clocks;  ///< of processes, logarithms of MHz
  std::set<std::string> throttled_by;
  std::optional<double> null_call_ns;
  std::string started;  ///< of the newest record
};

/// All GPUs, and how often each case ran on any of them.
struct Fleet {
  std::vector<Gpu> gpus;  ///< by label, then by id, with numbers in numeric order
  std::map<std::string, std::size_t> times;
  std::size_t unnamed = 0;  ///< known by their file only
};

/// Which GPU a record is of, if the record does not know.
struct Names {
  /// Globs on paths of files and the names of their GPUs; the first that matches counts.
  std::vector<std::pair<std::string, std::string>> by_file;
};

/// Collects records. A record that is there twice counts once.
class Gatherer {
 public:
  explicit Gatherer(Names names) : names_(std::move(names)) {}

  /// `position` counts the records of one file, from 0. `label` is that of an archive, or empty.
  void add(const archive::Entry& entry, std::size_t position, const std::string& label);
  /// Throws UsageError if imaginary and real numbers are mixed.
  Fleet done();

 private:
  struct Known;
  Gpu& gpu_of(const archive::Entry& entry, std::size_t position, const std::string& label);
  void add_run(const report::RunRecord& run, Gpu& gpu);
  void add_bench(const report::BenchRecord& bench, Gpu& gpu);

  Names names_;
  std::set<std::string> hashes_;
  std::map<std::string, Gpu> gpus_;
  std::map<std::string, std::size_t> times_;
  std::set<std::string> unnamed_;
};

}  // namespace assay::fleet
