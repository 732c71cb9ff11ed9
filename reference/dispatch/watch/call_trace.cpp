// Prints calls to standard error (DSP-709).
#include "reference/dispatch/watch/call_trace.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

namespace assay::reference {
namespace {

constexpr const char* kVariable = "RT_SHOW_DISPATCH_TRACE";

int& depth() {
  thread_local int here = 0;
  return here;
}

bool read_environment() {
  const char* value = std::getenv(kVariable);
  if (value == nullptr) return false;
  const std::string_view text = value;
  if (text != "0" && text != "1") {
    std::cerr << kVariable << " must be 0 or 1, not '" << text << "'\n";
  }
  return text == "1";
}

}  // namespace

bool shows_calls() {
  static const bool shown = read_environment();
  return shown;
}

ShownCall::ShownCall(const KeyLayout& layout, std::string_view how, const OperatorName& op,
                     KeySet keys) {
  if (!shows_calls()) return;
  const bool indented = layout.release() != Release::k1_13;
  const std::string spaces(indented ? static_cast<std::size_t>(depth()) : 0, ' ');
  std::cerr << spaces + "[" + std::string(how) + "] op=[" + to_text(op) + "], key=[" +
                   name_of(highest_key(layout, keys)) + "]\n";
  ++depth();
}

ShownCall::~ShownCall() {
  if (shows_calls()) --depth();
}

}  // namespace assay::reference
