#include "serve/gate.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "base/text.h"

namespace ordeal::serve {
namespace {

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

// As it stands in a URL: an IPv6 address has brackets.
std::string in_url(const std::string& host) {
  return host.find(':') == host.npos ? host : "[" + host + "]";
}

// "name:port" or "[address]:port", in two.
std::pair<std::string, std::string> split_host(const std::string& text) {
  const size_t bracket = text.find(']');
  const size_t colon = text.find(':', bracket == text.npos ? 0 : bracket);
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {host, colon == text.npos ? "" : text.substr(colon + 1)};
}

bool is_anywhere(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

// The value of one cookie among "a=1; b=2"; empty: it is not there.
std::string cookie_value(const std::string& cookies, const std::string& name) {
  size_t at = 0;
  while (at < cookies.size()) {
    const size_t end = std::min(cookies.find(';', at), cookies.size());
    at = std::min(cookies.find_first_not_of(' ', at), cookies.size());
    const size_t equals = cookies.find('=', at);
    if (equals < end && cookies.compare(at, equals - at, name) == 0) {
      return cookies.substr(equals + 1, end - equals - 1);
    }
    at = end + 1;
  }
  return "";
}

}  // namespace

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || (host.starts_with("127.") && is_address(host));
}

Result<std::string> random_token() {
  std::array<unsigned char, 16> bytes{};
  if (getentropy(bytes.data(), bytes.size()) != 0) {
    return Error{"the operating system gives no random bytes for a token; give one with --token"};
  }
  std::string out;
  for (const unsigned char byte : bytes) out += fmt::format("{:02x}", byte);
  return out;
}

bool same_secret(const std::string& a, const std::string& b) {
  // Their lengths are no secret.
  if (a.size() != b.size()) return false;
  volatile unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference = static_cast<unsigned char>(difference | (a[i] ^ b[i]));
  }
  return difference == 0;
}

std::string Gate::address() const {
  const std::string host = is_anywhere(door_.host) ? "127.0.0.1" : door_.host;
  return fmt::format("http://{}:{}/{}{}", in_url(host), door_.port,
                     door_.token.empty() ? "" : "?token=", door_.token);
}

// A page on another site can have its own name point to this machine (DNS rebinding): its requests
// then come with that name as the host.
bool Gate::knows_host(const std::string& text) const {
  const auto [host, port] = split_host(text);
  if (port != std::to_string(door_.port) && !(port.empty() && door_.port == 80)) return false;
  if (host == door_.host) return true;
  const bool anywhere = is_anywhere(door_.host);
  // An address cannot be made to point anywhere else.
  if (anywhere && is_address(host)) return true;
  if (!anywhere && !is_loopback(door_.host)) return false;
  return host == "localhost" || host == "127.0.0.1" || host == "::1";
}

std::optional<Answer> Gate::refuse_site(const Ask& ask) const {
  const std::string host = ask.header("host");
  if (!knows_host(host)) {
    return problem(403, fmt::format("Host: found '{}'; this server answers only to {}",
                                    cut_to(one_line(host), 100),
                                    Gate(Door{door_.host, door_.port, ""}).address()));
  }
  const std::string origin = ask.header("origin");
  if (!origin.empty() && origin != "http://" + host) {
    return problem(403, fmt::format("Origin: found '{}'; pages of other sites may not ask",
                                    cut_to(one_line(origin), 100)));
  }
  const std::string site = ask.header("sec-fetch-site");
  if (site.empty() || site == "same-origin" || site == "none") return std::nullopt;
  // A link to the page, followed by a person, is how runs are shared.
  const bool followed = ask.method == "GET" && ask.path == "/" &&
                        ask.header("sec-fetch-mode") == "navigate" &&
                        ask.header("sec-fetch-dest") == "document";
  if (followed) return std::nullopt;
  return problem(403, fmt::format("Sec-Fetch-Site: found '{}'; pages of other sites may not ask",
                                  cut_to(one_line(site), 100)));
}

