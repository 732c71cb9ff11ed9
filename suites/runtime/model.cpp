// Implements the model of guards.
#include "suites/runtime/model.hpp"

#include <algorithm>

namespace assay::suites {

int Currents::device(const std::string& type) const {
  const auto found = devices_.find(type);
  return found == devices_.end() ? 0 : found->second;
}

std::int64_t Currents::stream(const Device& device) const {
  const auto found = streams_.find({device.type, device.index});
  return found == streams_.end() ? 0 : found->second;
}

int Currents::exchange_device(const Device& device) {
  const int before = this->device(device.type);
  set_device(device);
  return before;
}

std::int64_t Currents::exchange_stream(const StreamValue& stream) {
  const Device& device = *stream.device;
  const std::int64_t before = this->stream(device);
  streams_[{device.type, device.index}] = stream.id;
  return before;
}

GuardModel GuardModel::over(Currents& now, const Device& device) {
  GuardModel guard;
  const int before = now.device(device.type);
  const int after = device.index < 0 ? before : device.index;
  if (device.index >= 0) now.set_device(device);
  guard.device_ = OfDevice{{device.type, before}, {device.type, after}};
  return guard;
}

GuardModel GuardModel::over(Currents& now, const StreamValue& stream) {
  GuardModel guard = over(now, *stream.device);
  const Device& original = guard.device_->original;
  guard.stream_ = OfStream{{original, now.stream(original)}, 0, stream};
  guard.stream_->replaced = now.exchange_stream(stream);
  return guard;
}

GuardModel GuardModel::over(Currents& now, const std::vector<StreamValue>& streams, bool strict) {
  GuardModel guard;
  for (const StreamValue& stream : streams) {
    guard.saved_.push_back({stream.device, now.exchange_stream(stream)});
  }
  if (strict) std::reverse(guard.saved_.begin(), guard.saved_.end());  // GRD-021
  return guard;
}

void GuardModel::set_device(Currents& now, const Device& device) {
  if (!device_) {
    *this = over(now, device);
    return;
  }
  if (device.index < 0) return;
  now.set_device(device);
  device_->current = device;
}

void GuardModel::reset_device(Currents& now, const Device& device) {
  if (!device_ || device.type == device_->original.type) return set_device(now, device);
  if (device.index < 0) return;
  now.set_device(device_->original);
  device_ = OfDevice{{device.type, now.exchange_device(device)}, device};
}

void GuardModel::reset_stream(Currents& now, const StreamValue& stream) {
  if (!stream_) {
    *this = over(now, stream);
    return;
  }
  if (*stream.device == *stream_->current.device) {
    now.exchange_stream(stream);  // GRD-014
  } else {
    now.exchange_stream({stream_->current.device, stream_->replaced});  // GRD-015
    set_device(now, *stream.device);
    stream_->replaced = now.exchange_stream(stream);
  }
  stream_->current = stream;
}

void GuardModel::leave(Currents& now) {
  for (const StreamValue& stream : saved_) now.exchange_stream(stream);
  if (stream_) now.exchange_stream({stream_->current.device, stream_->replaced});
  if (device_) now.set_device(device_->original);
  *this = {};
}

GuardInfo GuardModel::info() const {
  GuardInfo info;
  if (device_) {
    info.original_device = device_->original;
    info.current_device = device_->current;
  }
  if (stream_) {
    info.original_stream = stream_->original;
    info.current_stream = stream_->current;
  }
  return info;
}

}  // namespace assay::suites
