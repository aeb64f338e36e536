#include "serve/ask.h"

#include <fmt/format.h>

namespace ordeal::serve {

Answer problem(int status, const std::string& message) {
  Answer out = answer(Json{{"error", message}});
  out.status = status;
  return out;
}

Answer answer(const Json& json) { return answer_text(line(json)); }

Answer answer_text(std::string json) {
  Answer out;
  out.body = std::move(json);
  return out;
}

Answer answer_stream(std::shared_ptr<Stream> stream) {
  Answer out;
  out.type = "text/event-stream";
  out.stream = std::move(stream);
  return out;
}

std::string line(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string event(const char* name, const std::string& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, data);
}

}  // namespace ordeal::serve
