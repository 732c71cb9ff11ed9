// The record of a measurement of costs: plain data, described by results/schema/bench-1.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "harness/report/bench/device.hpp"

namespace assay::report {

/// The interval of a median over processes.
struct BenchInterval {
  double low = 0;
  double high = 0;
  double confidence = 0;
};

/// One number for each process, and their median.
struct BenchFigure {
  double center = 0;
  std::optional<BenchInterval> interval;  ///< only with enough processes
  std::vector<double> medians;
};

/// The build of the program that ran the loops.
struct BenchBuild {
  std::string tool;      ///< version of assay
  std::string revision;  ///< of git; `unknown` outside a checkout
  bool dirty = false;    ///< the checkout had changes
  std::string build_type;
  std::string compiler;
  std::string flags;
  std::optional<std::string> program = {};  ///< the linker's build id of its file
};

struct BenchMeta {
  std::vector<std::string> argv;
  std::string started;  ///< `2026-11-21T11:00:00Z`
  double seconds = 0;
  std::uint64_t seed = 0;
  bool quick = false;
  bool complete = false;
  bool interrupted = false;
  std::int64_t processes = 0;  ///< planned number per subject
  double min_time_ns = 0;      ///< minimum duration of a sample
  std::int64_t samples = 0;    ///< planned number per case and process
  /// The maximum number of looks at whether the run may end; each look is a chance to err.
  std::optional<std::int64_t> looks = {};
  /// `activity` if a profiler measured the device's times; events measure them otherwise.
  std::optional<std::string> device_clock = {};
  /// True if each process's times were held against the harness's own clock.
  std::optional<bool> audited = {};
  BenchBuild build;
  int exit_code = 0;
  std::string line;  ///< the verdict as it was printed
};

struct BenchEnvironment {
  std::string machine;  ///< a description without private names
  std::string cpu;
  std::int64_t cores = 0;
  std::string kernel;
  std::string virtualization;           ///< `none`, `kvm`, …; `unknown`
  std::optional<std::string> governor;  ///< governor of the CPU's clock
  std::optional<bool> smt;
  std::optional<bool> aslr;
  std::optional<double> load_start;  ///< average over a minute
  std::optional<double> load_end;
  std::string driver;  ///< GPU driver; empty if there is none
  std::vector<BenchDevice> devices;
};

/// The overhead of measuring on this machine.
struct BenchCalibration {
  std::optional<BenchFigure> timer_cost_ns;
  std::optional<BenchFigure> timer_resolution_ns;
  std::optional<BenchFigure> empty_loop_ns;
  std::optional<BenchFigure> null_call_ns;  ///< a call through a function pointer
};

struct BenchSubject {
  std::string id;       ///< unique in the record
  std::string subject;  ///< as typed
  std::string name;
  std::string version;
  std::string contract;
  std::optional<std::string> via;      ///< `c++` or `python`; nothing if it timed nothing
  std::optional<std::string> copy_of;  ///< the id of the subject that it copies
  std::optional<BenchBuild> build;     ///< if it differs from the record's build
};

using BenchAxes = std::vector<std::pair<std::string, std::variant<std::int64_t, std::string>>>;

/// The measurements of one process.
struct BenchProcess {
  std::int64_t index = 0;       ///< the round
  std::int64_t order = 0;       ///< position among all processes of the run
  double median = 0;            ///< median of the samples
  std::vector<double> samples;  ///< one iteration each
  std::int64_t iterations = 0;  ///< per sample
  bool checksum_ok = false;
  std::optional<double> load;                     ///< one-minute average, afterwards
  std::optional<double> null_call_ns;             ///< in the same process
  std::optional<std::int64_t> sm_clock_mhz = {};  ///< the first GPU's clock: the median of these
  std::optional<std::vector<std::int64_t>> sm_clocks_mhz = {};  ///< one per sample
  /// If the subjects took their samples in turns: the time of this one, with the speed of the
  /// machine in each turn taken out, as a multiple of the subjects' geometric mean.
  std::optional<double> relative = {};
  std::optional<std::string> throttled_by = {};  ///< `power, heat`: reasons for throttling
  /// If the run was audited: how long the harness waited for an iteration, by its own clock.
  std::optional<double> waited_ns = {};
};

/// The value by which a process is compared with one of another subject in the same round.
inline double value_beside(const BenchProcess& process, const BenchProcess& other) {
  return process.relative && other.relative ? *process.relative : process.median;
}

/// The duration of an iteration in null calls, process by process.
struct BenchMultiple {
  double center = 0;
  std::optional<BenchInterval> interval;
};

enum class BenchStatus : std::uint8_t {
  kMeasured,
  kUnsupported,  ///< the subject does not support it
  kFailed,       ///< wrong or dead, in any process
  kSimulated,    ///< ran on a simulated device
  kNotRun,       ///< the run ended before it
};

std::string_view name_of(BenchStatus status);

/// One case on one subject.
struct BenchMeasurement {
  std::string case_name;  ///< `dispatch/typed`
  BenchAxes axes;
  std::string quantity;  ///< `host.dispatch_ns`
  std::string unit;
  std::optional<std::int64_t> bytes;  ///< memory read and written per iteration
  std::string better;                 ///< `lower` or `higher`
  bool exact = false;  ///< a count, which is the same every time unless a warning says otherwise
  std::string subject;
  bool checked = false;
  BenchStatus status = BenchStatus::kNotRun;
  std::optional<std::string> reason;  ///< set unless measured
  std::optional<double> center;       ///< set only if measured
  std::optional<BenchInterval> interval;
  std::optional<BenchMultiple> null_calls;
  std::vector<BenchProcess> processes;
};

/// The case whose bandwidth is the roof for all others: a copy.
inline constexpr std::string_view kRoofCase = "device/copy";

/// Bytes per nanosecond, which are GB/s; nothing if bytes or time are unknown.
std::optional<double> bandwidth_of(const BenchMeasurement& measurement);

/// Between host and device memory: the roof of either memory does not apply.
bool is_between_memories(const BenchMeasurement& measurement);

/// `dispatch/typed/tensors=1`
std::string full_name(std::string_view case_name, const BenchAxes& axes);

/// A subject and its copy, on one case.
struct BenchPair {
  std::string case_name;
  BenchAxes axes;
  std::string quantity;
  std::string subject;
  std::string copy;
  double ratio = 0;  ///< the copy divided by the subject
};

/// The measured difference between identical programs.
struct BenchNoiseFloor {
  double relative = 0;
  std::vector<BenchPair> pairs;
};

/// The kind of warning of imported records: their loops were not checked.
inline constexpr std::string_view kImported = "imported";

struct BenchWarning {
  std::string kind;
  std::string text;
};

/// The progress of an interrupted bench, from which `--resume` continues.
struct BenchDone {
  std::int64_t rounds = 0;      ///< number of complete rounds
  std::int64_t started = 0;     ///< workers started in these rounds
  std::int64_t calibrated = 0;  ///< calibrated workers, the size of each calibration figure
};

struct BenchRecord {
  bool synthetic = false;
  BenchMeta meta;
  BenchEnvironment environment;
  BenchCalibration calibration;
  std::vector<BenchSubject> subjects;
  std::vector<BenchMeasurement> measurements;
  std::optional<BenchNoiseFloor> noise_floor;
  std::vector<BenchWarning> warnings;
  std::optional<BenchDone> done;  ///< set if times are incomplete
};

/// The subject's largest copy, which exceeds all caches; null if there is none.
const BenchMeasurement* roof_of(const BenchRecord& record, std::string_view subject);

/// Its bandwidth divided by that of the subject's roof; nothing if either is unknown or the roof
/// does not apply.
std::optional<double> share_of_roof(const BenchRecord& record, const BenchMeasurement& measurement);

/// The subject's launch of a single-thread kernel, on the default stream if there are several; null
/// if not measured.
const BenchMeasurement* null_launch_of(const BenchRecord& record, std::string_view subject);

/// A lower bound for measurements of this kind, as measured on this machine.
struct BenchFloor {
  double multiple = 0;    ///< the measurement divided by the floor
  const char* unit = "";  ///< `launches`, `event pairs`
};

/// An empty launch for launches, an empty pair of events for device times; nothing if it was not
/// measured or is the measurement itself. For calls, the bound is `null_calls`.
std::optional<BenchFloor> floor_of(const BenchRecord& record, const BenchMeasurement& measurement);

/// What an audited run says of its times.
inline constexpr std::string_view kAudited =
    "audited: every time was held against the harness's own clock, in batches from unknown seeds";

/// True if another tool measured it, so that its loops were not checked.
bool is_imported(const BenchRecord& record);

/// True if every number is the same in each process, so that one process is sufficient.
bool has_counts_only(const BenchRecord& record);

/// Indented JSON with a final line break. Throws std::logic_error if the record cannot be
/// represented, for instance because of a non-finite number.
std::string to_json(const BenchRecord& record);

/// Parses a record. Throws std::runtime_error, with the position and what was expected, if the text
/// does not follow the schema.
BenchRecord bench_from_json(std::string_view text);

/// As text: the machine and its measuring overhead, one line per measurement with interval and
/// number of processes, the noise floor, and the warnings.
std::string to_text(const BenchRecord& record);

/// The same as Markdown, with the verdict first.
std::string to_markdown(const BenchRecord& record);

}  // namespace assay::report
