// Ask and Answer: an HTTP request and its response, without the sockets.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace ordeal::serve {

using Json = nlohmann::ordered_json;

struct Ask {
  std::string method = {};                        // "GET"
  std::string path = {};                          // "/api/run"
  std::map<std::string, std::string> query = {};  // what follows the "?"
  // By name in lower case. One that came several times has all its values, with commas between.
  std::map<std::string, std::string> headers = {};
  std::string body = {};

  // Empty: there is none.
  std::string header(const std::string& name) const {
    const auto at = headers.find(name);
    return at == headers.end() ? "" : at->second;
  }
};

// An answer that goes on: server-sent events, until there are no more.
class Stream {
 public:
  virtual ~Stream() = default;
  // Appends what has happened since the last call; waits for something, at most so long. False:
  // that was all.
  virtual bool next(std::chrono::milliseconds patience, std::string& out) = 0;
};

struct Answer {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::map<std::string, std::string> headers = {};  // besides its type
  std::shared_ptr<Stream> stream = {};              // instead of the body
};

// {"error": message}
Answer problem(int status, const std::string& message);
Answer answer(const Json& json);
// Of text that is JSON already.
Answer answer_text(std::string json);

Answer answer_stream(std::shared_ptr<Stream> stream);

// One line, ASCII only; bytes that are no UTF-8 become U+FFFD instead of an exception.
std::string line(const Json& json);
// A server-sent event. REQUIRES: `data` is one line.
std::string event(const char* name, const std::string& data);

}  // namespace ordeal::serve
