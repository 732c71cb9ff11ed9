// Unit tests of the translation: its output, and its errors with line, text and reason.
#include "cuda_impl/on_cpu/ptx/translator/translate.hpp"

#include <gtest/gtest.h>

#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

constexpr const char* kHeader = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// A kernel whose body has registers of all kinds; the body begins on line 10 of the module.
std::string kernel(const std::string& body) {
  return std::string(kHeader) +
         ".visible .entry k(.param .u64 p, .param .align 8 .b8 big[24])\n{\n"
         ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
         ".reg .f32 %f<4>; .reg .f64 %g<4>; .reg .s32 %s; .reg .f16 %half;\n"
         ".shared .align 4 .b8 array[20];\n\n" +
         body + "\nret;\n}\n";
}

std::string statement(const std::string& body) { return translate(kernel(body)); }

/// The error message; empty if the module was translated.
std::string refusal(const std::string& module) {
  try {
    translate(module);
  } catch (const Refusal& refused) {
    return refused.what();
  }
  return "";
}

void expect_has(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "expected " << part << " in\n" << text;
}

TEST(Translate, ReadsRegistersAsTheInstructionsType) {
  expect_has(statement("add.s32 %r1, %r2, -5;"),
             "set(v_r1, add(get<s32>(v_r2), literal<s32>(0xfffffffb)));");
  expect_has(
      statement("fma.rn.f32 %f0, %f1, %r2, 0f3F800000;"),
      "set(v_f0, fma<Rounding::rn>(get<f32>(v_f1), get<f32>(v_r2), literal<f32>(0x3f800000)));");
}

TEST(Translate, CutsAndExtendsWhereLoadsAndConversionsMay) {
  expect_has(statement("ld.global.s8 %r1, [%d1+-4];"),
             "set_wide(v_r1, load<Access::weak_, s8, 1>(v_d1 + 0xfffffffffffffffcu));");
  expect_has(statement("cvt.rn.f32.s8 %f1, %r1;"), "cvt<Rounding::rn, f32>(low<s8>(v_r1))");
  expect_has(statement("st.shared.u8 [array+19], %r1;"),
             "store<Access::weak_>(shared + u64{0} + 0x13u, low<u8>(v_r1));");
}

TEST(Translate, GuardsInstructionsByPredicates) {
  expect_has(statement("@!%p1 bra done; done:"), "if (!v_p1) { goto L_done; }");
}

TEST(Translate, GivesNamesOfInnerBlocksTheirOwn) {
  const auto text = statement("{ .reg .b32 %r1; mov.u32 %r1, %tid.x; } mov.u32 %r2, %r1;");

  expect_has(text, "set(v_r1_2, copy(get<u32>(here.thread_index.x)));");
  expect_has(text, "set(v_r2, copy(get<u32>(v_r1)));");
}

TEST(Translate, TellsTheRuntimeAboutTheKernel) {
  const auto text = translate(kernel(""));

  expect_has(text, "kParameters0 = {8, 24, }");
  expect_has(text, "kShared0 = {SharedArray{0, 20}, }");
  expect_has(text, "TranslatedKernel{\"k\", &kernel_k, kParameters0, kShared0, 64, 0, 0}");
}

TEST(Translate, PutsDynamicSharedMemoryBehindTheArrays) {
  const auto module = std::string(kHeader) + ".extern .shared .align 16 .b8 dyn[];\n" +
                      kernel("mov.u32 %r1, dyn;").substr(std::string(kHeader).size());

  expect_has(translate(module), "constexpr u64 kDynamicShared = 64;");
}

TEST(Translate, KeepsInitialValuesOfVariables) {
  const auto text = translate(
      std::string(kHeader) +
      ".const .align 4 .f32 table[3] = {0f3F800000, 0f40000000};\n.global .u32 count = 258;\n");

  expect_has(text, "g_table[12] = {0,0,128,63,0,0,0,64,}");
  expect_has(text, "g_count[4] = {2,1,0,0,}");
  expect_has(text, "TranslatedVariable{\"count\", g_count, sizeof g_count}");
}

TEST(Translate, NamesTheKernelsLineWhereCodeWasInlinedIntoIt) {
  const auto module =
      kernel(".loc 1 7 3\n.loc 2 90 1, function_name $x, inlined_at 1 7 3\nmov.u32 %r1, 1;") +
      ".file 1 \"/src/build/../a.cu\"\n.file 2 \"/cuda/cub.cuh\"\n";

  expect_has(translate(module), "#line 90 \"/cuda/cub.cuh\"\nset(v_r1");
  expect_has(translate(module, {.source_root = "/src/"}), "#line 7 \"/src/a.cu\"\nset(v_r1");
}

TEST(Translate, CallsFunctionsOfTheFile) {
  const auto function = std::string(
      ".func (.param .b32 out) twice(.param .b32 in)\n{ .reg .b32 %x; ld.param.b32 %x, [in]; "
      "add.u32 %x, %x, %x; st.param.b32 [out], %x; ret; }\n");
  const auto call = kernel(
      "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), twice, (a); "
      "ld.param.b32 %r2, [b]; }");
  const auto text =
      translate(std::string(kHeader) + function + call.substr(std::string(kHeader).size()));

  expect_has(text, "function_twice(address_of(m_b), address_of(m_a));");
}

struct Refused {
  const char* name;
  const char* body;
  const char* reason;
};

