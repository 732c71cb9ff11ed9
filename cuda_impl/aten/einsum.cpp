// Contracts tensors pair by pair, as a batch of matrix products each.
#include "cuda_impl/aten/einsum.hpp"

#include <map>
#include <string>
#include <utility>

#include "cuda_impl/autograd/functions.hpp"
#include "cuda_impl/autograd/views.hpp"
#include "cuda_impl/operators/views.hpp"

namespace assay::cuda::aten {
namespace {

bool has(std::string_view letters, char letter) {
  return letters.find(letter) != std::string_view::npos;
}

struct Equation {
  std::vector<std::string> terms = {""};
  std::string result;
};

/// Without an arrow, the result has the letters that occur once, in the alphabet's order.
Equation equation_of(std::string_view text) {
  Equation made;
  std::map<char, int> seen;
  const std::size_t arrow = text.find("->");
  for (const char letter : text.substr(0, arrow)) {
    if (letter == ' ') continue;
    if (letter == ',') {
      made.terms.emplace_back();
      continue;
    }
    require(letter != '.' && !has(made.terms.back(), letter), ErrorKind::kNotImplemented,
            [] { return "einsum is known here without ellipses and without diagonals"; });
    made.terms.back() += letter;
    ++seen[letter];
  }
  if (arrow == std::string_view::npos) {
    for (const auto& [letter, times] : seen) {
      if (times == 1) made.result += letter;
    }
    return made;
  }
  for (const char letter : text.substr(arrow + 2)) {
    if (letter == ' ') continue;
    require(seen.contains(letter) && !has(made.result, letter), [&] {
      return std::string("einsum(): output subscript ") + letter +
             " does not appear in the equation for any input operand, or appears twice";
    });
    made.result += letter;
  }
  return made;
}

/// A tensor with a letter for each dimension.
struct Lettered {
  Tensor tensor;
  std::string letters;

  std::int64_t size(char letter) const { return tensor.sizes()[letters.find(letter)]; }
  Shape sizes(std::string_view of) const {
    Shape found;
    for (const char letter : of) found.push_back(size(letter));
    return found;
  }
  std::int64_t count(std::string_view of) const { return numel_of(sizes(of)); }
};

Tensor in_order(const Lettered& given, std::string_view order) {
  Tensor turned = given.tensor;
  std::string now = given.letters;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t from = now.find(order[i]);
    if (from == i) continue;
    turned = transpose(turned, static_cast<std::int64_t>(i), static_cast<std::int64_t>(from));
    std::swap(now[i], now[from]);
  }
  return turned.is_same(given.tensor) ? turned : autograd::view_of(turned, given.tensor);
}

Lettered summed_to(const Lettered& given, std::string_view kept) {
  Reduced over;
  std::string left;
  for (std::size_t i = 0; i < given.letters.size(); ++i) {
    if (has(kept, given.letters[i])) {
      left += given.letters[i];
    } else {
      over.dims.push_back(static_cast<std::int64_t>(i));
    }
  }
  return over.dims.empty() ? given : Lettered{autograd::sum(given.tensor, over), left};
}

/// A dimension of size 1 beside a longer one of the same letter is left out.
Lettered without_stretched(const Lettered& given, const Lettered& other) {
  std::string left;
  for (const char letter : given.letters) {
    const bool is_shared = has(other.letters, letter) && given.size(letter) != other.size(letter);
    if (!is_shared || given.size(letter) != 1) left += letter;
  }
  if (left == given.letters) return given;
  return {autograd::reshaped(given.tensor, given.sizes(left)), left};
}

Lettered joined(const Lettered& one, const Lettered& two, std::string_view kept,
                const BatchProduct& product) {
  Lettered left = without_stretched(one, two);
  Lettered right = without_stretched(two, one);
  left = summed_to(left, std::string(kept) + right.letters);
  right = summed_to(right, std::string(kept) + left.letters);
  std::string batch;
  std::string inner;
  std::string rows;
  std::string columns;
  for (const char letter : left.letters) {
    const bool is_shared = has(right.letters, letter);
    require(!is_shared || left.size(letter) == right.size(letter), [&] {
      return std::string("einsum(): operands do not broadcast in subscript ") + letter;
    });
    (is_shared ? (has(kept, letter) ? batch : inner) : rows) += letter;
  }
  for (const char letter : right.letters) {
    if (!has(left.letters, letter)) columns += letter;
  }
  const std::int64_t batches = left.count(batch);
  const Tensor made =
      product(autograd::reshaped(in_order(left, batch + rows + inner),
                                 {batches, left.count(rows), left.count(inner)}),
              autograd::reshaped(in_order(right, batch + inner + columns),
                                 {batches, right.count(inner), right.count(columns)}),
              !inner.empty());
  Shape sizes = left.sizes(batch + rows);
  const Shape more = right.sizes(columns);
  sizes.insert(sizes.end(), more.begin(), more.end());
  return {autograd::reshaped(made, sizes), batch + rows + columns};
}

}  // namespace

Tensor contracted(std::string_view text, const std::vector<Tensor>& tensors,
                  const BatchProduct& product) {
  const Equation equation = equation_of(text);
  require(tensors.size() == equation.terms.size(),
          [] { return "einsum(): the equation has another number of terms than operands"; });
  std::vector<Lettered> operands;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    require(static_cast<std::size_t>(tensors[i].dim()) == equation.terms[i].size(), [&] {
      return "einsum(): the subscripts " + equation.terms[i] + " do not match " +
             describe(tensors[i]);
    });
    operands.push_back({tensors[i], equation.terms[i]});
  }
  Lettered made = operands.front();
  for (std::size_t i = 1; i < operands.size(); ++i) {
    std::string kept = equation.result;
    for (std::size_t later = i + 1; later < operands.size(); ++later) {
      kept += operands[later].letters;
    }
    made = joined(made, operands[i], kept, product);
  }
  made = summed_to(made, equation.result);
  return in_order(made, equation.result);
}

}  // namespace assay::cuda::aten
