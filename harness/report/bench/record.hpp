// What is kept of a measurement of costs: plain data, as results/schema/bench-1.json describes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace assay::report {

/// Of a median over processes.
struct BenchInterval {
  double low = 0;
  double high = 0;
  double confidence = 0;
};

/// One number for each process, and their median.
struct BenchFigure {
  double center = 0;
  std::optional<BenchInterval> interval;  ///< only of enough processes
  std::vector<double> medians;
};

/// The program that looped.
struct BenchBuild {
  std::string tool;      ///< version of assay
  std::string revision;  ///< of git; `unknown` outside a checkout
  bool dirty = false;    ///< the checkout had changes
  std::string build_type;
  std::string compiler;
  std::string flags;
  std::optional<std::string> program = {};  ///< the linker's id of its file
};

struct BenchMeta {
  std::vector<std::string> argv;
  std::string started;  ///< `2026-11-21T11:00:00Z`
  double seconds = 0;
  std::uint64_t seed = 0;
  bool quick = false;
  bool complete = false;
  bool interrupted = false;
  std::int64_t processes = 0;  ///< planned, of each subject
  double min_time_ns = 0;      ///< of a sample
  std::int64_t samples = 0;    ///< planned, of each case in a process
  /// How often it was asked whether the run may end, at most: each is a chance to err.
  std::optional<std::int64_t> looks = {};
  BenchBuild build;
  int exit_code = 0;
  std::string line;  ///< the verdict as it was printed
};

/// What is not told is missing.
struct BenchDevice {
  std::string name;
  std::optional<std::int64_t> most_sm_clock_mhz = {};
  std::optional<bool> ecc = {};
  std::optional<bool> mig = {};
  std::optional<bool> persistence = {};
};

struct BenchEnvironment {
  std::string machine;  ///< a description without private names
  std::string cpu;
  std::int64_t cores = 0;
  std::string kernel;
  std::string virtualization;           ///< `none`, `kvm`, …; `unknown`
  std::optional<std::string> governor;  ///< of the CPU's clock
  std::optional<bool> smt;
  std::optional<bool> aslr;
  std::optional<double> load_start;  ///< average over a minute
  std::optional<double> load_end;
  std::string driver;  ///< of the GPU; empty where there is none
  std::vector<BenchDevice> devices;
};

/// What measuring itself costs on this machine.
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
  std::optional<std::string> via;      ///< `c++` or `python`; nothing where it timed nothing
  std::optional<std::string> copy_of;  ///< the id that this one repeats
  std::optional<BenchBuild> build;     ///< of another build than that of the record
};

using BenchAxes = std::vector<std::pair<std::string, std::variant<std::int64_t, std::string>>>;

/// What one process gave.
struct BenchProcess {
  std::int64_t index = 0;       ///< the round
  std::int64_t order = 0;       ///< among all processes of the run
  double median = 0;            ///< of the samples
  std::vector<double> samples;  ///< of one iteration each
  std::int64_t iterations = 0;  ///< of a sample
  bool checksum_ok = false;
  std::optional<double> load;                     ///< average over a minute, afterwards
  std::optional<double> null_call_ns;             ///< in the same process
  std::optional<std::int64_t> sm_clock_mhz = {};  ///< of the first GPU: the median of these
  std::optional<std::vector<std::int64_t>> sm_clocks_mhz = {};  ///< behind each sample
  std::optional<std::string> throttled_by = {};  ///< `power, heat`: what held GPUs back then
};

/// How many null calls one iteration lasts, process by process.
struct BenchMultiple {
  double center = 0;
  std::optional<BenchInterval> interval;
};

enum class BenchStatus : std::uint8_t {
  kMeasured,
  kUnsupported,  ///< the subject does not have it
  kFailed,       ///< wrong, or dead, in any process
  kSimulated,    ///< it ran, on a device that is not real
  kNotRun,       ///< the run ended before
};

std::string_view name_of(BenchStatus status);

