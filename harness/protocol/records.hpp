// Documents of the project that are lists of flat records: the index of the clauses is one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// Members that are a string or a list of strings; a string is a list of one.
using Record = std::map<std::string, std::vector<std::string>, std::less<>>;

/// The records that stand in the list `member` of a JSON document. Throws MalformedMessage when the
/// text is something else.
std::vector<Record> records_from_json(std::string_view text, std::string_view member);

/// The list of strings called `member` of a JSON document. Throws MalformedMessage.
std::vector<std::string> strings_from_json(std::string_view text, std::string_view member);

/// The one string called `name`, or an empty one.
std::string text_in(const Record& record, std::string_view name);

/// All strings called `name`, or none.
std::vector<std::string> texts_in(const Record& record, std::string_view name);

}  // namespace assay
