// The names and widths of dtypes.
#include "harness/protocol/dtype.hpp"

#include <array>

namespace assay {
namespace {

struct Row {
  Dtype dtype;
  std::string_view name;
  std::size_t bits;
};

constexpr std::array kRows{
    Row{Dtype::kUint8, "uint8", 8},
    Row{Dtype::kInt8, "int8", 8},
    Row{Dtype::kInt16, "int16", 16},
    Row{Dtype::kInt32, "int32", 32},
    Row{Dtype::kInt64, "int64", 64},
    Row{Dtype::kFloat16, "float16", 16},
    Row{Dtype::kFloat32, "float32", 32},
    Row{Dtype::kFloat64, "float64", 64},
    Row{Dtype::kComplex32, "complex32", 0},
    Row{Dtype::kComplex64, "complex64", 0},
    Row{Dtype::kComplex128, "complex128", 0},
    Row{Dtype::kBool, "bool", 8},
    Row{Dtype::kQint8, "qint8", 0},
    Row{Dtype::kQuint8, "quint8", 0},
    Row{Dtype::kQint32, "qint32", 0},
    Row{Dtype::kBfloat16, "bfloat16", 16},
    Row{Dtype::kQuint4x2, "quint4x2", 0},
    Row{Dtype::kQuint2x4, "quint2x4", 0},
    Row{Dtype::kBits1x8, "bits1x8", 0},
    Row{Dtype::kBits2x4, "bits2x4", 0},
    Row{Dtype::kBits4x2, "bits4x2", 0},
    Row{Dtype::kBits8, "bits8", 0},
    Row{Dtype::kBits16, "bits16", 0},
    Row{Dtype::kFloat8E5m2, "float8_e5m2", 0},
    Row{Dtype::kFloat8E4m3fn, "float8_e4m3fn", 0},
    Row{Dtype::kFloat8E5m2fnuz, "float8_e5m2fnuz", 0},
    Row{Dtype::kFloat8E4m3fnuz, "float8_e4m3fnuz", 0},
    Row{Dtype::kUint16, "uint16", 0},
    Row{Dtype::kUint32, "uint32", 0},
    Row{Dtype::kUint64, "uint64", 0},
    Row{Dtype::kUndefined, "undefined", 0},
};

const Row& row_of(Dtype dtype) { return kRows[static_cast<std::size_t>(dtype)]; }

}  // namespace

std::string_view name_of(Dtype dtype) { return row_of(dtype).name; }

std::optional<Dtype> dtype_named(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

std::size_t bits_per_element(Dtype dtype) { return row_of(dtype).bits; }

bool is_floating(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat16:
    case Dtype::kFloat32:
    case Dtype::kFloat64:
    case Dtype::kBfloat16:
      return true;
    default:
      return false;
  }
}

}  // namespace assay
