// Reads NVBench's JSON as a record: each file is a process with the median of its samples.
#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <stdexcept>

#include "harness/interchange/imported.hpp"
#include "harness/protocol/tree/json_tree.hpp"

namespace assay::interchange {
namespace {

constexpr double kNanosecondsOfASecond = 1e9;

/// A measurement of NVBench, and the quantity for it.
struct Series {
  const char* tag;
  const char* quantity;
};
/// Single launches with a flushed cache, by the GPU's clock and the host's; batches of launches;
/// and host code only.
constexpr Series kSeries[] = {{"nv/cold/time/gpu", "time.gpu_ns"},
                              {"nv/cold/time/cpu", "time.cpu_ns"},
                              {"nv/batch/time/gpu", "time.gpu_batch_ns"},
                              {"nv/cpu_only/time/cpu", "time.cpu_only_ns"}};

/// A list, which NVBench writes as null if it is empty.
const JsonTree& items_of(const JsonTree& json, const char* name) {
  static const JsonTree kNone = JsonTree::array();
  const JsonTree& list = member_of(json, name);
  return list.is_null() ? kNone : list_in(json, name);
}

/// NVBench writes numbers as strings, so that readers do not round them.
struct NamedValue {
  std::string name, type, value;
};

NamedValue named_value_from(const JsonTree& json) {
  NamedValue named;
  const JsonMembers read(json);
  read("name", named.name);
  read("type", named.type);
  read("value", named.value);
  return named;
}

template <typename T>
T number_from(const NamedValue& named) {
  T number{};
  const char* const end = named.value.data() + named.value.size();
  const auto [stop, error] = std::from_chars(named.value.data(), end, number);
  if (error != std::errc() || stop != end) {
    throw std::runtime_error(
        fmt::format("'{}' of {} is not a number of type {}", named.value, named.name, named.type));
  }
  return number;
}

report::BenchAxes axes_of(const JsonTree& state, const std::string& device) {
  report::BenchAxes axes;
  for (const JsonTree& each : items_of(state, "axis_values")) {
    const NamedValue axis = named_value_from(each);
    if (axis.type == "int64") {
      axes.emplace_back(axis.name, number_from<std::int64_t>(axis));
    } else {
      axes.emplace_back(axis.name, axis.value);
    }
  }
  if (!device.empty()) axes.emplace_back("device", device);
  return axes;
}

/// The numbers of a state that are called `value`, by tag.
std::map<std::string, double> numbers_of(const JsonTree& state) {
  std::map<std::string, double> numbers;
  for (const JsonTree& summary : items_of(state, "summaries")) {
    std::string tag;
    const JsonMembers read(summary);
    read("tag", tag);
    if (!tag.starts_with("nv/") || !summary.contains("data")) continue;
    for (const JsonTree& each : items_of(summary, "data")) {
      const NamedValue value = named_value_from(each);
      if (value.name == "value" && value.type == "float64") {
        numbers[tag] = number_from<double>(value);
      }
    }
  }
  return numbers;
}

class FileReader {
 public:
  FileReader(Imported& made, const JsonTree& json) : made_(made) {
    for (const JsonTree& device : items_of(json, "devices")) add_device(device);
  }

  void add_benchmark(const JsonTree& benchmark) {
    std::string name;
    const JsonMembers read(benchmark);
    read("name", name);
    for (const JsonTree& state : items_of(benchmark, "states")) add_state(name, state);
  }

 private:
  void add_device(const JsonTree& json) {
    std::int64_t id = 0;
    std::string name;
    bool has_ecc = false;
    const JsonMembers read(json);
    read("id", id);
    read("name", name);
    read.if_there("ecc_state", has_ecc);
    devices_[id] = fmt::format("{} {}", id, name);
    if (made_.is_first_file()) {
      made_.environment().devices.push_back({.name = name, .ecc = has_ecc});
    }
  }

  void add_state(const std::string& name, const JsonTree& state) {
    std::int64_t device = 0;
    bool is_skipped = false;
    std::string reason;
    const JsonMembers read(state);
    read("device", device);
    read("is_skipped", is_skipped);
    read.if_there("skip_reason", reason);
    const report::BenchAxes axes = axes_of(state, devices_.size() > 1 ? devices_[device] : "");
    if (is_skipped) {
      // Skipped by choice or because of an exception: the benchmark gives the reason.
      return made_.leave_out_all(
          name, axes, kSeries[0].quantity,
          "NVBench skipped it: " + (reason.empty() ? "no reason given" : reason));
    }
    const std::map<std::string, double> numbers = numbers_of(state);
    for (const Series& series : kSeries) {
      const std::optional<double> seconds = middle_of(numbers, series.tag);
      if (!seconds) continue;
      made_.add_sample(made_.row(name, axes, series.quantity), *seconds * kNanosecondsOfASecond, 1);
    }
  }

  std::optional<double> middle_of(const std::map<std::string, double>& numbers,
                                  const std::string& tag) {
    if (const auto median = numbers.find(tag + "/median"); median != numbers.end()) {
      return median->second;
    }
    const auto mean = numbers.find(tag + "/mean");
    if (mean == numbers.end()) return std::nullopt;
    if (!tag.starts_with("nv/batch/")) {  // which has only a mean
      made_.warn("means", "NVBench wrote no medians: times are means of samples");
    }
    return mean->second;
  }

  Imported& made_;
  std::map<std::int64_t, std::string> devices_;
};

void add_file(Imported& made, const File& file) {
  const JsonTree json = tree_from_json(file.text);
  const JsonTree& words = items_of(member_of(json, "meta"), "argv");
  made.begin_file(!words.empty() && words[0].is_string() ? words[0].get<std::string>() : "");
  FileReader reader(made, json);
  for (const JsonTree& benchmark : items_of(json, "benchmarks")) reader.add_benchmark(benchmark);
}

}  // namespace

bool is_nvbench_json(const std::string& text) {
  return mentions_all(text, {"nvbench", "benchmarks"});
}

report::BenchRecord from_nvbench_json(const std::vector<File>& files) {
  return imported("NVBench", files, add_file);
}

}  // namespace assay::interchange
