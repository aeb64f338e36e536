// The server with its sockets: what a browser, a slow client and a hostile one meet.
#include "serve/http.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "serve/intake.h"
#include "tests/tools/serve/served.h"

namespace ordeal::serve {
namespace {

// A server in this process, at a port of its own.
class Running {
 public:
  explicit Running(const std::string& token = "") {
    auto server = HttpServer::listen("127.0.0.1", 0);
    EXPECT_TRUE(server.ok());
    server_ = *std::move(server);
    service_ = std::make_unique<Service>(suite(), Door{"127.0.0.1", server_->port(), token},
                                         Setup{.version = "9.9"});
    thread_ = std::thread([this] { server_->serve(*service_); });
  }
  ~Running() { stop(); }
  void stop() {
    server_->stop();
    service_->stop();
    if (thread_.joinable()) thread_.join();
  }
  int port() const { return server_->port(); }
  httplib::Client client() const { return httplib::Client("127.0.0.1", port()); }

 private:
  std::unique_ptr<HttpServer> server_;
  std::unique_ptr<Service> service_;
  std::thread thread_;
};

// Bytes as they are, over a connection.
class Raw {
 public:
  explicit Raw(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(static_cast<uint16_t>(port));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  ~Raw() { close(); }
  Raw(const Raw&) = delete;
  Raw& operator=(const Raw&) = delete;

  bool send(const std::string& text) const {
    return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(text.size());
  }
  // Until it contains `text`, or the other end has closed.
  std::string receive_until(const std::string& text) const {
    std::string all;
    char some[4096];
    while (text.empty() || all.find(text) == all.npos) {
      const ssize_t got = ::recv(socket_, some, sizeof some, 0);
      if (got <= 0) break;
      all.append(some, static_cast<size_t>(got));
    }
    return all;
  }
  std::string receive_all() const { return receive_until(""); }
  std::string ask(const std::string& text) const {
    send(text);
    return receive_all();
  }
  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

 private:
  int socket_;
};

std::string host_of(const Running& server) {
  return "Host: 127.0.0.1:" + std::to_string(server.port()) + "\r\n";
}

TEST(Http, GivesThePageTheSuiteAndRuns) {
  const Running server;
  httplib::Client client = server.client();
  const auto page = client.Get("/");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_EQ(page->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(page->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page->get_header_value_count("Content-Security-Policy"), 1U);
  const auto suite = client.Get("/api/suite");
  ASSERT_TRUE(suite);
  EXPECT_EQ(Json::parse(suite->body)["version"], "9.9");
  const auto run =
      client.Post("/api/run", Json{{"address", address("0.0")}}.dump(), "application/json");
  ASSERT_TRUE(run);
  EXPECT_EQ(run->status, 200);
  EXPECT_EQ(Json::parse(run->body)["trace"]["steps"].size(), 2U);
  const auto head = client.Head("/");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_EQ(head->body, "");
}

TEST(Http, AnswersAreNeitherCompressedNorCut) {
  const Running server;
  httplib::Client client = server.client();
  const auto suite =
      client.Get("/api/suite", {{"Accept-Encoding", "br, gzip"}, {"Range", "bytes=0-3,0-3,0-3"}});
  ASSERT_TRUE(suite);
  EXPECT_EQ(suite->status, 200);
  EXPECT_FALSE(suite->has_header("Content-Encoding"));
  EXPECT_EQ(Json::parse(suite->body)["version"], "9.9");
}

TEST(Http, RefusesOtherHostsOriginsTypesAndMethods) {
  const Running server;
  httplib::Client client = server.client();
  EXPECT_EQ(client.Get("/", {{"Host", "evil.example"}})->status, 403);
  EXPECT_EQ(client.Get("/", {{"Origin", "http://evil.example"}})->status, 403);
  EXPECT_EQ(client.Get("/api/suite", {{"Sec-Fetch-Site", "cross-site"}})->status, 403);
  EXPECT_EQ(client.Post("/api/run", "{}", "text/plain")->status, 415);
  EXPECT_EQ(client.Put("/api/run", "{}", "application/json")->status, 405);
  EXPECT_EQ(client.Options("/api/run")->status, 405);
  EXPECT_EQ(client.Get("/etc/passwd")->status, 404);
  EXPECT_EQ(client.Get("/%2e%2e/%2e%2e/etc/passwd")->status, 404);
  EXPECT_EQ(client.Post("/api/run", "{", "application/json")->status, 400);
}

TEST(Http, AsksForTheToken) {
  const std::string token = "0123456789abcdef";
  const Running server(token);
  httplib::Client client = server.client();
  EXPECT_EQ(client.Get("/")->status, 401);
  EXPECT_EQ(client.Get("/api/suite")->status, 401);
  EXPECT_EQ(client.Get("/?token=wrong")->status, 401);
  const auto first = client.Get("/?token=" + token);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->status, 303);
  const std::string cookie = first->get_header_value("Set-Cookie");
  EXPECT_NE(cookie.find("HttpOnly"), std::string::npos);
  EXPECT_NE(cookie.find("SameSite=Strict"), std::string::npos);
  const std::string pair = cookie.substr(0, cookie.find(';'));
  EXPECT_EQ(client.Get("/", {{"Cookie", pair}})->status, 200);
  EXPECT_EQ(client.Get("/api/suite", {{"Authorization", "Bearer " + token}})->status, 200);
}

TEST(Http, BodiesThatAreTooLongAreRefusedUnread) {
  const Running server;
  Raw raw(server.port());
  const std::string answer =
      raw.ask("POST /api/run HTTP/1.1\r\n" + host_of(server) +
              "Content-Type: application/json\r\nContent-Length: 67108865\r\n\r\n{");
  EXPECT_EQ(answer.find("HTTP/1.1 413 "), 0U) << answer;
  Raw chunked(server.port());
  const std::string other = chunked.ask(
      "POST /api/run HTTP/1.1\r\n" + host_of(server) +
      "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n");
  EXPECT_EQ(other.find("HTTP/1.1 411 "), 0U) << other;
}

TEST(Http, HeadsThatAreTooLongAreRefused) {
  const Running server;
  Raw many(server.port());
  std::string text = "GET / HTTP/1.1\r\n" + host_of(server);
  while (text.size() < 40'000) text += "X-Some: " + std::string(1000, 'x') + "\r\n";
  EXPECT_EQ(many.ask(text + "\r\n").find("HTTP/1.1 431 "), 0U);
  Raw path(server.port());
  const std::string long_path =
      path.ask("GET /" + std::string(9000, 'x') + " HTTP/1.1\r\n" + host_of(server) + "\r\n");
  EXPECT_EQ(long_path.find("HTTP/1.1 414 "), 0U) << long_path.substr(0, 100);
}

TEST(Http, WhatIsNoHttpDoesNoHarm) {
  const Running server;
  for (const std::string& text :
       {std::string("\r\n\r\n"), std::string("GET\r\n\r\n"), std::string(5000, '\0') + "\r\n\r\n",
        std::string("\x16\x03\x01 hello\r\n\r\n"), std::string("GET / HTTP/9.9\r\n\r\n"),
        "GET / HTTP/1.1\r\n" + host_of(server) + host_of(server) + "\r\n",
        std::string("GET / HTTP/1.1\r\nHost : x\r\nno colon\r\n: \r\n\r\n"),
        "POST /api/run HTTP/1.1\r\n" + host_of(server) +
            "Content-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}"}) {
    Raw raw(server.port());
    const std::string answer = raw.ask(text);
    EXPECT_NE(answer.find("HTTP/1.1 200"), 0U) << text;
  }
  EXPECT_EQ(server.client().Get("/api/suite")->status, 200);
}

TEST(Http, OneConnectionCarriesOneRequest) {
  const Running server;
  Raw raw(server.port());
  const std::string one = "GET /api/jobs HTTP/1.1\r\n" + host_of(server) + "\r\n";
  const std::string answer = raw.ask(one + one);
  EXPECT_NE(answer.find("Connection: close"), std::string::npos);
  EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << "the second is not answered";
}

TEST(Http, ClientsThatSayNothingDoNotKeepOthersWaiting) {
  const Running server;
  std::vector<std::unique_ptr<Raw>> silent;
  for (int i = 0; i < 20; ++i) {
    silent.push_back(std::make_unique<Raw>(server.port()));
    silent.back()->send("GET / HT");
  }
  EXPECT_EQ(server.client().Get("/api/suite")->status, 200);
}

TEST(Http, StreamsTellEventsAsTheyComeAndEndWithTheJob) {
  const Running server;
  httplib::Client client = server.client();
  const Json body = {{"kind", "check"}, {"address", address("", "few")}};
  ASSERT_EQ(client.Post("/api/jobs", body.dump(), "application/json")->status, 200);
  const auto stream = client.Get("/api/jobs/1/stream");
  ASSERT_TRUE(stream);
  EXPECT_EQ(stream->get_header_value("Content-Type"), "text/event-stream");
  EXPECT_NE(stream->body.find("event: finding\n"), std::string::npos);
  EXPECT_NE(stream->body.find("event: done\n"), std::string::npos);
}

Json endless() {
  return {{"kind", "check"},
          {"address", address("", "", 6)},
          {"options", {{"strategy", "random"}, {"max_runs", 1'000'000'000}}}};
}

TEST(Http, ListenersThatGoAwayLeaveTheirPlaceToOthers) {
  const Running server;
  httplib::Client client = server.client();
  ASSERT_EQ(client.Post("/api/jobs", endless().dump(), "application/json")->status, 200);
  const std::string request = "GET /api/jobs/1/stream HTTP/1.1\r\n" + host_of(server) + "\r\n";
  // There are 16 places; all are taken, and left, several times.
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<Raw>> listeners;
    while (listeners.size() < 16) {
      auto raw = std::make_unique<Raw>(server.port());
      raw->send(request);
      // Full: those of the round before are still being missed.
      if (raw->receive_until("\r\n\r\n").find("HTTP/1.1 200") == 0) {
        listeners.push_back(std::move(raw));
      }
    }
    Raw one_more(server.port());
    one_more.send(request);
    EXPECT_EQ(one_more.receive_until("\r\n\r\n").find("HTTP/1.1 503"), 0U);
    // Others are answered meanwhile.
    EXPECT_EQ(client.Get("/api/suite")->status, 200);
  }
  client.Post("/api/jobs/1/stop", "{}", "application/json");
}

TEST(Http, StoppingEndsStreamsAndJobs) {
  Running server;
  httplib::Client client = server.client();
  ASSERT_EQ(client.Post("/api/jobs", endless().dump(), "application/json")->status, 200);
  Raw raw(server.port());
  raw.send("GET /api/jobs/1/stream HTTP/1.1\r\n" + host_of(server) + "\r\n");
  raw.receive_until("event: progress");
  server.stop();
  raw.receive_all();
  EXPECT_FALSE(client.Get("/"));
}

TEST(Http, StoppingDoesNotWaitForThoseWhoSayNothing) {
  Running server;
  const Raw silent(server.port());
  silent.send("GET / HT");
  EXPECT_EQ(server.client().Get("/api/suite")->status, 200);
  server.stop();
  EXPECT_EQ(silent.receive_all().find("HTTP/1.1 200"), std::string::npos);
}

TEST(Http, StoppingBeforeItBeginsIsFine) {
  auto server = HttpServer::listen("127.0.0.1", 0);
  ASSERT_TRUE(server.ok());
  Service service(suite(), Door{"127.0.0.1", (*server)->port(), ""}, {});
  (*server)->stop();
  (*server)->serve(service);
}

TEST(Http, APortThatIsTakenIsNotShared) {
  const Running server;
  const auto other = HttpServer::listen("127.0.0.1", server.port());
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("--port 0"), std::string::npos) << other.error().message;
  const auto nowhere = HttpServer::listen("no such host", 0);
  EXPECT_FALSE(nowhere.ok());
}

TEST(Http, ManyClientsAtOnceGetTheirOwnAnswers) {
  const Running server;
  std::atomic<int> right{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, i] {
      httplib::Client client = server.client();
      for (int k = 0; k < 10; ++k) {
        const std::string way = i % 2 == 0 ? "0.0" : "1.0.0";
        const auto run =
            client.Post("/api/run", Json{{"address", address(way)}}.dump(), "application/json");
        if (run && Json::parse(run->body)["trace"]["short"] == way) ++right;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(right, 80);
}

}  // namespace
}  // namespace ordeal::serve
