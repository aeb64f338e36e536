#include "serve/http.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <thread>

#include "serve/gate.h"
#include "serve/intake.h"

namespace ordeal::serve {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr size_t kThreads = 32;
constexpr int kMostStreams = 16;  // each keeps a thread busy; some must be left for requests
constexpr auto kStreamPatience = milliseconds(250);
constexpr auto kHeartbeat = seconds(5);

// The library's view of a connection.
class IntakeStream : public httplib::Stream {
 public:
  IntakeStream(Intake& intake, socket_t socket) : intake_(intake), socket_(socket) {}

  bool is_readable() const override { return intake_.is_open(); }
  bool is_writable() const override { return intake_.is_open(); }
  ssize_t read(char* to, size_t size) override { return intake_.read(to, size); }
  ssize_t write(const char* from, size_t size) override { return intake_.write(from, size); }
  // Nobody is treated differently for where they are.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

 private:
  Intake& intake_;
  socket_t socket_;
};

Ask ask_of(const httplib::Request& request) {
  Ask ask{request.method, request.path, {}, {}, request.body};
  for (const auto& [name, value] : request.params) ask.query[name] = value;
  for (const auto& [name, value] : request.headers) {
    std::string key = name;
    std::transform(key.begin(), key.end(), key.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto [at, is_new] = ask.headers.emplace(key, value);
    if (!is_new) at->second += ", " + value;
  }
  return ask;
}

void refuse_bare(Intake& intake, int status, const char* words) {
  const std::string text = fmt::format(
      "HTTP/1.1 {} {}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", status, words);
  intake.write(text.data(), text.size());
  intake.finish();
}

}  // namespace

class HttpServer::Listener : public httplib::Server {
 public:
  Listener() {
    new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    set_payload_max_length(kMaxBody);
    // Not the library's way: it would share the port with another server.
    set_socket_options([](socket_t socket) {
      const int on = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    });
    set_tcp_nodelay(true);
    set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return answer_early(request, response);
    });
    Post(".*", [this](const httplib::Request& request, httplib::Response& response) {
      put(answerer_->handle(ask_of(request)), response);
    });
    set_error_handler([](const httplib::Request&, httplib::Response& response) {
      if (response.body.empty()) own_trouble(response);
    });
    set_exception_handler(
        [](const httplib::Request&, httplib::Response& response, std::exception_ptr) {
          response.status = 500;
          own_trouble(response);
        });
  }

  // The library lets only a few wait to be accepted; the others would try again after a second.
  void let_many_wait() { ::listen(svr_sock_, SOMAXCONN); }

  void start(Answerer& answerer) {
    answerer_ = &answerer;
    started_ = true;
    if (!stopped_) listen_after_bind();
    over_ = true;
  }

  void end() {
    stopped_ = true;
    // It cannot be stopped before it has begun.
    while (started_ && !over_ && !is_running()) std::this_thread::sleep_for(milliseconds(1));
    stop();
  }

  int port = 0;

 private:
  // Whatever needs no body; a body that nobody wants is not read.
  HandlerResponse answer_early(const httplib::Request& request, httplib::Response& response) {
    const Ask ask = ask_of(request);
    if (std::optional<Answer> refused = answerer_->refuse(ask)) {
      put(*std::move(refused), response);
      return HandlerResponse::Handled;
    }
    if (ask.method == "POST") return HandlerResponse::Unhandled;
    put(answerer_->handle(ask), response);
    return HandlerResponse::Handled;
  }

  void put(Answer answer, httplib::Response& response) {
    if (answer.stream != nullptr && streams_.fetch_add(1) >= kMostStreams) {
      --streams_;
      answer = problem(503, "too many streams are being read");
      add_safety_headers(kNothingAllowed, answer);
    }
    response.status = answer.status;
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
    if (answer.stream == nullptr) {
      response.set_content(std::move(answer.body), answer.type);
      return;
    }
    response.set_chunked_content_provider(answer.type, provider_of(std::move(answer.stream)),
                                          [this](bool) { --streams_; });
  }

  static httplib::ContentProviderWithoutLength provider_of(std::shared_ptr<Stream> stream) {
    auto last = std::make_shared<Intake::Clock::time_point>();
    return [stream, last](size_t, httplib::DataSink& sink) {
      std::string out;
      const bool more = stream->next(kStreamPatience, out);
      const auto now = Intake::Clock::now();
      // A comment: so that whatever lies between knows that the connection is alive.
      if (out.empty() && now - *last > kHeartbeat) out = ":\n\n";
      if (!out.empty()) {
        *last = now;
        if (!sink.write(out.data(), out.size())) return false;
      }
      if (!more) sink.done();
      return !more || sink.is_writable();
    };
  }

  static void own_trouble(httplib::Response& response) {
    Answer answer = problem(response.status, "this is no request that can be answered");
    add_safety_headers(kNothingAllowed, answer);
    for (const auto& [name, value] : answer.headers) response.set_header(name, value);
    response.set_content(answer.body, answer.type);
  }

  bool process_and_close_socket(socket_t socket) override {
    Intake intake(socket, stopped_);
    bool done = false;
    switch (intake.read_head()) {
      case Intake::Head::kWhole: {
        IntakeStream stream(intake, socket);
        bool closed = false;
        done = process_request(stream, true, closed, nullptr);
        intake.finish();
        break;
      }
      case Intake::Head::kTooLong:
        refuse_bare(intake, 431, "Request Header Fields Too Large");
        break;
      case Intake::Head::kTooSlow:
        refuse_bare(intake, 408, "Request Timeout");
        break;
      case Intake::Head::kGone:
        break;
    }
    ::close(socket);
    return done;
  }

  Answerer* answerer_ = nullptr;
  std::atomic<bool> started_{false};
  std::atomic<bool> stopped_{false};
  std::atomic<bool> over_{false};
  std::atomic<int> streams_{0};
};

HttpServer::HttpServer(std::unique_ptr<Listener> listener) : listener_(std::move(listener)) {}

HttpServer::~HttpServer() = default;

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const std::string& host, int port) {
  auto listener = std::make_unique<Listener>();
  errno = 0;
  if (port == 0) {
    listener->port = listener->bind_to_any_port(host);
  } else {
    listener->port = listener->bind_to_port(host, port) ? port : -1;
  }
  if (listener->port < 0) {
    const std::string why = errno == 0 ? "there is no such address" : std::strerror(errno);
    return Error{fmt::format("cannot listen at {} port {}: {}{}", host, port, why,
                             errno == EADDRINUSE ? " (--port 0 takes any that is free)" : "")};
  }
  listener->let_many_wait();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(listener)));
}

int HttpServer::port() const { return listener_->port; }

void HttpServer::serve(Answerer& answerer) { listener_->start(answerer); }

void HttpServer::stop() { listener_->end(); }

}  // namespace ordeal::serve
