// Stream capture: work of a capturing stream is recorded in a graph instead of being executed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "reference/runtime/device/codes.hpp"
#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/device/machine.hpp"

namespace assay::reference {

/// All captures of a process (STR-028, STR-029, EVT-030, FLT-016). Returns error codes; the Driver
/// decides what is submitted.
class Captures {
 public:
  using ThreadId = std::uint64_t;

  Code begin(QueueId queue, CaptureMode mode, ThreadId thread);
  /// On success, `captured` holds the graph's work in an order that satisfies its edges.
  Code end(QueueId queue, ThreadId thread, CapturedWork& captured);
  CaptureStatus status(QueueId queue) const;
  /// A number of the valid capture that the queue belongs to; 0: none.
  std::uint64_t number(QueueId queue) const;
  bool any() const { return !graph_of_.empty(); }
  bool has(QueueId queue) const { return graph_of_.contains(queue); }
  /// Returns whether the queue belongs to the valid capture that began with `origin`.
  bool is_part(QueueId queue, QueueId origin) const;
  bool has_event(EventId event) const { return events_.contains(event); }

  /// Adds a node to a capturing queue.
  Code add(QueueId queue, CapturedNode node);
  Code record(QueueId queue, EventId event);
  /// `is_recorded`: recorded outside of captures. On kSuccess the wait is part of the graph; or, if
  /// `has(queue)` is still false, it does not concern any capture.
  Code wait(QueueId queue, EventId event, bool is_recorded);
  /// The event was recorded outside of captures, or was destroyed.
  void forget_event(EventId event) { events_.erase(event); }
  /// The host queried or waited for a queue, or for a captured event.
  Code invalidate(QueueId queue);
  Code invalidate_event(EventId event);
  /// The result of querying a captured event.
  Code verdict_on_event(EventId event) const;
  /// Invalidates the captures of the matching queues.
  void invalidate_if(const std::function<bool(QueueId)>& is_one);
  /// A call that is illegal during a capture, unless the capture's or the thread's mode permits it.
  Code refuse_unsafe(ThreadId thread, CaptureMode thread_mode);
  Code invalidate_all();

 private:
  struct Node {
    std::vector<std::size_t> after;
  };
  struct Graph {
    QueueId origin;
    CaptureMode mode;
    ThreadId thread;
    std::uint64_t number;
    bool is_invalid = false;
    std::vector<Node> nodes = {};
    std::map<QueueId, std::size_t> last = {};  ///< the latest node of each queue
    CapturedWork works = {};                   ///< in call order
  };
  struct Captured {
    std::shared_ptr<Graph> graph;
    std::vector<std::size_t> nodes;
  };

  static std::vector<std::size_t> newest(const Graph& graph, QueueId queue);
  static bool has_joined_all(const Graph& graph);
  bool is_over(const Graph& graph) const;
  static void add_node(Graph& graph, QueueId queue, std::vector<std::size_t> after);
  void drop(const Graph& graph);

  std::map<QueueId, std::shared_ptr<Graph>> graph_of_;
  std::map<EventId, Captured> events_;
  std::uint64_t begun_ = 0;
};

}  // namespace assay::reference
