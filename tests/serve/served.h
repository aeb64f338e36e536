// A small suite, a service over it, and requests as a page of its own would send them.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "ordeal/suite.h"
#include "ordeal/system.h"
#include "serve/service.h"

namespace ordeal::serve {

struct Token {
  int hops = 0;
};

// Every node greets all others, who answer until it is enough.
struct Ring {
  using Messages = Types<Token>;
  int seen = 0;
  bool fails = false;

  void start(Context& ctx) { ctx.broadcast(Token{1}); }
  void on(Context& ctx, NodeId from, const Token& token) {
    if (fails && token.hops == 2) throw std::runtime_error("two <script>hops</script>");
    seen += token.hops;
    if (token.hops < 3) ctx.send(from, Token{token.hops + 1});
  }
};

inline System ring(int nodes, bool few, bool fails) {
  System system;
  system.add<Ring>(nodes, [fails](NodeId) { return Ring{.fails = fails}; });
  if (few) {
    system.always("few", [](const View& view) -> Outcome {
      if (view.node<Ring>(1).seen < 2) return true;
      return violated("it has seen <b>two</b>").node(1);
    });
  }
  system.sometimes("begun", [](const View& view) { return view.node<Ring>(1).seen > 0; });
  return system;
}

inline const Suite& suite() {
  static const Suite all = [] {
    Suite made;
    made.add({.name = "ring",
              .what = "a ring",
              .parameters = {{"nodes", "2", "how many", 2, 6}},
              .bugs = {{"few", "two are too many", "few"}, {"fails", "it throws", ""}},
              .build = [](const Arguments& args) {
                return ring(static_cast<int>(args.number("nodes")), args.bug("few"),
                            args.bug("fails"));
              }});
    made.add(SuiteScenario{.name = "calm",
                           .subject = "ring",
                           .parameters = {{"nodes", "2"}},
                           .catches = "few",
                           .make = [](const Arguments&) {
                             return Scenario("calm").what("nothing special").iterations(5);
                           }});
    return made;
  }();
  return all;
}

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
  Answer ask(const Ask& asked) { return service_.handle(asked); }
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
