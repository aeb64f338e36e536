// The command `ordeal serve`, run as people do.
#include <gtest/gtest.h>
#include <httplib.h>
#include <signal.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/tools/cli/process.h"

namespace ordeal::e2e {
namespace {

// The program, and its address once it has told it.
class Serving {
 public:
  explicit Serving(std::vector<std::string> arguments)
      : out_(folder_.path() + "/address"), process_(words(std::move(arguments)), "", out_) {
    while (address_.find('\n') == std::string::npos && !process_.has_ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      address_ = read_whole(out_);
    }
    address_ = address_.substr(0, address_.find('\n'));
  }

  const std::string& address() const { return address_; }
  httplib::Client client() const {
    const size_t end = address_.find('/', 7);
    return httplib::Client(address_.substr(0, end));
  }
  Finished interrupt() {
    process_.send(SIGINT);
    return process_.finish();
  }

 private:
  static std::vector<std::string> words(std::vector<std::string> more) {
    std::vector<std::string> all = {"serve", "--port", "0"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Folder folder_;
  std::string out_;
  Process process_;
  std::string address_;
};

std::string fragment_of(const std::string& address) {
  const size_t hash = address.find('#');
  return hash == address.npos ? "" : address.substr(hash);
}

TEST(ServeCommand, TellsItsAddressServesAndEndsOnASignal) {
  Serving serving({});
  EXPECT_EQ(serving.address().find("http://127.0.0.1:"), 0U);
  EXPECT_EQ(serving.address().find("token"), std::string::npos);
  const auto page = serving.client().Get("/");
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  const auto suite = serving.client().Get("/api/suite");
  ASSERT_TRUE(suite);
  EXPECT_FALSE(nlohmann::json::parse(suite->body)["subjects"].empty());
  const Finished finished = serving.interrupt();
  EXPECT_EQ(finished.exit, 0) << finished.err;
}

TEST(ServeCommand, OpensASubjectByADeepLink) {
  const Serving serving({"hierarchical-consensus", "--nodes", "2", "--bug", "advance-once"});
  EXPECT_EQ(fragment_of(serving.address()),
            "#system=hierarchical-consensus&p.nodes=2&bug=advance-once");
}

TEST(ServeCommand, BeginsACheckAtOnce) {
  const Serving serving({"--check", "hierarchical-consensus", "--nodes", "2", "--strategy", "bfs"});
  EXPECT_NE(fragment_of(serving.address()).find("&view=explore"), std::string::npos);
  const auto stream = serving.client().Get("/api/jobs/1/stream");
  ASSERT_TRUE(stream);
  EXPECT_NE(stream->body.find("event: done"), std::string::npos);
}

TEST(ServeCommand, ShowsTraces) {
  const Folder folder;
  const std::string file = folder.path() + "/found.json";
  ordeal({"check", "hierarchical-consensus", "--crash", "1", "--bug", "advance-once", "--trace",
          file, "--quiet"});
  const Serving serving({file});
  const auto page = serving.client().Get("/");
  ASSERT_TRUE(page);
  EXPECT_NE(page->body.find("found.json"), std::string::npos);
  EXPECT_NE(page->body.find("ordeal-trace"), std::string::npos);
  EXPECT_NE(page->body.find("\"parts\":"), std::string::npos) << "with its states";
}

TEST(ServeCommand, AsksForATokenWhereOthersCanReachIt) {
  const Serving serving({"--host", "0.0.0.0"});
  const size_t at = serving.address().find("/?token=");
  ASSERT_NE(at, std::string::npos) << serving.address();
  const std::string token = serving.address().substr(at + 8);
  EXPECT_EQ(token.size(), 32U);
  EXPECT_EQ(serving.client().Get("/")->status, 401);
  EXPECT_EQ(serving.client().Get("/api/suite", {{"Authorization", "Bearer " + token}})->status,
            200);
  const Serving chosen({"--token", "abcdefghijklmnop"});
  EXPECT_EQ(chosen.client().Get("/")->status, 401);
}

TEST(ServeCommand, RefusesWhatMakesNoSense) {
  const auto refused = [](std::vector<std::string> words) {
    words.insert(words.begin(), "serve");
    const Finished finished = ordeal(words);
    EXPECT_EQ(finished.exit, 3);
    EXPECT_EQ(finished.out, "");
    return finished.err;
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(contains(refused({"no-such-file.json"}), "there is no such file"));
  EXPECT_TRUE(contains(refused({"hierarchical-consensu"}), "did you mean"));
  EXPECT_TRUE(contains(refused({"--port", "70000"}), "out of range"));
  EXPECT_TRUE(contains(refused({"--token", "short"}), "16 or more"));
  EXPECT_TRUE(contains(refused({"--host", "no such host"}), "cannot listen"));
  EXPECT_TRUE(contains(refused({"--check"}), "is for a subject"));
  EXPECT_TRUE(contains(refused({"--bug", "x"}), "is for a subject"));
  EXPECT_TRUE(contains(refused({"hierarchical-consensus", "--strategy", "bfs"}), "--check"));
  EXPECT_TRUE(contains(refused({"hierarchical-consensus", "--nodes", "99"}), "out of range"));
  EXPECT_TRUE(contains(refused({"hierarchical-consensus", "--scenario", "nope"}), "no scenario"));
}

}  // namespace
}  // namespace ordeal::e2e
