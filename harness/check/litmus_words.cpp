// The table of operation names, and the output of litmus programs as text.
#include "harness/check/litmus_words.hpp"

#include <algorithm>

namespace assay::litmus {
namespace {

constexpr Word kWords[] = {
    {"st", Verb::kStore, "sxv"},       {"ld", Verb::kLoad, "sx"},
    {"k", Verb::kKernel, "s"},         {"gate", Verb::kGate, "so"},
    {"open", Verb::kOpen, "o"},        {"rec", Verb::kRecord, "os"},
    {"wait", Verb::kWait, "os"},       {"q", Verb::kQueryEvent, "o"},
    {"qs", Verb::kQueryStream, "s"},   {"sync", Verb::kSyncEvent, "o"},
    {"syncs", Verb::kSyncStream, "s"}, {"syncd", Verb::kSyncDevice, "d"},
    {"signal", Verb::kSignal, "o"},    {"await", Verb::kAwait, "o"},
    {"h2d", Verb::kCopyIn, "sxh"},     {"h2d_async", Verb::kCopyInAsync, "sxh"},
    {"d2h", Verb::kCopyOut, "shx"},    {"d2h_async", Verb::kCopyOutAsync, "shx"},
    {"pinned", Verb::kPinned, "hv"},   {"pageable", Verb::kPageable, "hv"},
    {"set", Verb::kSet, "hv"},         {"get", Verb::kGet, "h"},
    {"alias", Verb::kAlias, "st"},
};

std::string argument_text(const Operation& operation, char argument) {
  switch (argument) {
    case 's':
      return operation.stream.name;
    case 't':
      return operation.other.name;
    case 'o':
      return operation.object;
    case 'x':
      return operation.location;
    case 'h':
      return operation.buffer;
    case 'v':
      return std::to_string(operation.value);
    default:
      return operation.device == 0 ? "" : std::to_string(operation.device);
  }
}

}  // namespace

std::span<const Word> words() { return kWords; }

const Word& word_of(Verb verb) {
  return *std::ranges::find(kWords, verb, [](const Word& word) { return word.verb; });
}

std::string to_text(const Operation& operation) {
  const Word& word = word_of(operation.verb);
  std::string arguments;
  for (const char argument : word.arguments) {
    const std::string text = argument_text(operation, argument);
    if (!text.empty()) arguments += (arguments.empty() ? "" : ",") + text;
  }
  return std::string(word.text) + (arguments.empty() ? "" : "(" + arguments + ")");
}

std::string to_text(const Program& program) {
  std::string text;
  for (const Thread& thread : program.threads) {
    std::string line = program.threads.size() == 1 ? "" : thread.name + ": ";
    for (std::size_t i = 0; i < thread.operations.size(); ++i) {
      line += (i == 0 ? "" : "; ") + to_text(thread.operations[i]);
    }
    text += (text.empty() ? "" : "; ") + line;
  }
  return text;
}

std::string to_text(const Outcome& outcome) {
  std::string text;
  for (const std::int64_t value : outcome)
    text += (text.empty() ? "" : " ") + std::to_string(value);
  return text;
}

bool Operation::on_device() const {
  switch (verb) {
    case Verb::kStore:
    case Verb::kLoad:
    case Verb::kKernel:
    case Verb::kGate:
    case Verb::kRecord:
    case Verb::kWait:
    case Verb::kCopyIn:
    case Verb::kCopyInAsync:
    case Verb::kCopyOut:
    case Verb::kCopyOutAsync:
      return true;
    default:
      return false;
  }
}

bool Operation::observes() const {
  return verb == Verb::kQueryEvent || verb == Verb::kQueryStream || verb == Verb::kLoad ||
         verb == Verb::kGet;
}

std::vector<const Operation*> Program::operations() const {
  std::vector<const Operation*> all;
  for (const Thread& thread : threads) {
    for (const Operation& operation : thread.operations) all.push_back(&operation);
  }
  return all;
}

std::size_t Program::device_operations() const {
  std::size_t count = 0;
  for (const Operation* operation : operations()) count += operation->on_device() ? 1u : 0u;
  return count;
}

std::size_t Program::observations() const {
  std::size_t count = 0;
  for (const Operation* operation : operations()) count += operation->observes() ? 1u : 0u;
  return count;
}

}  // namespace assay::litmus
