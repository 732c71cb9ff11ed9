// Blocks that wait for events of other streams, queued in the order of each stream.
#pragma once

#include <deque>
#include <iterator>
#include <list>
#include <utility>

#include "cuda_impl/core/event_pool.hpp"

namespace assay::cuda::memory {

template <typename Block>
class PendingEvents {
 public:
  bool empty() const { return queues_.empty(); }

  void add(StreamUse stream, PooledEvent event, Block& block) {
    queue_of(stream).push_back({std::move(event), &block});
  }

  /// MEM-008: calls `done(block)` for the events that are done, in the order of each stream.
  template <typename Action>
  void poll(const Action& done) {
    pass([](const PooledEvent& event) { return event.is_done(); }, done);
  }

  /// Waits for all events and calls `done(block)` for each.
  template <typename Action>
  void wait(const Action& done) {
    const auto waited = [](const PooledEvent& event) {
      event.wait();
      return true;
    };
    pass(waited, done);
  }

  /// Discards all events.
  void clear() { queues_.clear(); }

 private:
  struct Entry {
    PooledEvent event;
    Block* block;
  };
  using Entries = std::deque<Entry>;
  struct Queue {
    StreamUse stream;
    Entries entries;
  };

  Entries& queue_of(StreamUse stream) {
    for (Queue& queue : queues_) {
      if (queue.stream == stream) return queue.entries;
    }
    return queues_.emplace_back(Queue{stream, {}}).entries;
  }

  /// An event whose query raises stays in the queue, to be queried again (MEM-025).
  template <typename Question, typename Action>
  void pass(const Question& is_over, const Action& done) {
    for (auto queue = queues_.begin(); queue != queues_.end();) {
      Entries& entries = queue->entries;
      while (!entries.empty() && is_over(entries.front().event)) {
        Block* const block = entries.front().block;
        entries.pop_front();
        done(*block);
      }
      queue = entries.empty() ? queues_.erase(queue) : std::next(queue);
    }
  }

  std::list<Queue> queues_;  ///< non-empty, except after a query has raised
};

}  // namespace assay::cuda::memory
