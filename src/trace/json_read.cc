#include "trace/json_read.h"

#include <algorithm>
#include <charconv>

#include "trace/tree_json.h"

namespace ordeal::trace {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxFields = 1000;

std::string found(const Json& json) {
  const std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
  return cut_to(text, 60);
}

// What the text is like before anything is built from it: a document nested too deep would exhaust
// the stack of whoever walks it, and one object with a million fields would take hours to read.
struct Outline {
  size_t depth = 0;
  size_t fields = 0;  // of the largest object
};

Outline outline_of(std::string_view text) {
  Outline outline;
  std::vector<size_t> open;  // fields so far, per open bracket
  bool quoted = false;
  for (size_t i = 0; i < text.size() && outline.depth <= kMaxDepth; ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      open.push_back(0);
      outline.depth = std::max(outline.depth, open.size());
    } else if ((c == ']' || c == '}') && !open.empty()) {
      open.pop_back();
    } else if (c == ':' && !open.empty()) {
      outline.fields = std::max(outline.fields, ++open.back());
    }
  }
  return outline;
}

}  // namespace

void Place::fail(const std::string& expected) const {
  if (failed()) return;
  *error_ =
      Error{absent() ? fmt::format("{}: is missing; expected {}", where(), expected)
                     : fmt::format("{}: found {}; expected {}", where(), found(*json_), expected)};
}

void Place::refuse(const std::string& message) const {
  if (!failed()) *error_ = Error{fmt::format("{}: {}", where(), message)};
}

uint64_t Place::digest() const {
  if (absent()) return 0;
  const auto* text = json_->get_ptr<const std::string*>();
  uint64_t digest = 0;
  if (text != nullptr && text->size() == 16) {
    const auto [stop, error] = std::from_chars(text->data(), text->data() + 16, digest, 16);
    if (error == std::errc() && stop == text->data() + 16) return digest;
  }
  fail("16 hexadecimal digits");
  return 0;
}

Result<Json> parse_json(std::string_view text, const std::string& what) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) {
    return Error{fmt::format("it is empty; expected {} in JSON", what)};
  }
  const Outline outline = outline_of(text);
  if (outline.fields > kMaxFields) {
    return Error{fmt::format("an object in the JSON has more than {} fields; none in {} has",
                             kMaxFields, what)};
  }
  if (outline.depth > kMaxDepth) {
    return Error{
        fmt::format("the JSON is nested deeper than {} levels; {} never is", kMaxDepth, what)};
  }
  try {
    return Json::parse(text);
  } catch (const Json::exception& e) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: …"
    const std::string_view message = e.what();
    const size_t bracket = message.find("] ");
    return Error{
        fmt::format("this is no JSON: {}",
                    one_line(bracket == message.npos ? message : message.substr(bracket + 2)))};
  }
}

}  // namespace ordeal::trace