std::string Gate::cookie() const {
  // Cookies are shared by all ports of a host.
  return fmt::format("ordeal_token_{}", door_.port);
}

std::optional<Answer> Gate::refuse_token(const Ask& ask) const {
  if (door_.token.empty()) return std::nullopt;
  constexpr std::string_view kBearer = "Bearer ";
  const std::string authorization = ask.header("authorization");
  if (authorization.starts_with(kBearer) &&
      same_secret(authorization.substr(kBearer.size()), door_.token)) {
    return std::nullopt;
  }
  const auto given = ask.query.find("token");
  if (ask.method == "GET" && ask.path == "/" && given != ask.query.end() &&
      same_secret(given->second, door_.token)) {
    // Into a cookie, and out of the address: addresses are shown, kept and shared.
    Answer out;
    out.status = 303;
    out.type = "text/plain";
    out.headers["Location"] = "/";
    out.headers["Set-Cookie"] =
        fmt::format("{}={}; Path=/; SameSite=Strict; HttpOnly", cookie(), door_.token);
    return out;
  }
  if (same_secret(cookie_value(ask.header("cookie"), cookie()), door_.token)) return std::nullopt;
  return problem(401,
                 "a token is needed: open the address that was printed when the server started, or "
                 "send the header 'Authorization: Bearer TOKEN'");
}

std::optional<Answer> Gate::refuse_body(const Ask& ask) const {
  if (!ask.header("content-encoding").empty()) {
    return problem(415, "Content-Encoding: the body must be sent as it is");
  }
  if (!ask.header("transfer-encoding").empty()) {
    return problem(411, "Transfer-Encoding: the body must have a Content-Length instead");
  }
  const std::string length = ask.header("content-length");
  uint64_t bytes = 0;
  const auto [stop, error] = std::from_chars(length.data(), length.data() + length.size(), bytes);
  const bool is_number = error == std::errc() && stop == length.data() + length.size();
  if (ask.method != "POST") {
    if (length.empty() || (is_number && bytes == 0)) return std::nullopt;
    return problem(400, fmt::format("a {} has no body", ask.method));
  }
  const std::string type = ask.header("content-type");
  const std::string plain = type.substr(0, type.find_first_of("; "));
  if (plain != "application/json") {
    return problem(415, fmt::format("Content-Type: found '{}'; expected application/json",
                                    cut_to(one_line(type), 100)));
  }
  if (length.empty()) return problem(411, "Content-Length: is missing");
  const bool too_many = error == std::errc::result_out_of_range || (is_number && bytes > kMaxBody);
  if (too_many || ask.body.size() > kMaxBody) {
    return problem(413, fmt::format("the body has more than {}", bytes_text(kMaxBody)));
  }
  if (!is_number) return problem(400, "Content-Length: expected a number");
  return std::nullopt;
}

std::optional<Answer> Gate::refuse(const Ask& ask) const {
  if (auto refused = refuse_site(ask)) return refused;
  if (auto refused = refuse_token(ask)) return refused;
  if (ask.method != "GET" && ask.method != "HEAD" && ask.method != "POST") {
    Answer refused = problem(405, "only GET, HEAD and POST are understood");
    refused.headers["Allow"] = "GET, HEAD, POST";
    return refused;
  }
  if (ask.path.size() > kMaxPath) return problem(414, "there is no path as long as this");
  return refuse_body(ask);
}

void add_safety_headers(const std::string& policy, Answer& answer) {
  answer.headers["Content-Security-Policy"] = policy;
  answer.headers["X-Content-Type-Options"] = "nosniff";
  answer.headers["X-Frame-Options"] = "DENY";
  answer.headers["Referrer-Policy"] = "no-referrer";
  answer.headers["Cross-Origin-Resource-Policy"] = "same-origin";
  answer.headers["Cross-Origin-Opener-Policy"] = "same-origin";
  answer.headers["Cache-Control"] = "no-store";
}

}  // namespace ordeal::serve
