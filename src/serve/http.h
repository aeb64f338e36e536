// HttpServer: the sockets in front of an Answerer. One request a connection, every wait with an
// end: no client can hold a thread for ever.
#pragma once

#include <memory>
#include <string>

#include "ordeal/result.h"
#include "serve/answerer.h"

namespace ordeal::serve {

class HttpServer {
 public:
  // Listens, but answers nobody yet. Port 0: any that is free.
  static Result<std::unique_ptr<HttpServer>> listen(const std::string& host, int port);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  int port() const;
  // Answers until stop(). Once.
  void serve(Answerer& answerer);
  // From another thread, before serve() or during it. Requests that are being answered end first,
  // streams at once.
  void stop();

 private:
  class Listener;
  explicit HttpServer(std::unique_ptr<Listener> listener);
  std::unique_ptr<Listener> listener_;
};

}  // namespace ordeal::serve
