// Extends captures, propagates them to other streams through events, and ends them.
#include "reference/runtime/device/capture.hpp"

#include <algorithm>
#include <utility>

namespace assay::reference {

Code Captures::begin(QueueId queue, CaptureMode mode, ThreadId thread) {
  if (has(queue)) return Code::kIllegalState;
  graph_of_[queue] = std::make_shared<Graph>(Graph{queue, mode, thread, ++begun_});
  return Code::kSuccess;
}

Code Captures::end(QueueId queue, ThreadId thread, CapturedWork& captured) {
  if (!has(queue)) return Code::kIllegalState;
  const std::shared_ptr<Graph> graph = graph_of_.at(queue);
  if (graph->origin != queue) {
    graph->is_invalid = true;
    return Code::kCaptureUnmatched;
  }
  if (graph->mode != CaptureMode::kRelaxed && graph->thread != thread) {
    return Code::kCaptureWrongThread;
  }
  drop(*graph);
  if (graph->is_invalid) return Code::kCaptureInvalidated;
  if (!has_joined_all(*graph)) {
    return Code::kCaptureUnjoined;
  }
  captured = std::move(graph->works);
  return Code::kSuccess;
}

CaptureStatus Captures::status(QueueId queue) const {
  const auto found = graph_of_.find(queue);
  if (found == graph_of_.end()) return CaptureStatus::kNone;
  return found->second->is_invalid ? CaptureStatus::kInvalidated : CaptureStatus::kActive;
}

std::uint64_t Captures::number(QueueId queue) const {
  const auto found = graph_of_.find(queue);
  return found == graph_of_.end() || found->second->is_invalid ? 0 : found->second->number;
}

bool Captures::is_part(QueueId queue, QueueId origin) const {
  const auto found = graph_of_.find(queue);
  if (found == graph_of_.end()) return false;
  return found->second->origin == origin && !found->second->is_invalid;
}

Code Captures::add(QueueId queue, CapturedNode node) {
  Graph& graph = *graph_of_.at(queue);
  if (graph.is_invalid) return Code::kCaptureInvalidated;
  add_node(graph, queue, newest(graph, queue));
  graph.works.push_back(std::move(node));
  return Code::kSuccess;
}

Code Captures::record(QueueId queue, EventId event) {
  const std::shared_ptr<Graph> graph = graph_of_.at(queue);
  if (graph->is_invalid) return Code::kCaptureInvalidated;
  events_[event] = Captured{graph, newest(*graph, queue)};
  return Code::kSuccess;
}

Code Captures::wait(QueueId queue, EventId event, bool is_recorded) {
  const auto captured = events_.find(event);
  if (captured == events_.end()) {
    if (!has(queue) || !is_recorded) return Code::kSuccess;
    graph_of_.at(queue)->is_invalid = true;
    return Code::kCaptureIsolation;
  }
  const std::shared_ptr<Graph> graph = captured->second.graph;
  if (is_over(*graph)) return Code::kInvalidValue;
  if (has(queue) && graph_of_.at(queue) != graph) {
    graph_of_.at(queue)->is_invalid = true;
    graph->is_invalid = true;
    return Code::kCaptureMerge;
  }
  if (graph->is_invalid) return Code::kCaptureInvalidated;
  graph_of_[queue] = graph;
  std::vector<std::size_t> after = newest(*graph, queue);
  after.insert(after.end(), captured->second.nodes.begin(), captured->second.nodes.end());
  add_node(*graph, queue, std::move(after));
  return Code::kSuccess;
}

Code Captures::invalidate(QueueId queue) {
  graph_of_.at(queue)->is_invalid = true;
  return Code::kCaptureUnsupported;
}

Code Captures::invalidate_event(EventId event) {
  const Code code = verdict_on_event(event);
  events_.at(event).graph->is_invalid = true;
  return code;
}

Code Captures::verdict_on_event(EventId event) const {
  const Graph& graph = *events_.at(event).graph;
  return graph.is_invalid || is_over(graph) ? Code::kInvalidValue : Code::kCapturedEvent;
}

Code Captures::refuse_unsafe(ThreadId thread, CaptureMode thread_mode) {
  if (thread_mode == CaptureMode::kRelaxed) return Code::kSuccess;
  bool is_refused = false;
  for (const auto& [queue, graph] : graph_of_) {
    const bool is_own = graph->thread == thread && graph->mode != CaptureMode::kRelaxed;
    const bool is_everybodys =
        graph->mode == CaptureMode::kGlobal && thread_mode == CaptureMode::kGlobal;
    if (!is_own && !is_everybodys) continue;
    graph->is_invalid = true;
    is_refused = true;
  }
  return is_refused ? Code::kCaptureUnsupported : Code::kSuccess;
}

Code Captures::invalidate_all() {
  for (const auto& [queue, graph] : graph_of_) graph->is_invalid = true;
  return Code::kCaptureUnsupported;
}

void Captures::invalidate_if(const std::function<bool(QueueId)>& is_one) {
  for (const auto& [queue, graph] : graph_of_) {
    if (is_one(queue)) graph->is_invalid = true;
  }
}

bool Captures::is_over(const Graph& graph) const {
  const auto found = graph_of_.find(graph.origin);
  return found == graph_of_.end() || found->second.get() != &graph;
}

std::vector<std::size_t> Captures::newest(const Graph& graph, QueueId queue) {
  const auto found = graph.last.find(queue);
  if (found == graph.last.end()) return {};
  return {found->second};
}

/// Returns whether the latest node of each queue precedes the latest node of the origin.
bool Captures::has_joined_all(const Graph& graph) {
  std::set<std::size_t> before;
  std::vector<std::size_t> open = newest(graph, graph.origin);
  while (!open.empty()) {
    const std::size_t node = open.back();
    open.pop_back();
    if (!before.insert(node).second) continue;
    open.insert(open.end(), graph.nodes[node].after.begin(), graph.nodes[node].after.end());
  }
  return std::all_of(graph.last.begin(), graph.last.end(),
                     [&](const auto& entry) { return before.contains(entry.second); });
}

void Captures::add_node(Graph& graph, QueueId queue, std::vector<std::size_t> after) {
  graph.nodes.push_back({std::move(after)});
  graph.last[queue] = graph.nodes.size() - 1;
}

void Captures::drop(const Graph& graph) {
  std::erase_if(graph_of_, [&](const auto& entry) { return entry.second.get() == &graph; });
}

}  // namespace assay::reference
