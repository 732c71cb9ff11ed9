// Implements the typed client of the area graph.
#include "harness/suite/clients/graph.hpp"

namespace assay {

void GraphObject::begin(const CaptureOptions& options) const {
  Fields with{{"graph", *this}};
  if (options.stream) with.set("stream", *options.stream);
  if (options.mode) with.set("mode", *options.mode);
  session_->send("graph.begin", std::move(with));
}

void GraphObject::end() const { session_->send("graph.end", {{"graph", *this}}); }
void GraphObject::replay() const { session_->send("graph.replay", {{"graph", *this}}); }
void GraphObject::reset() const { session_->send("graph.reset", {{"graph", *this}}); }

void GraphObject::capture(const std::function<void()>& body, const CaptureOptions& options) const {
  begin(options);
  try {
    body();
  } catch (...) {
    Command command;
    command.verb = "graph.end";
    command.with = {{"graph", *this}};
    session_->ask(std::move(command));
    throw;
  }
  end();
}

GraphObject GraphClient::make() const {
  GraphObject graph(*session_, session_->fresh_name("graph"));
  session_->send("graph.new", {}, graph.name());
  return graph;
}

GraphObject GraphClient::of(const std::function<void()>& body) const {
  GraphObject graph = make();
  graph.capture(body);
  return graph;
}

bool GraphClient::is_capturing() const { return session_->read<bool>("graph.is_capturing"); }

}  // namespace assay
