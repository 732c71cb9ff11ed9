// Device loops: launches timed by the host's clock, kernels by the device's.
#include <array>
#include <numeric>

#include "harness/measure/families.hpp"

namespace assay::measure {

// Computes the tensor sizes of the networks from their shapes.

namespace {

using Sizes = std::vector<std::int64_t>;

Sizes shrunk(Sizes sizes, std::int64_t shrink) {
  for (std::int64_t& size : sizes) size = (size + shrink - 1) / shrink;
  return sizes;
}

/// A convolution's weight, then weight and bias of its normalization.
void add_convolution(Sizes& sizes, std::int64_t from, std::int64_t to, std::int64_t window) {
  sizes.insert(sizes.end(), {from * to * window * window, to, to});
}

/// A bottleneck block: 1x1, 3x3, 1x1, to four times the width.
void add_bottleneck(Sizes& sizes, std::int64_t from, std::int64_t width) {
  add_convolution(sizes, from, width, 1);
  add_convolution(sizes, width, width, 3);
  add_convolution(sizes, width, 4 * width, 1);
}

}  // namespace

Sizes resnet50(std::int64_t shrink) {
  constexpr std::array kBlocks{3, 4, 6, 3};
  Sizes sizes;
  add_convolution(sizes, 3, 64, 7);
  std::int64_t channels = 64;
  std::int64_t width = 64;
  for (const int blocks : kBlocks) {
    add_bottleneck(sizes, channels, width);
    add_convolution(sizes, channels, 4 * width, 1);  // the shortcut of the first block
    channels = 4 * width;
    for (int i = 1; i < blocks; ++i) add_bottleneck(sizes, channels, width);
    width *= 2;
  }
  sizes.insert(sizes.end(), {channels * 1000, 1000});
  return shrunk(std::move(sizes), shrink);
}

Sizes transformer7b(std::int64_t shrink) {
  constexpr std::int64_t kWords = 32000;
  constexpr std::int64_t kWidth = 4096;
  constexpr std::int64_t kInner = 11008;
  constexpr int kLayers = 32;
  Sizes sizes{kWords * kWidth};
  for (int i = 0; i < kLayers; ++i) {
    sizes.insert(sizes.end(), 4, kWidth * kWidth);
    sizes.insert(sizes.end(), 3, kWidth * kInner);
    sizes.insert(sizes.end(), 2, kWidth);
  }
  sizes.insert(sizes.end(), {kWidth, kWords * kWidth});
  return shrunk(std::move(sizes), shrink);
}

// The families.

namespace {

/// The time until a launching call returns; the queue is never full.
constexpr const char* kLaunch = "host.launch_ns";
/// Launches and one final wait, divided by the number of launches.
constexpr const char* kSubmit = "host.submit_ns";
/// A launch and the wait for it.
constexpr const char* kSync = "e2e.sync_ns";
/// One node of a replayed graph.
constexpr const char* kNode = "graph.node_ns";
/// Work on a device, timed by the device's clock, without the host.
constexpr const char* kDevice = "device.exec_ns";

/// Passes the axes and a clock for device work as arguments of the loop.
auto on_device(const char* loop, const char* clock) {
  return [loop, clock](const Axes& axes) {
    LoopCall call(*find_loop(loop));
    call.arguments = axes;
    call.arguments.emplace_back("clock", clock);
    return call;
  };
}

/// The loop of a rung of the update of the scale.
LoopCall on_rung(const Axes& axes) {
  LoopCall call(*find_loop("update_scale_" + text_of(axes, "rung", "launch")));
  call.arguments.emplace_back("clock", "launch");
  return call;
}

/// Uses the tensor sizes of a network; the axis is `shrink`.
auto on_model(const char* loop, const char* clock,
              std::vector<std::int64_t> (*model)(std::int64_t)) {
  return [loop, clock, model](const Axes& axes) {
    LoopCall call(*find_loop(loop));
    for (const auto& axis : axes) {
      if (axis.first != "shrink") call.arguments.push_back(axis);
    }
    call.arguments.emplace_back("clock", clock);
    call.sizes = model(whole_of(axes, "shrink", 1));
    return call;
  };
}

std::int64_t elements_of(const LoopCall& call) {
  if (!call.sizes.empty()) {
    return std::accumulate(call.sizes.begin(), call.sizes.end(), std::int64_t{0});
  }
  return whole_of(call.arguments, "tensors", 1) * whole_of(call.arguments, "N", 1);
}

std::int64_t width_of(const LoopCall& call) {
  return text_of(call.arguments, "dtype", "f32") == "f32" ? 4 : 2;
}

/// Reads and writes each element of each tensor once.
std::int64_t bytes_of_unscale(const LoopCall& call) {
  return 2 * elements_of(call) * width_of(call);
}
std::int64_t bytes_of_cast(const LoopCall& call) {
  return elements_of(call) * (4 + width_of(call));
}
std::int64_t bytes_of_copy(const LoopCall& call) { return elements_of(call) * 2 * 4; }
/// Crosses the bus, or is only written.
std::int64_t bytes_once(const LoopCall& call) { return elements_of(call) * 4; }
/// Reads gradients twice and writes them once; reads and writes parameters and both moments.
std::int64_t bytes_of_step(const LoopCall& call) { return elements_of(call) * 9 * 4; }

Axis dtypes() { return words("dtype", {"f32", "f16", "bf16"}); }
Axis halves() { return words("dtype", {"f16", "bf16"}); }
Axis sizes() { return open("N", {1 << 10, 1 << 18, 1 << 22, 1 << 26}); }
Axis caches() { return words("l2", {"hot", "cold"}); }
Axis streams() { return words("stream", {"default", "pool", "high"}); }
Axis shrink(std::int64_t usual) { return open("shrink", {usual}); }
/// An empty kernel without arguments is the floor of a launch and of a node. A kernel takes at most
/// 32760 bytes of arguments.
Axis argument_bytes() { return whole("bytes", {0, 8, 1024, 4096, 32760}); }

std::vector<CaseFamily> unscale_families() {
  return {
      {"device/unscale",
       kDevice,
       "unscale of tensors of N elements",
       {dtypes(), open("tensors", {1}), sizes(), caches()},
       on_device("unscale", "device"),
       bytes_of_unscale},
      {"device/unscale_list",
       kDevice,
       "the same, of many",
       {dtypes(), open("tensors", {1000}), open("N", {4096})},
       on_device("unscale", "device"),
       bytes_of_unscale},
      {"device/unscale_at",
       kDevice,
       "at odd multiples of so many bytes",
       {dtypes(), open("N", {1 << 18}), open("alignment", {16, 4})},
       on_device("unscale", "device"),
       bytes_of_unscale},
      {"device/unscale_resnet50",
       kDevice,
       "of ResNet-50's gradients, sizes over shrink",
       {dtypes(), shrink(1)},
       on_model("unscale", "device", resnet50),
       bytes_of_unscale},
      {"device/unscale_transformer7b",
       kDevice,
       "of a 7B transformer's",
       {dtypes(), shrink(16)},
       on_model("unscale", "device", transformer7b),
       bytes_of_unscale},
  };
}

std::vector<CaseFamily> cast_families() {
  return {
      {"device/cast_to",
       kDevice,
       "f32 to dtype",
       {halves(), sizes(), caches()},
       on_device("cast_to", "device"),
       bytes_of_cast},
      {"device/cast_from",
       kDevice,
       "dtype to f32",
       {halves(), sizes(), caches()},
       on_device("cast_from", "device"),
       bytes_of_cast},
      {"device/cast_at",
       kDevice,
       "f32 to dtype, at odd multiples of the alignment",
       {halves(), open("N", {1 << 18}), open("alignment", {16, 4})},
       on_device("cast_to", "device"),
       bytes_of_cast},
  };
}

std::vector<CaseFamily> copy_families() {
  return {
      {"device/copy",
       kDevice,
       "f32 to other memory of the device",
       {sizes(), caches()},
       on_device("copy", "device"),
       bytes_of_copy},
      {"device/copy_in",
       kDevice,
       "f32 from pinned host memory",
       {sizes()},
       on_device("copy_in", "device"),
       bytes_once},
      {"device/copy_out",
       kDevice,
       "f32 to pinned host memory",
       {sizes()},
       on_device("copy_out", "device"),
       bytes_once},
      {"device/memset",
       kDevice,
       "set 4 N bytes",
       {sizes()},
       on_device("memset", "device"),
       bytes_once},
  };
}

}  // namespace

std::vector<CaseFamily> launch_families() {
  return {
      {"launch/kernel",
       kLaunch,
       "one thread, the call",
       {streams()},
       on_device("kernel", "launch")},
      {"submit/kernel",
       kSubmit,
       "one thread, calls and one wait",
       {streams()},
       on_device("kernel", "submit")},
      {"sync/kernel", kSync, "one thread, call and wait", {streams()}, on_device("kernel", "sync")},
      {"graph/kernel", kNode, "one thread, replayed in a graph", {}, on_device("kernel", "device")},
      {"launch/arguments",
       kLaunch,
       "one thread, by bytes of arguments",
       {argument_bytes()},
       on_device("arguments", "launch")},
      {"graph/arguments",
       kNode,
       "the same, replayed",
       {argument_bytes()},
       on_device("arguments", "device")},
      {"launch/update_scale",
       kLaunch,
       "_amp_update_scale_, the call",
       {},
       on_device("update_scale", "launch")},
      {"launch/unscale",
       kLaunch,
       "unscale of small tensors, the call",
       {dtypes(), open("tensors", {1, 100}), open("N", {16})},
       on_device("unscale", "launch")},
      {"launch/update_scale_rung",
       kLaunch,
       "_amp_update_scale_ from its launch up to a boxed call",
       {words("rung", {"launch", "check", "arguments", "choice", "dispatch", "boxing"})},
       on_rung},
      {"launch/scaler_unscale",
       kLaunch,
       "unscale_ and update of a scaler",
       {open("tensors", {1, 10, 160}), open("N", {16})},
       on_device("scaler_unscale", "launch")},
      {"launch/scaler_step",
       kLaunch,
       "step and update of a scaler with a fused optimizer",
       {words("optimizer", {"adam", "sgd"}), open("tensors", {1, 10, 160}), open("N", {16})},
       on_device("scaler_step", "launch")},
      {"launch/step",
       kLaunch,
       "ResNet-50: unscale, Adam, update",
       {shrink(1)},
       on_model("step", "launch", resnet50)},
      {"submit/step",
       kSubmit,
       "the same, and one wait for all",
       {shrink(1)},
       on_model("step", "submit", resnet50)},
  };
}

std::vector<CaseFamily> device_families() {
  std::vector<CaseFamily> all{
      {"device/event_pair",
       kDevice,
       "nothing between two events: the floor of cold",
       {words("l2", {"cold"})},
       on_device("nothing", "device")},
      {"device/update_scale",
       kDevice,
       "_amp_update_scale_",
       {},
       on_device("update_scale", "device")},
      {"device/step",
       kDevice,
       "ResNet-50: unscale, Adam, update",
       {shrink(1)},
       on_model("step", "device", resnet50),
       bytes_of_step},
  };
  for (const auto& theme : {unscale_families(), cast_families(), copy_families()}) {
    all.insert(all.end(), theme.begin(), theme.end());
  }
  return all;
}

}  // namespace assay::measure
