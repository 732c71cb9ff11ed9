// The outlets of the program: standard output and standard error, and what depends on who reads
// them.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include "harness/text/outlets.hpp"

namespace assay {

/// What --color says.
enum class ColourChoice { kAuto, kAlways, kNever };
void choose_colours(ColourChoice choice);

/// By default colours are for terminals, and not where NO_COLOR is set or TERM is `dumb`.
bool has_colours(std::FILE* stream);

bool is_terminal(std::FILE* stream);

/// COLUMNS where it is a number, else the width of the terminal that `stream` is, else 100; 40 at
/// least.
std::size_t columns_of_terminal(std::FILE* stream = own_output());

/// `text` as an outlet may get it, whatever a subject, a file or a name has put into it: no control
/// character but our colours (where `keeps_colours`), and no command to the CI system that reads
/// the log. Lines and tabs stay; a name that must not break a line goes through `one_line` before.
std::string for_outlet(std::string_view text, bool keeps_colours);

/// To standard output, for people. All of it, through `for_outlet`.
void print(std::string_view text);

/// To standard output, for programs: JSON or Python source, which keeps its meaning.
void print_data(std::string_view text);

/// To standard output as it is: workflow commands of ours.
void print_workflow_commands(std::string_view text);

/// To standard error, as `print`.
void complain(std::string_view text);

/// One line on standard error that overwrites itself; nothing at all where that is not a terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// What is wider than the terminal is cut.
  void show(std::string_view text);
  /// Call before anything else is printed.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace assay
