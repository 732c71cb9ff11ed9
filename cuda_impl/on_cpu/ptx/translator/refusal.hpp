// What stops a translation: the place in the PTX, and what is not known about it.
#pragma once

#include <stdexcept>
#include <string>

namespace assay::cuda::on_cpu::ptx {

/// Thrown wherever the translator does not know for sure what the PTX means.
class Refusal : public std::runtime_error {
 public:
  /// `line` counts from 1; `text` is what was read there, `reason` what is unknown or wrong in it.
  Refusal(int line, const std::string& text, const std::string& reason)
      : std::runtime_error("line " + std::to_string(line) + ": " + text + ": " + reason),
        line_(line) {}

  int line() const { return line_; }

 private:
  int line_;
};

}  // namespace assay::cuda::on_cpu::ptx
