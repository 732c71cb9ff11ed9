// Reads a PTX module.
#include "cuda_impl/on_cpu/ptx/translator/parser/parser.hpp"

#include <filesystem>

#include "cuda_impl/on_cpu/ptx/translator/parser/parse_body.hpp"
#include "cuda_impl/on_cpu/ptx/translator/parser/parse_variable.hpp"
#include "cuda_impl/on_cpu/ptx/translator/refusal.hpp"

namespace assay::cuda::on_cpu::ptx {
namespace {

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view source) : tokens_(tokens_of(source)) {}

  Module run() {
    parse_header();
    while (!tokens_.at_end()) parse_top();
    return std::move(module_);
  }

 private:
  void parse_header() {
    tokens_.expect(".version");
    const auto version = tokens_.expect(TokenKind::kNumber, "a version");
    if (version.text.size() != 3 || version.text[0] < '6') {
      throw Refusal(version.line, std::string(version.text),
                    "expected a version of PTX from 6.0 to 9.9");
    }
    tokens_.expect(".target");
    module_.target = tokens_.expect(TokenKind::kName, "a target").text;
    while (tokens_.accept(",")) tokens_.expect("debug");
    tokens_.expect(".address_size");
    tokens_.expect("64");
  }

  void parse_top() {
    if (tokens_.accept(".file")) return parse_file();
    if (tokens_.accept(".section")) return skip_section();
    const bool is_external = accept_linkage();
    if (tokens_.accept(".entry")) return parse_entry();
    if (tokens_.accept(".func")) return parse_function();
    if (!at_space(tokens_)) tokens_.refuse("unknown directive");
    module_.variables.push_back(parse_variable(tokens_));
    module_.variables.back().is_external = is_external;
    tokens_.expect(";");
  }

  /// Returns whether the symbol is defined elsewhere.
  bool accept_linkage() {
    if (tokens_.accept(".extern")) return true;
    if (!tokens_.accept(".visible")) tokens_.accept(".weak");
    return false;
  }

  void parse_file() {
    const auto number = static_cast<int>(tokens_.expect_count());
    const std::filesystem::path name = tokens_.expect(TokenKind::kString, "a file's name").text;
    module_.files[number] = name.lexically_normal();  // a compiler cache may have added a folder
    while (tokens_.accept(",")) tokens_.expect_count();
  }

  /// Debug information.
  void skip_section() {
    tokens_.expect(TokenKind::kDotted, "a section's name");
    tokens_.expect("{");
    while (!tokens_.accept("}")) {
      if (tokens_.at_end()) tokens_.refuse("the section has no end");
      tokens_.take();
    }
  }

  std::vector<Variable> parse_parameters() {
    std::vector<Variable> parameters;
    if (!tokens_.accept("(")) return parameters;
    while (!tokens_.accept(")")) {
      if (!parameters.empty()) tokens_.expect(",");
      if (!tokens_.next_is(".param")) tokens_.refuse("expected a parameter in .param");
      parameters.push_back(parse_variable(tokens_));
    }
    return parameters;
  }

  void parse_entry() {
    Function entry{.line = tokens_.peek().line, .is_entry = true};
    entry.name = tokens_.expect(TokenKind::kName, "the kernel's name").text;
    entry.parameters = parse_parameters();
    while (tokens_.peek().kind == TokenKind::kDotted) parse_performance(entry);
    tokens_.expect("{");
    entry.body = parse_block(tokens_);
    module_.functions.push_back(std::move(entry));
  }

  void parse_performance(Function& entry) {
    if (tokens_.accept(".maxntid") || tokens_.accept(".reqntid")) {
      auto threads = tokens_.expect_count();
      while (tokens_.accept(",")) threads *= tokens_.expect_count();
      entry.max_threads = static_cast<std::uint32_t>(threads);
    } else if (tokens_.accept(".maxnreg")) {
      entry.registers = static_cast<std::uint32_t>(tokens_.expect_count());
    } else if (tokens_.accept(".minnctapersm")) {
      tokens_.expect_count();
    } else {
      tokens_.refuse("unknown directive of a kernel");
    }
  }

  void parse_function() {
    Function function{.line = tokens_.peek().line};
    function.results = parse_parameters();
    function.name = tokens_.expect(TokenKind::kName, "the function's name").text;
    function.parameters = parse_parameters();
    tokens_.accept(".noreturn");
    if (tokens_.accept("{")) {
      function.body = parse_block(tokens_);
    } else {
      tokens_.expect(";");
    }
    module_.functions.push_back(std::move(function));
  }

  TokenStream tokens_;
  Module module_;
};

}  // namespace

Module parse_module(std::string_view source) { return ModuleParser(source).run(); }

}  // namespace assay::cuda::on_cpu::ptx
