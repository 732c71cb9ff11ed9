// The error of the translator: the position in the PTX, and what is unknown there.
#pragma once

#include <stdexcept>
#include <string>

namespace assay::cuda::on_cpu::ptx {

/// Thrown whenever the translator is not certain of the meaning of the PTX.
class Refusal : public std::runtime_error {
 public:
  /// `line` counts from 1; `text` is the input there, `reason` what is unknown or wrong about it.
  Refusal(int line, const std::string& text, const std::string& reason)
      : std::runtime_error("line " + std::to_string(line) + ": " + text + ": " + reason),
        line_(line) {}

  int line() const { return line_; }

 private:
  int line_;
};

}  // namespace assay::cuda::on_cpu::ptx
