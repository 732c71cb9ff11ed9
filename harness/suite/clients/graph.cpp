// Implements what the typed client of the area graph adds to the generated calls.
#include "harness/suite/clients/graph.hpp"

namespace assay {

void GraphObject::capture(const std::function<void()>& body, const CaptureOptions& options) const {
  begin(options);
  try {
    body();
  } catch (...) {
    Command command;
    command.verb = "graph.end";
    command.with = {{"graph", *this}};
    session().ask(std::move(command));
    throw;
  }
  end();
}

GraphObject GraphClient::of(const std::function<void()>& body) const {
  GraphObject graph = make();
  graph.capture(body);
  return graph;
}

}  // namespace assay
