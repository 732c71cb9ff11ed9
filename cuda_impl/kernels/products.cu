// Tiled matrix multiplication through shared memory; convolution with one thread for each output
// element.
#include "cuda_impl/core/launch.cuh"
#include "cuda_impl/kernels/element.cuh"
#include "cuda_impl/kernels/functions.cuh"
#include "cuda_impl/kernels/products.cuh"

namespace assay::cuda {
namespace {

constexpr int kTile = 32;                      ///< rows, columns and depth of a tile
constexpr int kThreadsAcross = 16;             ///< threads of a block in each direction
constexpr int kEach = kTile / kThreadsAcross;  ///< rows and columns of each thread
static_assert(kThreadsAcross * kThreadsAcross == kBlock);

template <typename Wide>
struct Tiles {
  Wide left[kTile][kTile];
  Wide right[kTile][kTile];
};

/// The position of a tile in the batched product.
struct TileAt {
  std::int64_t batch;
  std::int64_t row;
  std::int64_t column;
};

__device__ TileAt tile_at(const MatmulTask& task, std::int64_t tile) {
  const std::int64_t down = (task.rows + kTile - 1) / kTile;
  const std::int64_t across = (task.columns + kTile - 1) / kTile;
  const std::int64_t row = tile / across;
  return {row / down, row % down * kTile, tile % across * kTile};
}

/// Reads one element; positions outside the matrix read as 0.
template <typename T>
__device__ WideOf<T> element_of(const Matrices& matrices, std::int64_t batch, std::int64_t row,
                                std::int64_t column) {
  const auto* data = static_cast<const T*>(matrices.data);
  return convert<WideOf<T>>(
      data[batch * matrices.batch + row * matrices.row + column * matrices.column]);
}

template <typename T>
__device__ void load_tiles(const MatmulTask& task, const TileAt& at, std::int64_t depth,
                           Tiles<WideOf<T>>& tiles) {
  for (int i = threadIdx.x; i < kTile * kTile; i += kBlock) {
    const int row = i / kTile;
    const int column = i % kTile;
    const bool in_left = at.row + row < task.rows && depth + column < task.inner;
    const bool in_right = depth + row < task.inner && at.column + column < task.columns;
    tiles.left[row][column] =
        in_left ? element_of<T>(task.left, at.batch, at.row + row, depth + column) : WideOf<T>{0};
    tiles.right[row][column] =
        in_right ? element_of<T>(task.right, at.batch, depth + row, at.column + column)
                 : WideOf<T>{0};
  }
}

template <typename T>
__device__ void store(const MatmulTask& task, const TileAt& at, WideOf<T> sum) {
  if (at.row >= task.rows || at.column >= task.columns) return;
  using Wide = WideOf<T>;
  Wide value = static_cast<Wide>(task.alpha) * sum;
  if (task.bias.data != nullptr) {
    value += static_cast<Wide>(task.beta) * element_of<T>(task.bias, at.batch, at.row, at.column);
  }
  static_cast<T*>(task.out)[(at.batch * task.rows + at.row) * task.columns + at.column] =
      convert<T>(value);
}

}  // namespace

template <typename T>
__global__ void __launch_bounds__(kBlock)
    matmul_kernel(const __grid_constant__ MatmulTask task, std::int64_t tile_count) {
  using Wide = WideOf<T>;
  auto& tiles = shared_variable<Tiles<Wide>>();
  const int down = threadIdx.x / kThreadsAcross;
  const int across = threadIdx.x % kThreadsAcross;
  for (std::int64_t tile = blockIdx.x; tile < tile_count; tile += gridDim.x) {
    const TileAt at = tile_at(task, tile);
    Wide sums[kEach][kEach] = {};
    for (std::int64_t depth = 0; depth < task.inner; depth += kTile) {
      load_tiles<T>(task, at, depth, tiles);
      __syncthreads();
      for (int k = 0; k < kTile; ++k) {
#pragma unroll
        for (int i = 0; i < kEach * kEach; ++i) {
          const int row = i / kEach;
          const int column = i % kEach;
          sums[row][column] =
              multiply_add(tiles.left[down + row * kThreadsAcross][k],
                           tiles.right[k][across + column * kThreadsAcross], sums[row][column]);
        }
      }
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kEach * kEach; ++i) {
      const int row = i / kEach;
      const int column = i % kEach;
      store<T>(task,
               {at.batch, at.row + down + row * kThreadsAcross,
                at.column + across + column * kThreadsAcross},
               sums[row][column]);
    }
  }
}

void launch_matmul(const MatmulTask& task) {
  const std::int64_t tiles =
      task.batches * ((task.rows + kTile - 1) / kTile) * ((task.columns + kTile - 1) / kTile);
  visit_floating(task.dtype, [&](auto tag) {
    launch(matmul_kernel<Tagged<decltype(tag)>>, {blocks_for(tiles * kBlock)}, task, tiles);
  });
}

template <typename T>
__global__ void __launch_bounds__(kBlock)
    convolution_kernel(const __grid_constant__ ConvolutionTask task) {
  for (auto i = first_index(); i < task.count(); i += index_stride()) {
    static_cast<T*>(task.out)[i] = convolved<T>(task, i);
  }
}

void launch_convolution(const ConvolutionTask& task) {
  visit_floating(task.dtype, [&](auto tag) {
    launch(convolution_kernel<Tagged<decltype(tag)>>, {blocks_for(task.count())}, task);
  });
}

}  // namespace assay::cuda
