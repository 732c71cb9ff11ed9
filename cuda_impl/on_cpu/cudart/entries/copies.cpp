// Runtime calls that copy and fill memory.
#include <cuda_runtime_api.h>

#include <cstring>
#include <memory>

#include "cuda_impl/on_cpu/cudart/calls.hpp"
#include "cuda_impl/on_cpu/cudart/capture.hpp"
#include "cuda_impl/on_cpu/cudart/memory/memory.hpp"

using namespace assay::cuda::on_cpu;

namespace {

/// `count` rows of `width` bytes, `pitch` bytes apart.
struct Rows {
  const void* begin = nullptr;
  std::size_t pitch = 0;
  std::size_t width = 0;
  std::size_t count = 1;

  const unsigned char* row(std::size_t i) const {
    return static_cast<const unsigned char*>(begin) + i * pitch;
  }
  unsigned char* row_to_write(std::size_t i) const { return const_cast<unsigned char*>(row(i)); }
  std::size_t extent() const { return width == 0 ? 0 : (count - 1) * pitch + width; }
  bool is_empty() const { return width == 0 || count == 0; }
};

enum class Side { kAny, kDevice };

bool is_pageable(const Rows& rows) { return Memory::get().find(rows.begin) == nullptr; }

/// Returns 0 if the rows are inside one allocation, or at an unknown address, which may be host
/// memory. The complaint names the allocation.
int refuse_range(const std::string& call, const Rows& rows, Side side) {
  const Memory& memory = Memory::get();
  const Piece* const piece = memory.find(rows.begin);
  if (piece == nullptr && side == Side::kAny) return 0;
  if (piece == nullptr || (side == Side::kDevice && piece->is_host)) {
    return Calls::get().complain(
        1, call + ": expected memory of a device, saw " + memory.description(rows.begin));
  }
  const bool is_inside = rows.extent() <= memory.bytes_from(rows.begin);
  if (is_inside && (piece->is_alive || piece->is_of_graph)) return 0;
  return Calls::get().complain(1, call + ": expected " + std::to_string(rows.extent()) +
                                      " bytes from " + memory.description(rows.begin) + " on");
}

int refuse_copy(const std::string& call, const Rows& target, const Rows& source,
                cudaMemcpyKind kind) {
  if (target.width > target.pitch || source.width > source.pitch) return 12;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const int code = refuse_range(call, target, to_device ? Side::kDevice : Side::kAny);
  return code != 0 ? code : refuse_range(call, source, from_device ? Side::kDevice : Side::kAny);
}

void copy_rows(const Rows& target, const Rows& source) {
  const ProgramAccessScope seen;
  for (std::size_t i = 0; i < target.count; ++i) {
    std::memmove(target.row_to_write(i), source.row(i), target.width);
  }
}

/// Reads a pageable source during the call (STR-033), except in a capture, whose launches read it.
/// The copy itself runs on the device.
Operation copy(const Rows& target, const Rows& source, bool is_captured) {
  Operation run;
  if (!is_pageable(source) || is_captured) {
    run.run = [=] { copy_rows(target, source); };
    return run;
  }
  auto staged = std::make_shared<std::vector<unsigned char>>(source.width * source.count);
  const Rows stage{staged->data(), source.width, source.width, source.count};
  copy_rows(stage, source);
  run.run = [target, stage, staged] { copy_rows(target, stage); };
  return run;
}

int copy_async(std::unique_lock<std::mutex>& lock, const Rows& target, const Rows& source,
               cudaMemcpyKind kind, cudaStream_t stream) {
  const LinePtr line = line_of(stream);
  if (line == nullptr) return 400;
  if (target.is_empty()) return 0;
  if (const int code = refuse_copy("memcpy", target, source, kind); code != 0) return code;
  const bool is_captured = capture_of(line) != nullptr;
  const int code = submit_or_capture(line, copy(target, source, is_captured), "copy");
  if (code != 0 || !is_pageable(target) || is_captured) return code;
  // A pageable target is written before the call returns.
  return Machine::get().wait(lock, {end_of(line)}) ? Machine::get().lost(line->device) : 702;
}

int copy_now(std::unique_lock<std::mutex>& lock, const Rows& target, const Rows& source,
             cudaMemcpyKind kind) {
  const int code = copy_async(lock, target, source, kind, nullptr);
  if (code != 0) return code;
  const LinePtr line = line_of(nullptr);
  if (!Machine::get().wait(lock, {end_of(line)})) return 702;
  return Machine::get().lost(line->device);
}

int fill_async(const Rows& target, int value, cudaStream_t stream) {
  const LinePtr line = line_of(stream);
  if (line == nullptr) return 400;
  if (target.is_empty()) return 0;
  if (target.width > target.pitch) return 12;
  if (is_pageable(target)) return refuse_range("memset", target, Side::kDevice);
  if (const int code = refuse_range("memset", target, Side::kAny); code != 0) return code;
  Operation fill;
  fill.run = [=] {
    const ProgramAccessScope seen;
    for (std::size_t i = 0; i < target.count; ++i) {
      std::memset(target.row_to_write(i), value, target.width);
    }
  };
  return submit_or_capture(line, std::move(fill), "memset");
}

Rows line_of_bytes(const void* begin, std::size_t count) { return {begin, count, count, 1}; }

std::string shown_bytes(std::size_t count) { return std::to_string(count); }

}  // namespace

