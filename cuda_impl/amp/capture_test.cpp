// Both operators in a CUDA graph: their inputs are read at replay (AMP-120, AMP-503).
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <functional>

#include "cuda_impl/amp/operators.hpp"
#include "cuda_impl/core/cuda_check.hpp"

namespace assay::cuda {
namespace {

const Device kDevice = cuda_device(0);

Tensor number(double value, Dtype dtype = Dtype::kFloat32) {
  return full({}, value, dtype, kDevice);
}

void set(const Tensor& tensor, float value) {
  write_elements(tensor, reinterpret_cast<const std::byte*>(&value));
  cuda_check(cudaDeviceSynchronize());
}

/// A CUDA graph of what `work` launches.
class Graph {
 public:
  explicit Graph(const std::function<void()>& work) {
    cuda_check(cudaStreamCreate(&stream_));
    cudaGraph_t graph = nullptr;
    {
      const StreamScope scope(stream_);
      cuda_check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
      work();
      cuda_check(cudaStreamEndCapture(stream_, &graph));
    }
    cuda_check(cudaGraphInstantiate(&graph_, graph, 0));
    cuda_check(cudaGraphDestroy(graph));
  }
  ~Graph() {
    cuda_warn(cudaGraphExecDestroy(graph_));
    cuda_warn(cudaStreamDestroy(stream_));
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void run() {
    cuda_check(cudaGraphLaunch(graph_, stream_));
    cuda_check(cudaStreamSynchronize(stream_));
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
};

TEST(Capture, OfUnscaleHonoursAnInverseThatChangesLater) {
  const std::vector<Tensor> grads = {full({5000}, 16, Dtype::kFloat32, kDevice)};
  const Tensor flag = number(0);
  const Tensor inverse = number(0.5);
  Graph graph([&] { amp_unscale_({grads, flag, inverse}, {}); });
  const Tensor last = as_strided(grads[0], {}, {}, 4999);

  EXPECT_EQ(read_number(last), 16);  // nothing runs during the capture
  graph.run();
  EXPECT_EQ(read_number(last), 8);
  set(inverse, 0.25f);
  graph.run();
  EXPECT_EQ(read_number(last), 2);
  EXPECT_EQ(read_number(flag), 0);
}

TEST(Capture, OfAnUpdateMovesTheSameScaleAtEachReplay) {
  const Tensor scale = number(8);
  const Tensor tracker = number(0, Dtype::kInt32);
  const Tensor flag = number(0);
  Graph graph([&] { amp_update_scale_({scale, tracker, flag}, {2.0, 0.5, 2}, {}); });

  graph.run();
  EXPECT_EQ(read_number(scale), 8);
  graph.run();
  EXPECT_EQ(read_number(scale), 16);
  set(flag, 1.0f);
  graph.run();
  EXPECT_EQ(read_number(scale), 8);
  EXPECT_EQ(read_number(tracker), 0);
}

TEST(Capture, OfBothInOneCallUpdatesAtEachReplay) {
  const std::vector<Tensor> grads = {full({9000}, 16, Dtype::kFloat16, kDevice),
                                     full({70}, 16, Dtype::kFloat16, kDevice)};
  const Tensor scale = number(8);
  const Tensor tracker = number(0, Dtype::kInt32);
  const Tensor flag = number(0);
  const Tensor inverse = number(0.5);
  Graph graph([&] {
    amp_unscale_and_update_({{grads, flag, inverse}, scale, tracker}, {2.0, 0.5, 2}, {});
  });

  graph.run();
  graph.run();
  EXPECT_EQ(read_number(scale), 16);
  const std::uint16_t infinity = 0x7c00;
  write_elements(as_strided(grads[1], {}, {}, 69), reinterpret_cast<const std::byte*>(&infinity));
  graph.run();
  EXPECT_EQ(read_number(flag), 1);
  EXPECT_EQ(read_number(scale), 8);
}

}  // namespace
}  // namespace assay::cuda
