// Converts Python arguments and rejects unsupported ones.
#include "reference/amp/binding.hpp"

#include "reference/core/types/element.hpp"

namespace assay::reference {

namespace {

std::string kind_of(const BoundArgument& argument) {
  struct Visitor {
    std::string operator()(const MissingArgument&) const { return "nothing"; }
    std::string operator()(bool) const { return "bool"; }
    std::string operator()(std::int64_t) const { return "int"; }
    std::string operator()(double) const { return "float"; }
    std::string operator()(const Tensor& tensor) const { return describe(tensor); }
    std::string operator()(const ForeignArgument& foreign) const { return foreign.kind; }
  };
  return std::visit(Visitor{}, argument);
}

bool is_plain_scalar(const Tensor& tensor) {
  if (!tensor.defined() || tensor.is_sparse() || tensor.data() == nullptr) return false;
  return tensor.dim() == 0 && !tensor.requires_grad();
}

}  // namespace

double bind_double(const BoundArgument& argument, const ArgumentPlace& place) {
  if (const auto* real = std::get_if<double>(&argument)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) {
    return static_cast<double>(*integer);
  }
  if (const auto* truth = std::get_if<bool>(&argument)) return *truth ? 1.0 : 0.0;
  const auto* tensor = std::get_if<Tensor>(&argument);
  if (tensor != nullptr && is_plain_scalar(*tensor)) return real_at(*tensor, 0);
  refuse_argument(place, "float", kind_of(argument));
}

std::int64_t bind_int(const BoundArgument& argument, const ArgumentPlace& place) {
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) return *integer;
  const auto* tensor = std::get_if<Tensor>(&argument);
  if (tensor != nullptr && is_plain_scalar(*tensor) && is_integral(tensor->dtype(), false)) {
    return integer_at(*tensor, 0);
  }
  refuse_argument(place, "int", kind_of(argument));
}

Tensor bind_tensor(const BoundArgument& argument, const ArgumentPlace& place) {
  if (const auto* tensor = std::get_if<Tensor>(&argument)) return *tensor;
  refuse_argument(place, "Tensor", kind_of(argument));
}

void refuse_argument(const ArgumentPlace& place, std::string_view wanted, std::string_view got) {
  throw Error(ErrorKind::kType, place.op + "(): argument '" + place.name + "' (position " +
                                    std::to_string(place.position) + ") must be " +
                                    std::string(wanted) + ", not " + std::string(got));
}

}  // namespace assay::reference
