// Gate: who may ask. Ordeal runs the systems of whoever may ask it, so nobody else may: no other
// machine unless told so, no page of another site in the user's browser, no name that was made to
// point here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "ordeal/result.h"
#include "serve/ask.h"

namespace ordeal::serve {

inline constexpr size_t kMaxBody = size_t{64} << 20;
inline constexpr size_t kMaxPath = 1000;

struct Door {
  std::string host = "127.0.0.1";  // the address to listen at
  int port = 0;
  std::string token = {};  // "": none is asked for
};

bool is_loopback(const std::string& host);
// 128 bits from the operating system, in hexadecimal.
Result<std::string> random_token();
// Takes as long for any two texts of the same length.
bool same_secret(const std::string& a, const std::string& b);

class Gate {
 public:
  explicit Gate(Door door) : door_(std::move(door)) {}

  // Why this is not to be answered; nothing: it is. The body need not be there yet, but its headers
  // must.
  std::optional<Answer> refuse(const Ask& ask) const;

  const Door& door() const { return door_; }
  // "http://127.0.0.1:7075/", with the token if there is one.
  std::string address() const;

 private:
  bool knows_host(const std::string& host) const;
  std::optional<Answer> refuse_site(const Ask& ask) const;
  std::optional<Answer> refuse_token(const Ask& ask) const;
  std::optional<Answer> refuse_body(const Ask& ask) const;
  std::string cookie() const;

  Door door_;
};

// What every answer carries: nothing of it is kept, guessed at, framed, or told to other sites.
// `policy`: the Content-Security-Policy.
void add_safety_headers(const std::string& policy, Answer& answer);
// For everything but the page.
inline constexpr const char* kNothingAllowed = "default-src 'none'; frame-ancestors 'none'";

}  // namespace ordeal::serve
