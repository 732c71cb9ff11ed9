// Reads documents that are lists of flat records, such as the index of the clauses.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Members are lists of strings; a single string is a list of one.
using Record = std::map<std::string, std::vector<std::string>, std::less<>>;

/// The records in the list `member` of a JSON document. Throws MalformedMessage if the text is not
/// such a document.
std::vector<Record> records_from_json(std::string_view text, std::string_view member);

/// The list of strings `member` of a JSON document. Throws MalformedMessage.
std::vector<std::string> strings_from_json(std::string_view text, std::string_view member);

/// The single string `name`, or empty.
std::string text_in(const Record& record, std::string_view name);

/// All strings of `name`, or none.
std::vector<std::string> texts_in(const Record& record, std::string_view name);

}  // namespace assay
