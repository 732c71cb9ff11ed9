// A record made from files of other tools, each written by a fresh process of one program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/interchange/formats.hpp"
#include "harness/report/bench/record.hpp"

namespace assay::interchange {

class Imported {
 public:
  /// `tool` is the tool that wrote the files.
  explicit Imported(std::string tool);

  /// Begins a file. Throws std::runtime_error if it is of another program than the previous file.
  void begin_file(const std::string& path_of_program);
  bool is_first_file() const { return files_ == 1; }
  report::BenchEnvironment& environment() { return record_.environment; }
  void warn(const std::string& kind, const std::string& text);

  /// The row with this name, in nanoseconds; created if it does not exist.
  report::BenchMeasurement& row(const std::string& case_name, const report::BenchAxes& axes,
                                const std::string& quantity);
  /// Adds a sample of this file's process. Throws std::runtime_error if it is not a valid time.
  void add_sample(report::BenchMeasurement& row, double ns, std::int64_t iterations);
  /// The row gets no number, whatever other files contain.
  static void leave_out(report::BenchMeasurement& row, report::BenchStatus status,
                        const std::string& reason);

  /// The same for every row with this name; creates a row of the quantity if no file has one.
  void leave_out_all(const std::string& case_name, const report::BenchAxes& axes,
                     const std::string& quantity, const std::string& reason);

  /// Throws std::runtime_error if nothing was measured.
  report::BenchRecord take();

 private:
  report::BenchRecord record_;
  std::int64_t files_ = 0;
  std::map<std::string, std::size_t> index_;
  std::vector<report::BenchMeasurement> left_out_;  ///< only names and reasons
};

/// True if the text contains all of these member names.
bool mentions_all(const std::string& text, std::initializer_list<std::string_view> members);

/// Adds each file and takes the record. Exceptions begin with the file's name.
report::BenchRecord imported(const std::string& tool, const std::vector<File>& files,
                             const std::function<void(Imported&, const File&)>& add);

}  // namespace assay::interchange
