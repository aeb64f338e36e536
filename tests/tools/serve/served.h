// A service over a small suite, and requests as a page of its own would send them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "serve/service.h"
#include "tests/tools/serve/suite.h"
#include "tests/tools/serve/wire.h"

namespace ordeal::serve {

inline Ask get(const std::string& path) {
  return {"GET", path, {}, {{"host", "127.0.0.1:7075"}}, ""};
}

inline Ask post(const std::string& path, const std::string& body) {
  return {"POST",
          path,
          {},
          {{"host", "127.0.0.1:7075"},
           {"origin", "http://127.0.0.1:7075"},
           {"content-type", "application/json"},
           {"content-length", std::to_string(body.size())}},
          body};
}
inline Ask post(const std::string& path, const char* body) { return post(path, std::string(body)); }
inline Ask post(const std::string& path, const Json& body) { return post(path, body.dump()); }

inline Door door() { return {"127.0.0.1", 7075, ""}; }

inline Json address(const std::string& way = "", const std::string& bug = "", int nodes = 2) {
  Json json = {{"system", "ring"}, {"parameters", {{"nodes", std::to_string(nodes)}}}};
  if (!bug.empty()) json["parameters"]["bug"] = bug;
  if (!way.empty()) json["short"] = way;
  return json;
}

class Served : public testing::Test {
 protected:
  // Whatever is asked and answered is what the schema says.
  Answer ask(const Ask& asked) {
    Answer answer = service_.handle(asked);
    EXPECT_EQ(Wire::get().problem(asked, answer), "");
    if (answer.stream != nullptr) {
      answer.stream =
          std::make_shared<CheckedStream>(Wire::place_of(asked), std::move(answer.stream));
    }
    return answer;
  }
  Json good(const Ask& asked) {
    const Answer answer = ask(asked);
    EXPECT_EQ(answer.status, 200) << answer.body.substr(0, 300);
    EXPECT_EQ(answer.type, "application/json");
    return Json::parse(answer.body);
  }
  // The message of a refusal.
  std::string bad(int status, const Ask& asked) {
    const Answer answer = ask(asked);
    EXPECT_EQ(answer.status, status) << answer.body.substr(0, 300);
    const Json json = Json::parse(answer.body, nullptr, false);
    return json.is_object() && json.contains("error") ? json["error"].get<std::string>() : "";
  }

  Service service_{suite(), door(), {.version = "9.9"}};
};

}  // namespace ordeal::serve