extern "C" {

cudaError_t cudaMemcpyAsync(void* target, const void* source, std::size_t count,
                            cudaMemcpyKind kind, cudaStream_t stream) {
  return call("memcpy_async", shown(stream) + ", " + shown_bytes(count), true, [&](auto& lock) {
    return copy_async(lock, line_of_bytes(target, count), line_of_bytes(source, count), kind,
                      stream);
  });
}

cudaError_t cudaMemcpy(void* target, const void* source, std::size_t count, cudaMemcpyKind kind) {
  return call("memcpy", shown_bytes(count), true, [&](auto& lock) {
    return copy_now(lock, line_of_bytes(target, count), line_of_bytes(source, count), kind);
  });
}

cudaError_t cudaMemcpyPeerAsync(void* target, int, const void* source, int, std::size_t count,
                                cudaStream_t stream) {
  return cudaMemcpyAsync(target, source, count, cudaMemcpyDeviceToDevice, stream);
}

cudaError_t cudaMemcpyPeer(void* target, int, const void* source, int, std::size_t count) {
  return cudaMemcpy(target, source, count, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source,
                              std::size_t source_pitch, std::size_t width, std::size_t height,
                              cudaMemcpyKind kind, cudaStream_t stream) {
  return call("memcpy_async", shown(stream) + ", " + shown_bytes(width * height), true,
              [&](auto& lock) {
                return copy_async(lock, {target, target_pitch, width, height},
                                  {source, source_pitch, width, height}, kind, stream);
              });
}

cudaError_t cudaMemcpy2D(void* target, std::size_t target_pitch, const void* source,
                         std::size_t source_pitch, std::size_t width, std::size_t height,
                         cudaMemcpyKind kind) {
  return call("memcpy", shown_bytes(width * height), true, [&](auto& lock) {
    return copy_now(lock, {target, target_pitch, width, height},
                    {source, source_pitch, width, height}, kind);
  });
}

cudaError_t cudaMemsetAsync(void* target, int value, std::size_t count, cudaStream_t stream) {
  return call("memset_async", shown(stream) + ", " + shown_bytes(count), true,
              [&](auto&) { return fill_async(line_of_bytes(target, count), value, stream); });
}

cudaError_t cudaMemset(void* target, int value, std::size_t count) {
  return cudaMemsetAsync(target, value, count, nullptr);
}

cudaError_t cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width,
                              std::size_t height, cudaStream_t stream) {
  return call("memset_async", shown(stream) + ", " + shown_bytes(width * height), true, [&](auto&) {
    return fill_async({target, pitch, width, height}, value, stream);
  });
}

cudaError_t cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width,
                         std::size_t height) {
  return cudaMemset2DAsync(target, pitch, value, width, height, nullptr);
}

}  // extern "C"
