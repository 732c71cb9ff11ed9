// Traces kernels and prints calls.
#include "cuda_impl/dispatch/call/trace.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace assay::cuda::dispatch {

thread_local constinit std::uint32_t traces_of_thread = 0;

namespace {

std::vector<KernelTrace*>& traces() {
  thread_local std::vector<KernelTrace*> mine;
  return mine;
}

bool read_wish() {
  const char* value = std::getenv("RT_SHOW_DISPATCH_TRACE");  // NOLINT: nothing writes to it
  const std::string_view text = value == nullptr ? "0" : value;
  if (text != "0" && text != "1") {
    std::fputs("RT_SHOW_DISPATCH_TRACE must be 0 or 1\n", stderr);
  }
  return text == "1";
}

int& shown_calls() {
  thread_local int depth = 0;
  return depth;
}

}  // namespace

KernelTrace::KernelTrace() {
  traces().push_back(this);
  ++traces_of_thread;
}

void KernelTrace::stop() {
  if (!is_on_) return;
  is_on_ = false;
  traces_of_thread -= static_cast<std::uint32_t>(std::erase(traces(), this));
}

void report_to_traces(const KernelStart& start) {
  for (KernelTrace* trace : traces()) trace->started(start);
}

void report_boxed_start(const Entry& entry, KeySet keys, const Stack& stack) {
  if (!is_traced()) return;
  const Table& table = *entry.table;
  const std::size_t count = table.has_schema ? table.arguments : stack.size();
  report_to_traces({entry.registered->debug, entry, keys, true,
                    std::span(stack).last(std::min(count, stack.size()))});
}

bool are_calls_shown() {
  static const bool shown = read_wish();
  return shown;
}

ShownCall::ShownCall(std::string_view how, const Table& table, KeySet keys) {
  const int depth = shown_calls()++;
  if (!are_calls_shown()) return;
  const std::string line = std::string(static_cast<std::size_t>(depth), ' ') + "[" +
                           std::string(how) + "] op=[" + table.state->name.text() + "], key=[" +
                           name_of(table.layout->highest(keys)) + "]\n";
  std::fputs(line.c_str(), stderr);
}

ShownCall::~ShownCall() { --shown_calls(); }

}  // namespace assay::cuda::dispatch
