// The output of the program on standard output and standard error, and what depends on their
// kind.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "harness/text/neutral.hpp"
#include "harness/text/outlets.hpp"

namespace assay {

/// The value of --color.
enum class ColourChoice { kAuto, kAlways, kNever };
void choose_colours(ColourChoice choice);

/// Colours are on by default for terminals, unless NO_COLOR is set or TERM is `dumb`.
bool has_colours(std::FILE* stream);

bool is_terminal(std::FILE* stream);

/// COLUMNS if it is a number, else the width of the terminal that `stream` is, else 100; at least
/// 40.
std::size_t columns_of_terminal(std::FILE* stream = own_output());

/// `text` made safe for output, whatever a subject, a file or a name put into it: removes control
/// characters except our colours (if `keeps_colours`) and commands to the CI system that reads the
/// log. Keeps line breaks and tabs; names are passed through `one_line` first.
std::string for_outlet(std::string_view text, bool keeps_colours);

/// Writes to standard output, for people, through `for_outlet`.
void print(std::string_view text);

/// Writes to standard output, for programs: JSON, TOML or Python source, unchanged in meaning.
void print_data(std::string_view text, DataFormat format = DataFormat::kJson);

/// Writes workflow commands of this program to standard output, unchanged.
void print_workflow_commands(std::string_view text);

/// Hides these texts in everything that `complain` writes from now on.
void hide_in_errors(std::vector<std::string> secrets);

/// Writes to standard error, like `print`.
void complain(std::string_view text);

/// A line on standard error that is overwritten in place; no output if that is not a terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Truncates the text to the width of the terminal.
  void show(std::string_view text);
  /// Must be called before anything else is printed.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace assay
