// Whatever is asked, the service answers: with JSON, within what a browser may do with it, and
// without an error of its own.
//
// An input is a request: "METHOD PATH?QUERY", headers, an empty line, the body. Headers that every
// browser sends are there unless the input has its own.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "serve/service.h"
#include "tests/tools/serve/suite.h"

namespace {

using ordeal::serve::Answer;
using ordeal::serve::Ask;

// Up to the end of the line, which is taken away too.
std::string take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string line(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

Ask ask_of(std::string_view text) {
  Ask ask;
  const std::string first = take_line(text);
  const size_t space = std::min(first.find(' '), first.size());
  ask.method = first.substr(0, space);
  ask.path = first.substr(std::min(space + 1, first.size()));
  if (const size_t mark = ask.path.find('?'); mark != ask.path.npos) {
    const std::string query = ask.path.substr(mark + 1);
    const size_t equals = std::min(query.find('='), query.size());
    ask.query[query.substr(0, equals)] = query.substr(std::min(equals + 1, query.size()));
    ask.path.resize(mark);
  }
  for (std::string line = take_line(text); !line.empty(); line = take_line(text)) {
    const size_t colon = std::min(line.find(": "), line.size());
    ask.headers[line.substr(0, colon)] = line.substr(std::min(colon + 2, line.size()));
  }
  ask.body = text;
  ask.headers.emplace("host", "127.0.0.1:7075");
  if (ask.method == "POST") {
    ask.headers.emplace("content-type", "application/json");
    ask.headers.emplace("content-length", std::to_string(ask.body.size()));
  }
  return ask;
}

void require(bool right) {
  if (!right) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static ordeal::serve::Service service(ordeal::serve::suite(), {"127.0.0.1", 7075, ""}, {});
  const Ask ask = ask_of({reinterpret_cast<const char*>(data), size});
  const Answer answer = service.handle(ask);
  require(answer.status >= 200 && answer.status < 500);
  for (const char* name : {"Content-Security-Policy", "X-Content-Type-Options", "Cache-Control"}) {
    require(answer.headers.contains(name));
  }
  if (answer.stream != nullptr) {
    std::string out;
    answer.stream->next(std::chrono::milliseconds(0), out);
  } else if (answer.type == "application/json") {
    require(nlohmann::json::accept(answer.body));
  } else {
    require(answer.type == "text/html; charset=utf-8" && ask.path == "/");
  }
  service.stop();  // what was started goes no further
  return 0;
}
