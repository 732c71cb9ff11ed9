// Streams that capture: what they are given becomes a graph and is not run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "reference/runtime/device/codes.hpp"
#include "reference/runtime/device/driver.hpp"
#include "reference/runtime/device/machine.hpp"

namespace assay::reference {

/// All captures of a process (STR-028, STR-029, EVT-030, FLT-016). Answers codes; the Driver
/// decides what is submitted.
class Captures {
 public:
  using ThreadId = std::uint64_t;

  Code begin(QueueId queue, CaptureMode mode, ThreadId thread);
  /// On success `captured` is what the graph runs, in an order that its edges permit.
  Code end(QueueId queue, ThreadId thread, CapturedWork& captured);
  CaptureStatus status(QueueId queue) const;
  bool any() const { return !graph_of_.empty(); }
  bool has(QueueId queue) const { return graph_of_.contains(queue); }
  /// Of the valid capture that began with the other.
  bool is_part(QueueId queue, QueueId origin) const;
  bool has_event(EventId event) const { return events_.contains(event); }

  /// Something comes into a capturing queue.
  Code add(QueueId queue, Work work = {});
  Code record(QueueId queue, EventId event);
  /// `is_recorded`: outside of any capture. kSuccess: the graph has it, or, if `has(queue)` is
  /// still false, it is no business of captures.
  Code wait(QueueId queue, EventId event, bool is_recorded);
  /// The event was recorded outside again, or is gone.
  void forget_event(EventId event) { events_.erase(event); }
  /// The host asks or waits for a queue, or for an event of a capture.
  Code invalidate(QueueId queue);
  Code invalidate_event(EventId event);
  /// What an event of a capture answers the host.
  Code verdict_on_event(EventId event) const;
  /// The captures of such queues.
  void invalidate_if(const std::function<bool(QueueId)>& is_one);
  /// A call that no capture permits while it is under way, unless its mode or the thread's does.
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
    bool is_invalid = false;
    std::vector<Node> nodes = {};
    std::map<QueueId, std::size_t> last = {};  ///< the newest node of each queue
    CapturedWork works = {};                   ///< in the order of the calls
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
};

}  // namespace assay::reference
