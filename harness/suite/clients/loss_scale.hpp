// The typed client of the area loss_scale: loss scales without tensors.
#pragma once

#include <waist/calls/loss_scale.hpp>

#include "harness/suite/clients/calls.hpp"

namespace assay {

class LossScaleHandle : public LossScaleHandleCalls {
 public:
  using LossScaleHandleCalls::LossScaleHandleCalls;
};

class LossScaleClient : public LossScaleClientCalls {
 public:
  using LossScaleClientCalls::LossScaleClientCalls;
};

}  // namespace assay
