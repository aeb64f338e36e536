// Who may ask: only this machine, only pages of this server, only with the token where there is
// one, only in the form that the service reads.
#include "serve/gate.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/tools/serve/served.h"

namespace ordeal::serve {
namespace {

int status_of(const Gate& gate, const Ask& ask) {
  const std::optional<Answer> refused = gate.refuse(ask);
  return refused ? refused->status : 200;
}

Ask with(Ask ask, const std::string& header, const std::string& value) {
  ask.headers[header] = value;
  return ask;
}
Ask without(Ask ask, const std::string& header) {
  ask.headers.erase(header);
  return ask;
}

TEST(Gate, AnswersOnlyToItsOwnNames) {
  const Gate gate(door());
  for (const char* host : {"127.0.0.1:7075", "localhost:7075", "[::1]:7075"}) {
    EXPECT_EQ(status_of(gate, with(get("/"), "host", host)), 200) << host;
  }
  for (const char* host :
       {"", "127.0.0.1", "localhost", "127.0.0.1:80", "evil.example:7075", "127.0.0.1:7075:7075",
        "127.0.0.1.evil.example:7075", "localhost.evil.example:7075", "10.0.0.1:7075", "::1:7075",
        "127.0.0.1:7075, evil.example:7075", "[::1:7075", "[]:7075", ":7075"}) {
    EXPECT_EQ(status_of(gate, with(get("/"), "host", host)), 403) << host;
  }
  EXPECT_EQ(status_of(gate, without(get("/"), "host")), 403);
}

TEST(Gate, AnswersToTheAddressThatWasGivenAndToNoOther) {
  const std::string token = "0123456789abcdef";
  const auto status = [&](const std::string& bound, const std::string& host) {
    const Gate gate(Door{bound, 7075, token});
    return status_of(gate, with(with(get("/"), "host", host), "authorization", "Bearer " + token));
  };
  EXPECT_EQ(status("10.0.0.1", "10.0.0.1:7075"), 200);
  EXPECT_EQ(status("10.0.0.1", "localhost:7075"), 403);
  EXPECT_EQ(status("10.0.0.1", "10.0.0.2:7075"), 403);
  EXPECT_EQ(status("box.example", "box.example:7075"), 200);
  EXPECT_EQ(status("box.example", "evil.example:7075"), 403);
  EXPECT_EQ(status("fe80::1", "[fe80::1]:7075"), 200);
  // Listening everywhere: any address, but no name that could be made to point here.
  EXPECT_EQ(status("0.0.0.0", "10.0.0.2:7075"), 200);
  EXPECT_EQ(status("0.0.0.0", "localhost:7075"), 200);
  EXPECT_EQ(status("::", "[fe80::1]:7075"), 200);
  EXPECT_EQ(status("0.0.0.0", "evil.example:7075"), 403);
}

TEST(Gate, RefusesPagesOfOtherOrigins) {
  const Gate gate(door());
  const Ask ask = post("/api/here", Json::object());
  EXPECT_EQ(status_of(gate, ask), 200);
  EXPECT_EQ(status_of(gate, without(ask, "origin")), 200);
  for (const char* origin :
       {"null", "http://evil.example", "https://127.0.0.1:7075", "http://127.0.0.1:7076",
        "http://localhost:7075", "http://127.0.0.1:7075.evil.example", "file://"}) {
    EXPECT_EQ(status_of(gate, with(ask, "origin", origin)), 403) << origin;
  }
}

TEST(Gate, RefusesWhatTheBrowserSaysComesFromOtherSites) {
  const Gate gate(door());
  for (const char* site : {"same-origin", "none"}) {
    EXPECT_EQ(status_of(gate, with(get("/api/suite"), "sec-fetch-site", site)), 200) << site;
  }
  for (const char* site : {"cross-site", "same-site"}) {
    EXPECT_EQ(status_of(gate, with(get("/api/suite"), "sec-fetch-site", site)), 403) << site;
    Ask page = with(get("/"), "sec-fetch-site", site);
    EXPECT_EQ(status_of(gate, page), 403) << site;
    // A link that a person follows.
    page = with(with(page, "sec-fetch-mode", "navigate"), "sec-fetch-dest", "document");
    EXPECT_EQ(status_of(gate, page), 200) << site;
    EXPECT_EQ(status_of(gate, with(page, "sec-fetch-dest", "iframe")), 403) << site;
    page.path = "/api/suite";
    EXPECT_EQ(status_of(gate, page), 403) << site;
    page.path = "/";
    page.method = "POST";
    EXPECT_EQ(status_of(gate, page), 403) << site;
  }
}

TEST(Gate, AsksForTheTokenOnEveryPath) {
  const std::string token = "0123456789abcdef0123456789abcdef";
  const Gate gate(Door{"127.0.0.1", 7075, token});
  for (const Ask& ask : {get("/"), get("/api/suite"), get("/nowhere"), post("/api/here", "{}")}) {
    EXPECT_EQ(status_of(gate, ask), 401) << ask.path;
    EXPECT_EQ(status_of(gate, with(ask, "authorization", "Bearer " + token)), 200) << ask.path;
    EXPECT_EQ(status_of(gate, with(ask, "cookie", "a=b; ordeal_token_7075=" + token)), 200);
    for (const std::string& wrong :
         {std::string(), token.substr(1), token + "0", "1" + token.substr(1), "Bearer " + token}) {
      EXPECT_EQ(status_of(gate, with(ask, "authorization", "Bearer " + wrong)), 401) << wrong;
      EXPECT_EQ(status_of(gate, with(ask, "cookie", "ordeal_token_7075=" + wrong)), 401) << wrong;
    }
    EXPECT_EQ(status_of(gate, with(ask, "cookie", "ordeal_token_7076=" + token)), 401);
    EXPECT_EQ(status_of(gate, with(ask, "authorization", token)), 401);
  }
}

TEST(Gate, MovesTheTokenFromTheAddressIntoACookie) {
  const std::string token = "0123456789abcdef";
  const Gate gate(Door{"127.0.0.1", 7075, token});
  Ask page = get("/");
  page.query["token"] = token;
  const std::optional<Answer> answer = gate.refuse(page);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 303);
  EXPECT_EQ(answer->headers.at("Location"), "/");
  EXPECT_EQ(answer->headers.at("Set-Cookie"),
            "ordeal_token_7075=" + token + "; Path=/; SameSite=Strict; HttpOnly");
  page.query["token"] = "wrong";
  EXPECT_EQ(status_of(gate, page), 401);
  // Only the page takes it so: other addresses are never typed.
  Ask other = get("/api/suite");
  other.query["token"] = token;
  EXPECT_EQ(status_of(gate, other), 401);
}

TEST(Gate, TakesOnlyJsonOfAKnownLength) {
  const Gate gate(door());
  const Ask ask = post("/api/here", "{}");
  EXPECT_EQ(status_of(gate, with(ask, "content-type", "application/json; charset=utf-8")), 200);
  for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded",
                           "multipart/form-data; boundary=x", "application/jsonx"}) {
    EXPECT_EQ(status_of(gate, with(ask, "content-type", type)), 415) << type;
  }
  EXPECT_EQ(status_of(gate, without(ask, "content-type")), 415);
  EXPECT_EQ(status_of(gate, with(ask, "content-encoding", "gzip")), 415);
  EXPECT_EQ(status_of(gate, with(ask, "transfer-encoding", "chunked")), 411);
  EXPECT_EQ(status_of(gate, without(ask, "content-length")), 411);
  EXPECT_EQ(status_of(gate, with(ask, "content-length", std::to_string(kMaxBody))), 200);
  EXPECT_EQ(status_of(gate, with(ask, "content-length", std::to_string(kMaxBody + 1))), 413);
  EXPECT_EQ(status_of(gate, with(ask, "content-length", "99999999999999999999999")), 413);
  for (const char* length : {"x", "-1", "2, 2", "2x", " 2"}) {
    EXPECT_EQ(status_of(gate, with(ask, "content-length", length)), 400) << length;
  }
  EXPECT_EQ(status_of(gate, with(get("/"), "content-length", "2")), 400);
  EXPECT_EQ(status_of(gate, with(get("/"), "content-length", "0")), 200);
}

TEST(Gate, KnowsThreeMethodsAndShortPaths) {
  const Gate gate(door());
  for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "", "get"}) {
    Ask ask = get("/api/suite");
    ask.method = method;
    EXPECT_EQ(status_of(gate, ask), 405) << method;
  }
  EXPECT_EQ(status_of(gate, get("/" + std::string(kMaxPath, 'a'))), 414);
}

TEST(Gate, KnowsItsMachine) {
  for (const char* host : {"127.0.0.1", "127.8.9.1", "localhost", "::1"}) {
    EXPECT_TRUE(is_loopback(host)) << host;
  }
  for (const char* host : {"0.0.0.0", "::", "10.0.0.1", "127.evil.example", "127.1.evil", ""}) {
    EXPECT_FALSE(is_loopback(host)) << host;
  }
}

TEST(Tokens, HaveManyBitsAndAreNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const Result<std::string> token = random_token();
    ASSERT_TRUE(token.ok());
    EXPECT_EQ(token->size(), 32U);
    EXPECT_EQ(token->find_first_not_of("0123456789abcdef"), std::string::npos);
    seen.insert(*token);
  }
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_TRUE(same_secret("", ""));
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "ab"));
}

}  // namespace
}  // namespace ordeal::serve
