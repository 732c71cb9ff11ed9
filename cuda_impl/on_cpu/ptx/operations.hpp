// The operations of translated PTX: one function template per opcode. For generated files only.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "cuda_impl/on_cpu/ptx/local_memory.hpp"
#include "cuda_impl/on_cpu/ptx/operations_bits.hpp"
#include "cuda_impl/on_cpu/ptx/operations_compare.hpp"
#include "cuda_impl/on_cpu/ptx/operations_convert.hpp"
#include "cuda_impl/on_cpu/ptx/operations_float.hpp"
#include "cuda_impl/on_cpu/ptx/operations_half.hpp"
#include "cuda_impl/on_cpu/ptx/operations_integer.hpp"
#include "cuda_impl/on_cpu/ptx/operations_memory.hpp"
#include "cuda_impl/on_cpu/ptx/operations_threads.hpp"
#include "cuda_impl/on_cpu/ptx/values.hpp"