/// One case of one subject.
struct BenchMeasurement {
  std::string case_name;  ///< `dispatch/typed`
  BenchAxes axes;
  std::string quantity;  ///< `host.dispatch_ns`
  std::string unit;
  std::optional<std::int64_t> bytes;  ///< of memory that an iteration reads and writes
  std::string better;                 ///< `lower` or `higher`
  bool exact = false;  ///< a count: the same number every time, unless a warning says otherwise
  std::string subject;
  bool checked = false;
  BenchStatus status = BenchStatus::kNotRun;
  std::optional<std::string> reason;  ///< unless measured
  std::optional<double> center;       ///< only of what was measured
  std::optional<BenchInterval> interval;
  std::optional<BenchMultiple> null_calls;
  std::vector<BenchProcess> processes;
};

/// The case whose bandwidth is the roof of all others: a copy.
inline constexpr std::string_view kRoofCase = "device/copy";

/// Bytes a nanosecond, which are GB/s; nothing where no bytes or no time are known.
std::optional<double> bandwidth_of(const BenchMeasurement& measurement);

/// Between memory of the host and of the device: no roof of either memory says how fast it can be.
bool is_between_memories(const BenchMeasurement& measurement);

/// `dispatch/typed/tensors=1`
std::string full_name(std::string_view case_name, const BenchAxes& axes);

/// A subject beside its copy, on one case.
struct BenchPair {
  std::string case_name;
  BenchAxes axes;
  std::string quantity;
  std::string subject;
  std::string copy;
  double ratio = 0;  ///< of the copy to the subject
};

/// By how much identical programs differed.
struct BenchNoiseFloor {
  double relative = 0;
  std::vector<BenchPair> pairs;
};

/// The kind of warning that a record of another tool has: nothing checked its loops.
inline constexpr std::string_view kImported = "imported";

struct BenchWarning {
  std::string kind;
  std::string text;
};

/// How far a bench came that ended before its time: `--resume` goes on from there.
struct BenchDone {
  std::int64_t rounds = 0;      ///< that are complete
  std::int64_t started = 0;     ///< workers in them
  std::int64_t calibrated = 0;  ///< of these; each has a number in every figure of the calibration
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
  std::optional<BenchDone> done;  ///< of times that are not complete
};

/// The largest copy of the subject, which no cache holds; null where none was measured.
const BenchMeasurement* roof_of(const BenchRecord& record, std::string_view subject);

/// Its bandwidth over that of the subject's roof; nothing where either is not known, or the roof is
/// none of its own.
std::optional<double> share_of_roof(const BenchRecord& record, const BenchMeasurement& measurement);

/// The subject's launch of a kernel of one thread, on the default stream where there are several;
/// null where none was measured.
const BenchMeasurement* null_launch_of(const BenchRecord& record, std::string_view subject);

/// What nothing of this kind can be faster than, as this machine has measured it.
struct BenchFloor {
  double multiple = 0;    ///< how often the floor fits into the measurement
  const char* unit = "";  ///< `launches`, `event pairs`
};

/// Of launches a launch of nothing, of a device's time two events with nothing between them;
/// nothing where it was not measured, or is the measurement itself. Of calls it is `null_calls`.
std::optional<BenchFloor> floor_of(const BenchRecord& record, const BenchMeasurement& measurement);

/// Another tool has measured it: its loops were not checked.
bool is_imported(const BenchRecord& record);

/// Every number is the same in each process: one is as good as many.
bool has_counts_only(const BenchRecord& record);

/// Indented JSON with a line break at the end. Throws std::logic_error when the record cannot be
/// written so: a number that is not finite, for instance.
std::string to_json(const BenchRecord& record);

/// The record that `text` is. Throws std::runtime_error, with the place in the text and what was
/// expected there, when it does not keep to the schema.
BenchRecord bench_from_json(std::string_view text);

/// For people: the machine and what measuring costs on it, a line a measurement with its interval
/// and number of processes, the noise floor, and the warnings.
std::string to_text(const BenchRecord& record);

/// The same as a page for people, with the verdict first.
std::string to_markdown(const BenchRecord& record);

}  // namespace assay::report
