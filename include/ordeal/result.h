// Result<T>: a value or an Error. What the public API returns instead of throwing.
//
//   Result<Trace> trace = read_trace("bug.json");
//   if (!trace) { std::cerr << trace.error().message; return 3; }
//   use(*trace);
//
// An Error's message is written for a person: what was wrong, where, and what would be right.
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace ordeal {

struct Error {
  std::string message;
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}      // NOLINT: implicit on purpose
  Result(Error error) : content_(std::move(error)) {}  // NOLINT: implicit on purpose

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // REQUIRES: ok().
  T& operator*() & { return std::get<0>(content_); }
  const T& operator*() const& { return std::get<0>(content_); }
  T&& operator*() && { return std::get<0>(std::move(content_)); }
  T* operator->() { return &std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }

  // REQUIRES: !ok().
  const Error& error() const { return std::get<1>(content_); }

 private:
  std::variant<T, Error> content_;
};

// A Result without a value: success, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}  // NOLINT: implicit on purpose

  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  const Error& error() const { return error_; }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace ordeal
