// Atomic operations, loads and stores: their results and the memory afterwards.
#include "cuda_impl/on_cpu/ptx/tests/snippets/formats.hpp"
#include "cuda_impl/on_cpu/ptx/tests/snippets/numbers.hpp"

namespace assay::cuda::on_cpu::ptx::snippets {
namespace {

using Word = std::uint64_t;
using Names = std::vector<std::string>;

/// The memory with its low bytes changed.
Word replaced(Word memory, Word value, std::uint32_t width) {
  return memory ^ cut(static_cast<Wide>(memory ^ value), width);
}

/// atom returns the old value, red returns nothing; both store `changed`.
void add_atomic(Snippets& all, const std::string& operation, const std::string& type,
                const Expected& changed) {
  const auto width = width_of(type);
  const Expected old = [=](Word a, Word, Word) { return cut(static_cast<Wide>(a), width); };
  const Expected memory = [=](Word a, Word b, Word c) {
    return replaced(a, changed(cut(static_cast<Wide>(a), width), b, c), width);
  };
  const auto tail = operation + "." + type;
  all.push_back({"atom.global." + tail + " %d, [%m], %b", type, {type, type}, old, memory});
  all.push_back(
      {"atom.acq_rel.gpu.global." + tail + " %d, [%m+0], %b", type, {type, type}, old, memory});
  all.push_back({"red.global." + tail + " [%m], %b", "", {type, type}, {}, memory});
}

Expected sum_of(const std::string& type) {
  return [=](Word a, Word b, Word) {
    Real x(53);
    Real y(53);
    mpfr_set_d(x.get(), value_of(a, type), MPFR_RNDN);
    mpfr_set_d(y.get(), value_of(b, type), MPFR_RNDN);
    return rounded_to(type, MPFR_RNDN, [&](mpfr_ptr result, mpfr_rnd_t mode) {
      return mpfr_add(result, x.get(), y.get(), mode);
    });
  };
}

Word flushed(Word bits) { return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits; }

void add_sums(Snippets& all) {
  for (const std::string type : {"u32", "s32", "u64"})
    add_atomic(all, "add", type,
               on_numbers(type, type, [](Wide a, Wide b, Wide) { return a + b; }));
  add_atomic(all, "add", "f64", sum_of("f64"));
  // PTX: f32 additions in global memory flush subnormal numbers.
  add_atomic(all, "add", "f32", [](Word a, Word b, Word) {
    return flushed(sum_of("f32")(flushed(a), flushed(b), 0));
  });
  for (const std::string type : {"f16", "bf16"}) {
    const auto sum = sum_of(type);
    add_atomic(all, "add.noftz", type, sum);
    add_atomic(all, "add.noftz", type + "x2", [=](Word a, Word b, Word) {
      return sum(a & 0xffff, b & 0xffff, 0) | sum(a >> 16 & 0xffff, b >> 16 & 0xffff, 0) << 16;
    });
  }
}

void add_bitwise(Snippets& all) {
  for (const std::string type : {"b32", "b64"}) {
    add_atomic(all, "and", type, [](Word a, Word b, Word) { return a & b; });
    add_atomic(all, "or", type, [](Word a, Word b, Word) { return a | b; });
    add_atomic(all, "xor", type, [](Word a, Word b, Word) { return a ^ b; });
    all.push_back({"atom.exch." + type + " %d, [%m], %b",
                   type,
                   {type, type},
                   [=](Word a, Word, Word) { return cut(static_cast<Wide>(a), width_of(type)); },
                   [=](Word a, Word b, Word) { return replaced(a, b, width_of(type)); }});
  }
  for (const std::string type : {"b16", "b32", "b64"}) {
    const auto width = width_of(type);
    all.push_back({"atom.global.cas." + type + " %d, [%m], %b, %c",
                   type,
                   {type, type, type},
                   [=](Word a, Word, Word) { return cut(static_cast<Wide>(a), width); },
                   [=](Word a, Word b, Word c) {
                     return cut(static_cast<Wide>(a ^ b), width) == 0 ? replaced(a, c, width) : a;
                   }});
  }
}

void add_ordered(Snippets& all) {
  for (const std::string type : {"u32", "s32", "u64", "s64"}) {
    add_atomic(all, "min", type,
               on_numbers(type, type, [](Wide a, Wide b, Wide) { return a < b ? a : b; }));
    add_atomic(all, "max", type,
               on_numbers(type, type, [](Wide a, Wide b, Wide) { return a > b ? a : b; }));
  }
  add_atomic(all, "inc", "u32", [](Word a, Word b, Word) { return a >= b ? 0 : a + 1; });
  add_atomic(all, "dec", "u32", [](Word a, Word b, Word) { return a == 0 || a > b ? b : a - 1; });
}

/// Loads into registers of the same size and wider, and stores from both.
void add_transfers(Snippets& all) {
  for (const std::string type :
       {"b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64"}) {
    all.push_back({"ld.global." + type + " %d, [%m]", "b64", {"u64"}, [=](Word a, Word, Word) {
                     return static_cast<Word>(number_of(a, type));
                   }});
    all.push_back(
        {"st.global." + type + " [%m], %b", "", {"u64", "u64"}, {}, [=](Word a, Word b, Word) {
           return replaced(a, b, width_of(type));
         }});
  }
  const Expected whole = [](Word a, Word, Word) { return a; };
  for (const std::string modifiers : {"volatile.global", "relaxed.gpu.global", "acquire.cta",
                                      "global.ca", "weak.global.L1::no_allocate.L2::128B"}) {
    all.push_back({"ld." + modifiers + ".u64 %d, [%m]", "u64", {"u64"}, whole});
  }
  // Only memory that no thread writes meanwhile is valid: the operand's own.
  all.push_back({"ld.global.nc.u64 %d, [%in]", "u64", {"u64"}, whole});
  for (const std::string modifiers : {"volatile.global", "relaxed.sys.global", "release.gpu",
                                      "global.cs", "weak.global.L1::evict_last"}) {
    all.push_back(
        {"st." + modifiers + ".f64 [%m], %b", "", {"f64", "f64"}, {}, [](Word, Word b, Word) {
           return b;
         }});
  }
  all.push_back({"{ .reg .f32 %x, %y; ld.v2.f32 {%x, %y}, [%m]; st.v2.f32 [%m], {%y, %x}; }",
                 "",
                 {"u64"},
                 {},
                 [](Word a, Word, Word) { return a >> 32 | a << 32; }});
  all.push_back(
      {"{ .reg .b16 %w<4>; ld.global.v4.u16 {%w0, %w1, %w2, _}, [%m]; st.global.v4.u16 [%m], {%w2, "
       "%w1, %w0, 7}; }",
       "",
       {"u64"},
       {},
       [](Word a, Word, Word) {
         return Word{7} << 48 | (a & 0xffff) << 32 | (a & 0xffff0000) | (a >> 32 & 0xffff);
       }});
}

}  // namespace

Snippets memory_snippets() {
  Snippets all;
  add_sums(all);
  add_bitwise(all);
  add_ordered(all);
  add_transfers(all);
  return all;
}

}  // namespace assay::cuda::on_cpu::ptx::snippets
