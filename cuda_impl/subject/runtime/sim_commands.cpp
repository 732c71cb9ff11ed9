// Area sim: the controls of the simulated runtime; programs for GPUs lack them.
#include <algorithm>
#include <iterator>
#include <sstream>

#include "cuda_impl/core/cuda_check.hpp"
#include "cuda_impl/core/device/current_device.hpp"
#include "cuda_impl/core/error.hpp"
#include "cuda_impl/runtime/cuda_stream.hpp"
#include "cuda_impl/runtime/process.hpp"
#include "cuda_impl/subject/call.hpp"
#include "cuda_impl/subject/runtime/arguments.hpp"
#include "cuda_impl/subject/simulated.hpp"

namespace assay::cuda {
namespace {

constexpr int kMostDevices = 8;

template <typename Texts>
List list_of(const Texts& texts) {
  List list;
  for (const std::string& text : texts) list.items.emplace_back(text);
  return list;
}

std::vector<std::string> lines_of(const char* text) {
  std::vector<std::string> lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.push_back(line);
  return lines;
}

/// Sets the stream's device, to which a default stream handle refers.
template <typename Action>
std::int64_t in_stream(Call& call, const Action& action) {
  const Stream stream = stream_argument(call);
  const int index = stream.device.index;
  const DeviceScope scope(index == -1 ? current_device() : index);
  return action(handle_of(stream));
}

std::vector<std::int64_t> numbers_in(const std::string& line) {
  std::istringstream words(line);
  return {std::istream_iterator<std::int64_t>(words), {}};
}

/// One planned fault in the simulation's text format.
class FaultLine {
 public:
  explicit FaultLine(const Value& item) {
    const auto* const dict = item.get_if<Dict>();
    if (dict == nullptr) throw InvalidArgument("sim.faults: 'plan' is a list of dicts");
    for (const auto& [key, value] : dict->items) read(*key.get_if<std::string>(), value);
  }

  std::string text() const {
    std::ostringstream line;
    line << call_ << ' ' << occurrence_ << ' ' << has_effect_ << ' ' << code_ << ' ' << is_sticky_
         << ' ' << clears_ << ' ' << (thread_.empty() ? "*" : thread_) << '\n';
    return line.str();
  }

 private:
  template <typename T>
  static T as(const std::string& key, const Value& value) {
    if (const T* const found = value.get_if<T>()) return *found;
    throw InvalidArgument("sim.faults: '" + key + "' is of another kind");
  }

  void read(const std::string& key, const Value& value) {
    if (key == "call") {
      call_ = as<std::string>(key, value);
    } else if (key == "occurrence") {
      occurrence_ = as<std::int64_t>(key, value);
    } else if (key == "after") {
      has_effect_ = as<bool>(key, value);
    } else if (key == "code") {
      code_ = as<std::int64_t>(key, value);
    } else if (key == "sticky") {
      is_sticky_ = as<bool>(key, value);
    } else if (key == "clears") {
      clears_ = as<bool>(key, value);
    } else if (key == "thread") {
      thread_ = as<std::string>(key, value);
    } else {
      throw NotSupported("sim.faults: a failure has no '" + key + "' here");
    }
  }

  std::string call_;
  std::int64_t occurrence_ = 1;
  bool has_effect_ = false;
  std::int64_t code_ = 0;
  bool is_sticky_ = false;
  bool clears_ = false;
  std::string thread_;
};

}  // namespace

void sim_machine(Call& call) {
  constexpr int kAsItIs = -1;
  constexpr int kGreatestAsItIs = 1;
  const int devices = int_argument(call, "devices", kAsItIs);
  if (devices > kMostDevices) throw NotSupported("a machine has eight devices at most");
  assay_cudart_machine(
      devices, int_argument(call, "least", kAsItIs),
      int_argument(call, "greatest", kGreatestAsItIs), call.arguments().integer("memory", kAsItIs),
      int_argument(call, "peers", kAsItIs), call.arguments().boolean("blocking", false) ? 1 : 0);
  assay_cudart_driver(call.arguments().boolean("driver", home().is_cuda()) ? 1 : 0);
}

void sim_schedule(Call& call) {
  const std::vector<std::string> modes{"eager", "lazy", "manual", "random"};
  const std::string mode = call.arguments().text("mode");
  const auto seed = static_cast<std::uint64_t>(call.arguments().integer("seed", 0));
  const auto found = std::ranges::find(modes, mode);
  if (found == modes.end()) throw InvalidArgument("sim.schedule: there is no mode '" + mode + "'");
  assay_cudart_schedule(static_cast<int>(found - modes.begin()), seed);
}

void sim_step(Call& call) {
  const int times = int_argument(call, "times", 1);
  call.result(Value(
      in_stream(call, [&](cudaStream_t stream) { return assay_cudart_step(stream, times); })));
}

void sim_run(Call&) { assay_cudart_run(); }

void sim_pending(Call& call) {
  if (!call.has("stream")) return call.result(Value(assay_cudart_pending()));
  call.result(Value(in_stream(call, assay_cudart_pending_in)));
}

void sim_now(Call& call) { call.result(Value(assay_cudart_now_ns())); }
void sim_advance(Call& call) { assay_cudart_advance_ns(call.arguments().integer("ns")); }

void sim_permitted(Call& call) {
  const std::string text = assay_cudart_permitted(call.arguments().text("program").c_str());
  if (text.starts_with("error: ")) throw InvalidArgument("sim.permitted" + text.substr(5));
  const std::vector<std::string> lines = lines_of(text.c_str());
  List outcomes;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    List outcome;
    for (const std::int64_t value : numbers_in(lines[i])) outcome.items.emplace_back(value);
    outcomes.items.emplace_back(std::move(outcome));
  }
  const std::vector<std::int64_t> sums = numbers_in(lines[0]);
  call.set("outcomes", std::move(outcomes));
  call.set("states", sums[0]);
  call.set("hangs", sums[1] != 0);
}

void sim_log(Call& call) {
  const std::string level = call.arguments().text("level", "driver");
  if (level == "driver") return call.result(list_of(lines_of(assay_cudart_log())));
  if (level == "backend") return call.result(list_of(take_log(LogLevel::kBackend)));
  if (level == "trace") return call.result(list_of(take_log(LogLevel::kTrace)));
  throw InvalidArgument("sim.log: there is no level '" + level + "'");
}

void sim_faults(Call& call) {
  std::string plan;
  for (const Value& item : call.arguments().items("plan")) plan += FaultLine(item).text();
  assay_cudart_faults(plan.c_str());
}

void sim_live(Call& call) {
  int kind = 0;
  for (const char* const name : {"streams", "events", "device_blocks", "host_blocks"}) {
    call.set(name, assay_cudart_live(kind++));
  }
}

void sim_contexts(Call& call) {
  List list;
  for (int device = 0; device < kMostDevices; ++device) {
    if (assay_cudart_has_context(device) != 0) list.items.emplace_back(device);
  }
  call.result(Value(list));
}

void sim_counter(Call& call) {
  const Device device = call.device("device");
  const auto value = static_cast<std::uint32_t>(call.arguments().integer("value"));
  set_pool_counter(device.index, int_argument(call, "level", 0), value);
}

}  // namespace assay::cuda
