// Result shapes of matrix and vector products.
#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "cuda_impl/aten/shapes/rows.hpp"

namespace assay::cuda::aten {
namespace {

void expect_inner(std::int64_t left, std::int64_t right) {
  require(left == right, [&] {
    return "the inner sizes of a product differ: " + std::to_string(left) + " and " +
           std::to_string(right);
  });
}

/// Adds a product to `self`, which is broadcast.
Results added(const ArgumentReader& given, const Shape& product) {
  require(broadcast(given.sizes(0), product) == product,
          [&] { return to_text(given.sizes(0)) + " cannot be stretched to " + to_text(product); });
  return {given.made(product, given.one_type())};
}

Results addmm(const ArgumentReader& given) {
  expect_inner(from_end(given.sizes(1), 1), from_end(given.sizes(2), 2));
  return added(given, {given.sizes(1)[0], given.sizes(2)[1]});
}

Results bilinear(const ArgumentReader& given) {
  const Shape& weight = given.sizes(2);
  require(weight.size() == 3, [&] { return "bilinear takes no weight of " + to_text(weight); });
  expect_inner(from_end(given.sizes(0), 1), weight[1]);
  expect_inner(from_end(given.sizes(1), 1), weight[2]);
  return {given.made(joined(leading(given.sizes(0), 1), {weight[0]}))};
}

Results cdist(const ArgumentReader& given) {
  const Shape& left = given.sizes(0);
  const Shape& right = given.sizes(1);
  expect_inner(from_end(left, 1), from_end(right, 1));
  const Shape batch = broadcast(leading(left, 2), leading(right, 2));
  return {given.made(joined(batch, {from_end(left, 2), from_end(right, 2)}))};
}

Results pdist(const ArgumentReader& given) {
  const std::int64_t rows = from_end(given.sizes(0), 2);
  return {given.made({rows * (rows - 1) / 2})};
}

/// One number for each pair of vectors along a dimension.
Results vecdot(const ArgumentReader& given) {
  const Shape both = broadcast(given.sizes(0), given.sizes(1));
  return {given.made(reduced(both, {given.integer(2)}, false))};
}

Results vdot(const ArgumentReader& given) {
  expect_inner(from_end(given.sizes(0), 1), from_end(given.sizes(1), 1));
  return {given.made({}, given.one_type())};
}

Results cross(const ArgumentReader& given) {
  return {given.made(broadcast(given.sizes(0), given.sizes(1)))};
}

/// An einsum equation with an explicit output and without an ellipsis.
class Equation {
 public:
  explicit Equation(std::string_view text) {
    const std::size_t arrow = text.find("->");
    const bool is_known =
        arrow != std::string_view::npos && text.find('.') == std::string_view::npos;
    require(is_known, ErrorKind::kNotImplemented,
            [] { return "einsum is known here with an output and without an ellipsis"; });
    terms_ = {""};
    for (const char letter : text.substr(0, arrow)) add(letter);
    for (const char letter : text.substr(arrow + 2)) {
      if (letter != ' ') output_ += letter;
    }
  }

  Shape output_of(const std::vector<Tensor>& tensors) const {
    std::map<char, std::int64_t> sizes;
    require(tensors.size() == terms_.size(),
            [] { return "einsum(): another number of operands than of terms"; });
    for (std::size_t i = 0; i < tensors.size(); ++i) learn(terms_[i], tensors[i].sizes(), sizes);
    Shape shape;
    for (const char letter : output_) {
      require(sizes.contains(letter), [&] {
        return std::string("einsum(): output subscript ") + letter + " does not appear";
      });
      shape.push_back(sizes[letter]);
    }
    return shape;
  }

 private:
  void add(char letter) {
    if (letter == ',') {
      terms_.emplace_back();
    } else if (letter != ' ') {
      terms_.back() += letter;
    }
  }

  static void learn(const std::string& term, const Shape& shape,
                    std::map<char, std::int64_t>& sizes) {
    require(term.size() == shape.size(),
            [&] { return "einsum(): the subscripts " + term + " do not match " + to_text(shape); });
    for (std::size_t i = 0; i < term.size(); ++i) {
      std::int64_t& known = sizes.try_emplace(term[i], shape[i]).first->second;
      require(known == shape[i] || known == 1 || shape[i] == 1, [&] {
        return std::string("einsum(): operands do not broadcast in subscript ") + term[i];
      });
      known = std::max(known, shape[i]);
    }
  }

  std::vector<std::string> terms_;
  std::string output_;
};

Results einsum(const ArgumentReader& given) {
  return {given.made(Equation(given.text(0)).output_of(given.tensors(1)), given.one_type())};
}

constexpr auto kRows = std::to_array<ShapeRow>({
    {"_addmm_activation(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, "
     "bool use_gelu=False) -> Tensor",
     addmm},
    {"bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
     bilinear},
    {"cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor", cdist},
    {"pdist(Tensor self, float p=2) -> Tensor", pdist},
    {"linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", vecdot},
    {"cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor", vecdot},
    {"vdot(Tensor self, Tensor other) -> Tensor", vdot},
    {"cross(Tensor self, Tensor other, int? dim=None) -> Tensor", cross},
    {"einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", einsum},
});

}  // namespace

std::span<const ShapeRow> product_rows() { return kRows; }

}  // namespace assay::cuda::aten
