// Parses and formats C++ function types.
#include "reference/dispatch/schema/signature.hpp"

#include <cctype>

#include "reference/core/types/error.hpp"

namespace assay::reference {
namespace {

class Reader {
 public:
  Reader(std::string_view text, Release release) : text_(text), release_(release) {}

  CppSignature signature() {
    CppSignature made;
    CppType result = type();
    made.returns_tuple = result.is("tuple");
    if (made.returns_tuple) {
      made.returns = std::move(result.of);
    } else if (!result.is("void")) {
      made.returns = {std::move(result)};
    }
    need('(');
    if (!accept(')')) made.parameters = types_until(')');
    check(at_ == text_.size(), [&] { return complaint("the end"); });
    if (!made.parameters.empty() && made.parameters.front().is("DispatchKeySet")) {
      made.parameters.erase(made.parameters.begin());
    }
    return made;
  }

 private:
  CppType type() {
    const bool is_const = accept_word("const");
    CppType made = plain_type();
    if (accept('&')) {
      made.pass = is_const ? CppType::Pass::kConstReference : CppType::Pass::kReference;
    }
    return made;
  }

  CppType plain_type() {
    std::string name = word();
    check(name != "Dimname" || release_ < Release::k2_13,
          [] { return "there is no C++ type Dimname since 2.13"; });  // DSP-313
    if (name == "TensorList") return {"ArrayRef", {{"Tensor", {}}}};
    if (name == "IntList") return {"ArrayRef", {{"int64_t", {}}}};
    if (name == "FloatList") return {"ArrayRef", {{"double", {}}}};
    CppType made{std::move(name), {}};
    if (!accept('<')) return made;
    made.of = types_until('>');
    if (made.is("array")) {
      made.size = std::stoll(made.of.back().name);
      made.of.pop_back();
    }
    return made;
  }

  std::vector<CppType> types_until(char end) {
    std::vector<CppType> types;
    do {
      types.push_back(type());
    } while (accept(','));
    need(end);
    return types;
  }

  std::string word() {
    skip_spaces();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    check(at_ > begin, [&] { return complaint("a type"); });
    return std::string(text_.substr(begin, at_ - begin));
  }

  bool accept_word(std::string_view wanted) {
    skip_spaces();
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(wanted)) return false;
    if (rest.size() > wanted.size() && is_word(rest[wanted.size()])) return false;
    at_ += wanted.size();
    return true;
  }

  bool accept(char wanted) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    skip_spaces();
    return true;
  }

  void need(char wanted) {
    check(accept(wanted), [&] { return complaint(std::string("'") + wanted + "'"); });
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  static bool is_word(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
  }

  std::string complaint(const std::string& wanted) const {
    return "expected " + wanted + " at position " + std::to_string(at_) + " of the signature '" +
           std::string(text_) + "'";
  }

  std::string_view text_;
  Release release_;
  std::size_t at_ = 0;
};

std::string joined(const std::vector<CppType>& types) {
  std::string text;
  for (const CppType& type : types) text += (text.empty() ? "" : ",") + to_text(type);
  return text;
}

std::string short_name(const CppType& type) {
  if (type.is("ArrayRef") && type.of.size() == 1) {
    const std::string& of = type.of.front().name;
    if (of == "Tensor") return "TensorList";
    if (of == "int64_t") return "IntList";
    if (of == "double") return "FloatList";
  }
  if (type.of.empty()) return type.name;
  const std::string size = type.is("array") ? "," + std::to_string(type.size) : "";
  return type.name + "<" + joined(type.of) + size + ">";
}

}  // namespace

std::string to_text(const CppType& type) {
  const bool is_const = type.pass == CppType::Pass::kConstReference;
  return (is_const ? "const " : "") + short_name(type) + (type.is_reference() ? "&" : "");
}

std::string to_text(const CppSignature& signature) {
  std::string result = "void";
  if (signature.returns_tuple) {
    result = "tuple<" + joined(signature.returns) + ">";
  } else if (!signature.returns.empty()) {
    result = to_text(signature.returns.front());
  }
  return result + "(" + joined(signature.parameters) + ")";
}

CppSignature parse_signature(std::string_view text, Release release) {
  return Reader(text, release).signature();
}

}  // namespace assay::reference
