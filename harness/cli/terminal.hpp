// What depends on whether someone looks at a terminal: colours and the progress line.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace assay::cli {

/// Colours are for terminals, and not where NO_COLOR is set or TERM is `dumb`.
bool has_colours(std::FILE* stream);

/// One line on standard error that overwrites itself; nothing at all where that is no terminal.
class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::string_view text);
  /// Call before anything else is printed.
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

/// To standard output, all of it.
void print(std::string_view text);

}  // namespace assay::cli
