// Integer arithmetic, against 128-bit arithmetic cut to size.
#include "cuda_impl/on_cpu/ptx/tests/snippets/left_open.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/numbers.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Names = std::vector<std::string>;
const Names kAll = {"u16", "u32", "u64", "s16", "s32", "s64"};
const Names kSigned = {"s16", "s32", "s64"};
const Names kLarge = {"u32", "u64", "s32", "s64"};
const Names kSmall = {"u16", "u32", "s16", "s32"};

template <class Function>
void add_each(Snippets& all, const std::string& opcode, const Names& types, std::size_t operands,
              Function function) {
  const char* lists[] = {" %d, %a", " %d, %a, %b", " %d, %a, %b, %c"};
  for (const auto& type : types) {
    all.push_back(
        {opcode + "." + type + lists[operands - 1], type, Names(operands, type),
         on_numbers(type, type, [=](Wide a, Wide b, Wide c) { return function(a, b, c, type); })});
  }
}

Wide high(Wide a, Wide b, const std::string& type) { return (a * b) >> width_of(type); }

/// The product of two unsigned 64-bit numbers does not fit into a signed 128-bit integer.
Wide high_unsigned_64(Wide a, Wide b) {
  const Wide low_mask = 0xffffffff;
  const Wide middle = (a >> 32) * (b & low_mask) + (((a & low_mask) * (b & low_mask)) >> 32);
  const Wide other = (a & low_mask) * (b >> 32) + (middle & low_mask);
  return (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
}

Wide high_product(Wide a, Wide b, const std::string& type) {
  return type == "u64" ? high_unsigned_64(a, b) : high(a, b, type);
}

void add_products(Snippets& all) {
  add_each(all, "mul.lo", kAll, 2, [](Wide a, Wide b, Wide, auto&) {
    return static_cast<Wide>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
  });
  add_each(all, "mul.hi", kAll, 2,
           [](Wide a, Wide b, Wide, auto& type) { return high_product(a, b, type); });
  add_each(all, "mad.lo", kAll, 3, [](Wide a, Wide b, Wide c, auto&) {
    return static_cast<Wide>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)) + c;
  });
  add_each(all, "mad.hi", kAll, 3,
           [](Wide a, Wide b, Wide c, auto& type) { return high_product(a, b, type) + c; });
  for (const auto& type : kSmall) {
    const auto wide = type[0] + std::to_string(2 * width_of(type));
    all.push_back({"mul.wide." + type + " %d, %a, %b",
                   wide,
                   {type, type},
                   on_numbers(type, wide, [](Wide a, Wide b, Wide) { return a * b; })});
    all.push_back({"mad.wide." + type + " %d, %a, %b, %c",
                   wide,
                   {type, type, wide},
                   [=](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
                     return cut(number_of(a, type) * number_of(b, type) + number_of(c, wide),
                                width_of(wide));
                   }});
  }
}

void add_quotients(Snippets& all) {
  add_each(all, "div", kAll, 2,
           [](Wide a, Wide b, Wide, auto&) { return b == 0 ? kByZero : a / b; });
  add_each(all, "rem", kAll, 2,
           [](Wide a, Wide b, Wide, auto&) { return b == 0 ? kByZero : a % b; });
}

void add_carries(Snippets& all) {
  for (const auto& type : kLarge) {
    const auto width = width_of(type);
    const auto carry = [=](std::uint64_t a, std::uint64_t b) {
      return ((static_cast<Wide>(cut(static_cast<Wide>(a), width)) +
               static_cast<Wide>(cut(static_cast<Wide>(b), width))) >>
              width) != 0;
    };
    const auto borrow = [=](std::uint64_t a, std::uint64_t b) {
      return cut(static_cast<Wide>(a), width) < cut(static_cast<Wide>(b), width);
    };
    const std::string t = "." + type + " ";
    all.push_back({"{ .reg .b" + std::to_string(width) + " %low; add.cc" + t +
                       "%low, %a, %b; addc" + t + "%d, %a, %c; }",
                   type,
                   {type, type, type},
                   [=](auto a, auto b, auto c) {
                     return cut(static_cast<Wide>(a) + static_cast<Wide>(c) + (carry(a, b) ? 1 : 0),
                                width);
                   }});
    all.push_back(
        {"{ .reg .b" + std::to_string(width) + " %low; sub.cc" + t + "%low, %a, %b; subc" + t +
             "%d, %a, %c; }",
         type,
         {type, type, type},
         [=](auto a, auto b, auto c) {
           return cut(static_cast<Wide>(a) - static_cast<Wide>(c) - (borrow(a, b) ? 1 : 0), width);
         }});
    all.push_back({"{ .reg .b" + std::to_string(width) + " %low; mad.lo.cc" + t +
                       "%low, %a, %b, %c; madc.hi" + t + "%d, %a, %b, 0; }",
                   type,
                   {type, type, type},
                   [=](auto a, auto b, auto c) {
                     const auto product =
                         static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
                     const Wide top = high_product(number_of(a, type), number_of(b, type), type);
                     return cut(top + (carry(product, c) ? 1 : 0), width);
                   }});
  }
}

}  // namespace

Snippets integer_snippets() {
  Snippets all;
  add_each(all, "add", kAll, 2, [](Wide a, Wide b, Wide, auto&) { return a + b; });
  add_each(all, "sub", kAll, 2, [](Wide a, Wide b, Wide, auto&) { return a - b; });
  add_each(all, "add.sat", {"s32"}, 2,
           [](Wide a, Wide b, Wide, auto& type) { return clamped_to(a + b, type); });
  add_each(all, "sub.sat", {"s32"}, 2,
           [](Wide a, Wide b, Wide, auto& type) { return clamped_to(a - b, type); });
  add_each(all, "min", kAll, 2, [](Wide a, Wide b, Wide, auto&) { return a < b ? a : b; });
  add_each(all, "max", kAll, 2, [](Wide a, Wide b, Wide, auto&) { return a > b ? a : b; });
  add_each(all, "abs", kSigned, 1, [](Wide a, Wide, Wide, auto&) { return a < 0 ? -a : a; });
  add_each(all, "neg", kSigned, 1, [](Wide a, Wide, Wide, auto&) { return -a; });
  add_each(all, "sad", kAll, 3,
           [](Wide a, Wide b, Wide c, auto&) { return c + (a < b ? b - a : a - b); });
  add_products(all);
  add_quotients(all);
  add_carries(all);
  return all;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