class Refuses : public testing::TestWithParam<Refused> {};

TEST_P(Refuses, WithLineTextAndReason) {
  const auto text = refusal(kernel(GetParam().body));

  expect_has(text, "line 10: ");
  expect_has(text, GetParam().reason);
}

INSTANTIATE_TEST_SUITE_P(
    What, Refuses,
    testing::Values(
        Refused{"AnOpcode", "ex2.approx.f32 %f1, %f2;", "ex2.approx.f32: unknown opcode ex2"},
        Refused{"AModifier", "add.ftz.f32 %f1, %f2, %f3;", "add.ftz.f32: unknown modifier .ftz"},
        Refused{"AnApproximation", "sqrt.approx.f32 %f1, %f2;", "unknown modifier .approx"},
        Refused{"AType", "add.b32 %r1, %r2, %r3;", "unknown modifier .b32"},
        Refused{"AMissingRounding", "fma.f32 %f1, %f2, %f3, %f0;", "unknown modifier .f32"},
        Refused{"AMissingType", "mul.lo %r1, %r2, %r3;", "a modifier or type is missing"},
        Refused{"AWiderRegister", "add.s32 %r1, %r2, %d3;",
                "%d3: expected a register for .s32, saw one of .b64"},
        Refused{"ANarrowerResult", "cvt.u64.u32 %r1, %r2;", "%r1: expected a register for .u64"},
        Refused{"AFloatForAnInteger", "add.s32 %r1, %f1, %r2;",
                "%f1: expected a register for .s32, saw one of .f32"},
        Refused{"AnIntegerForAFloat", "add.f32 %f1, %s, %f2;",
                "%s: expected a register for .f32, saw one of .s32"},
        Refused{"AHalfForABrainHalf", "add.bf16 %h1, %half, %h2;",
                "%half: expected a register for .bf16"},
        Refused{"APredicateForANumber", "add.s32 %r1, %p1, %r2;",
                "%p1: expected a register for .s32"},
        Refused{"AConstantThatDoesNotFit", "add.u16 %h1, %h2, 65536;",
                "the constant does not fit .u16"},
        Refused{"AnIntegerConstantForAFloat", "add.f32 %f1, %f2, 1;",
                "an integer constant for .f32"},
        Refused{"ADoubleConstantForAFloat", "mov.f32 %f1, 0d3FF0000000000000;",
                "a float constant for .f32"},
        Refused{"AnUnknownName", "mov.u32 %r1, %r9;", "%r9: nothing of that name is declared here"},
        Refused{"AnUnknownSpecialRegister", "mov.u32 %r1, %smid;", "%smid: nothing of that name"},
        Refused{"AWriteToASpecialRegister", "mov.u32 %tid.x, %r1;",
                "a special register cannot be written"},
        Refused{"TooFewOperands", "add.s32 %r1, %r2;", "no known form of it has these 2 operands"},
        Refused{"TooManyOperands", "not.b32 %r1, %r2, %r3;",
                "no known form of it has these 3 operands"},
        Refused{"AVectorOfAnotherSize", "ld.global.v2.f32 {%f1, %f2, %f3}, [%d1];",
                "expected 2 registers"},
        Refused{"AnAccessBeyondAParameter", "ld.param.u64 %d1, [big+20];",
                "beyond the 24 bytes of the variable"},
        Refused{"AnAccessInAnotherSpace", "ld.global.u32 %r1, [array];",
                "a variable of .shared in an access to .global"},
        Refused{"AShortGlobalAddress", "ld.global.u32 %r1, [%r2];",
                "a 32-bit register for an address"},
        Refused{"AStoreToAConstant", "st.const.u32 [%d1], %r2;", "unknown modifier .const"},
        Refused{"AJumpToNowhere", "bra nowhere;", "no label nowhere here"},
        Refused{"ACallToNowhere", "call nowhere;", "nowhere is not a function of this file"},
        Refused{"AnUnknownDirective", ".callprototype x;",
                ".callprototype: unknown directive in a function"},
        Refused{"ANegatedNumber", "add.s32 %r1, !%r2, %r3;", "only predicates are negated"},
        Refused{"ADoubleDeclaration", ".reg .b32 %r1;", "%r1: declared twice in one block"},
        Refused{"ADecimalFloat", "mov.f32 %f1, 1.5;", "not a number that the translator knows"}),
    [](const auto& refused) { return refused.param.name; });

TEST(Translate, RefusesWhatAModuleMayNotHave) {
  const std::string header = kHeader;

  expect_has(refusal(".version 5.0\n"), "expected a version of PTX from 6.0 to 9.9");
  expect_has(refusal(".version 9.0\n.target sm_90\n.address_size 32\n"), "expected 64");
  expect_has(refusal(header + ".texref t;\n"), "line 4: .texref: unknown directive");
  expect_has(refusal(header + ".global .attribute(.managed) .u32 x;\n"), "no attributes");
  expect_has(refusal(header + ".extern .global .u32 x;\n"), "that is defined here");
  expect_has(refusal(header + ".global .u32 x = {1, 2};\n"), "more initial values than elements");
  expect_has(refusal(header + ".visible .entry k() .reqnctapercluster 2 { ret; }\n"),
             "unknown directive of a kernel");
}

}  // namespace
}  // namespace assay::cuda::on_cpu::ptx
