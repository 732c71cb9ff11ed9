// A record made of other tools' files, each of which a fresh process of one program wrote.
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
  /// `tool` is whose files they are.
  explicit Imported(std::string tool);

  /// Begins a file. Throws std::runtime_error where it is of another program than the one before.
  void begin_file(const std::string& path_of_program);
  bool is_first_file() const { return files_ == 1; }
  report::BenchEnvironment& environment() { return record_.environment; }
  void warn(const std::string& kind, const std::string& text);

  /// The one of that name, in nanoseconds; a new one where there is none.
  report::BenchMeasurement& row(const std::string& case_name, const report::BenchAxes& axes,
                                const std::string& quantity);
  /// A sample of this file's process. Throws std::runtime_error where that is no time.
  void add_sample(report::BenchMeasurement& row, double ns, std::int64_t iterations);
  /// The row has no number, whatever other files say.
  static void leave_out(report::BenchMeasurement& row, report::BenchStatus status,
                        const std::string& reason);

  /// The same of every row of that name; of a new one of the quantity where no file has any.
  void leave_out_all(const std::string& case_name, const report::BenchAxes& axes,
                     const std::string& quantity, const std::string& reason);

  /// Throws std::runtime_error where nothing was measured.
  report::BenchRecord take();

 private:
  report::BenchRecord record_;
  std::int64_t files_ = 0;
  std::map<std::string, std::size_t> index_;
  std::vector<report::BenchMeasurement> left_out_;  ///< with no more than a name and a reason
};

/// Whether the text is JSON of another tool, as far as names of members tell.
bool mentions_all(const std::string& text, std::initializer_list<std::string_view> members);

/// Adds each file, and takes the record. What is thrown begins with the file's name.
report::BenchRecord imported(const std::string& tool, const std::vector<File>& files,
                             const std::function<void(Imported&, const File&)>& add);

}  // namespace assay::interchange
