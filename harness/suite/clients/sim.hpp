// Controls of a simulated machine, as test authors ask for them.
#pragma once

#include "harness/suite/session.hpp"

namespace assay {

class SimClient {
 public:
  explicit SimClient(Session& session) : session_(&session) {}

 private:
  [[maybe_unused]] Session* session_;
};

}  // namespace assay
