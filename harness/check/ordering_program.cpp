// Converts a litmus program to its numbered form.
#include "harness/check/ordering_program.hpp"

#include <map>
#include <string>

namespace assay::litmus {
namespace {

/// Builds a NumberedProgram.
class Numbering {
 public:
  Numbering(const Program& program, NumberedProgram& numbered) : numbered_(numbered) {
    for (const Operation* operation : program.operations()) declare(*operation);
    for (const Thread& thread : program.threads) add(thread);
  }

 private:
  void declare(const Operation& operation) {
    if (operation.verb == Verb::kAlias) aliases_.emplace(operation.stream.name, operation.other);
    if (operation.verb != Verb::kPinned && operation.verb != Verb::kPageable) return;
    pageable_[operation.buffer] = operation.verb == Verb::kPageable;
    numbered_.initial[host(operation)] = operation.value;
  }

  void add(const Thread& thread) {
    const std::size_t number = numbered_.threads.size();
    CallOrder& calls = numbered_.threads.emplace_back();
    for (const Operation& operation : thread.operations) {
      if (operation.declares()) continue;
      Item item{.operation = &operation, .thread = number};
      if (!calls.empty()) item.before = calls.back();
      item.device = operation.device;
      item.waits = waits(operation);
      if (!operation.stream.name.empty()) resolve(item, thread.name);
      calls.push_back(numbered_.items.size());
      numbered_.items.push_back(item);
      list_accesses(operation);
    }
  }

  /// ORD-A3: two names of one handle are one queue. STR-026: each thread has its own default
  /// stream.
  void resolve(Item& item, const std::string& thread) {
    const Stream* stream = &item.operation->stream;
    for (std::size_t i = 0; i <= aliases_.size(); ++i) {
      const auto alias = aliases_.find(stream->name);
      if (alias == aliases_.end()) break;
      stream = &alias->second;
    }
    const bool own = stream->kind == StreamKind::kPerThread;
    const bool legacy = stream->kind == StreamKind::kLegacy;
    std::string key = legacy ? "L" : own ? "P of " + thread : stream->name;
    if (legacy || own) key += "@" + std::to_string(stream->device);
    item.queue = queues_.emplace(key, queues_.size()).first->second;
    item.kind = stream->kind;
    item.device = stream->device;
  }

  bool waits(const Operation& operation) const {
    switch (operation.verb) {
      case Verb::kSyncEvent:
      case Verb::kSyncStream:
      case Verb::kSyncDevice:
      case Verb::kAwait:
      case Verb::kCopyIn:
      case Verb::kCopyOut:
        return true;
      case Verb::kCopyOutAsync:
        return pageable_.at(operation.buffer);  // STR-033: filled when the call returns
      default:
        return false;
    }
  }

  void list_accesses(const Operation& operation) {
    const std::size_t item = numbered_.items.size() - 1;
    switch (operation.verb) {
      case Verb::kStore:
        numbered_.writes.push_back({item, device(operation)});
        return;
      case Verb::kLoad:
        numbered_.reads.push_back({item, device(operation)});
        return;
      case Verb::kSet:
        numbered_.writes.push_back({item, host(operation), true});
        return;
      case Verb::kGet:
        numbered_.reads.push_back({item, host(operation), true});
        return;
      case Verb::kCopyIn:
      case Verb::kCopyInAsync:  // STR-033: a pageable source is staged when the call returns
        numbered_.reads.push_back({item, host(operation), pageable_.at(operation.buffer)});
        numbered_.writes.push_back({item, device(operation)});
        return;
      case Verb::kCopyOut:
      case Verb::kCopyOutAsync:
        numbered_.reads.push_back({item, device(operation)});
        numbered_.writes.push_back({item, host(operation)});
        return;
      default:
        return;
    }
  }

  std::size_t device(const Operation& operation) {
    return location("device " + operation.location);
  }
  std::size_t host(const Operation& operation) { return location("host " + operation.buffer); }
  std::size_t location(const std::string& key) {
    const auto [found, is_new] = locations_.emplace(key, locations_.size());
    if (is_new) numbered_.initial.push_back(0);
    return found->second;
  }

  NumberedProgram& numbered_;
  std::map<std::string, Stream> aliases_;
  std::map<std::string, bool> pageable_;
  std::map<std::string, std::size_t> queues_;
  std::map<std::string, std::size_t> locations_;
};

}  // namespace

NumberedProgram::NumberedProgram(const Program& program) { Numbering(program, *this); }

}  // namespace assay::litmus
