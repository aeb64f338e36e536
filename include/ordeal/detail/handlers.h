// What looks like a handler and is none, which the compiler refuses: a handler that is never called
// makes a system in which nothing goes wrong.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "ordeal/context.h"
#include "ordeal/detail/fields.h"
#include "ordeal/node_id.h"

namespace ordeal {

template <class... T>
struct Types {};

namespace detail {

// Converts to a reference to whatever nothing listed would convert to; only ever used unevaluated.
template <class List>
struct Unlisted;
template <class... Listed>
struct Unlisted<Types<Listed...>> {
  template <class U>
  requires(!(std::is_convertible_v<const Listed&, const U&> || ...)) operator U&() const noexcept {
    __builtin_unreachable();
  }
};

// A handler that takes this takes anything: it is a template.
struct Unheard {};

// Says of a member name what T has under it. A handler that cannot be called as the engine calls
// it is a mistake; a field, a type or an enumerator of that name is none.
#define ORDEAL_DETAIL_MEMBER(NAME, Name)                                                        \
  struct Name {                                                                                 \
    struct Another {                                                                            \
      int NAME;                                                                                 \
    };                                                                                          \
    template <class T>                                                                          \
    struct Both : T, Another {};                                                                \
    template <class T>                                                                          \
    static constexpr bool is_function() {                                                       \
      if constexpr (FieldAccess::is_other_##NAME<T>()) {                                        \
        return false;                                                                           \
      } else if constexpr (std::is_final_v<T>) {                                                \
        return requires { &T::NAME; };                                                          \
      } else {                                                                                  \
        return !requires { &Both<T>::NAME; }; /* not to be told from the other: there is one */ \
      }                                                                                         \
    }                                                                                           \
    template <class T, class... A>                                                              \
    static constexpr bool takes() {                                                             \
      return requires(T & t, A... a) { t.NAME(a...); };                                         \
    }                                                                                           \
    /* One that cannot change its node; a static one says so. */                                \
    template <class T, class... A>                                                              \
    static constexpr bool is_const() {                                                          \
      return requires(const T& t, A... a) { t.NAME(a...); }                                     \
      &&!requires(A... a) { T::NAME(a...); };                                                   \
    }                                                                                           \
  }
ORDEAL_DETAIL_MEMBER(start, StartMember);
ORDEAL_DETAIL_MEMBER(on, OnMember);
ORDEAL_DETAIL_MEMBER(request, RequestMember);
ORDEAL_DETAIL_MEMBER(timer, TimerMember);
ORDEAL_DETAIL_MEMBER(crashed, CrashedMember);
ORDEAL_DETAIL_MEMBER(restored, RestoredMember);
ORDEAL_DETAIL_MEMBER(recover, RecoverMember);
#undef ORDEAL_DETAIL_MEMBER

// Whether T handles something that is not listed. Whatever is not handled comes to the functions
// that are added here; where several are, the call is ambiguous.
struct Elsewhere {};
template <class T>
struct OnElsewhere : T {
  using T::on;
  Elsewhere on(Context&, ...);
  Elsewhere on(Context&, NodeId, ...);
};
template <class T>
struct RequestElsewhere : T {
  using T::request;
  Elsewhere request(Context&, ...);
};

template <class T, class List>
constexpr bool handles_unlisted_messages() {
  using Other = Unlisted<List>;
  if constexpr (
      requires(T & t, Context & c, NodeId n) { t.on(c, n, Unheard()); } ||
      requires(T & t, Context & c) { t.on(c, Unheard()); }) {
    return false;
  } else if constexpr (std::is_final_v<T>) {
    return requires(T & t, Context & c, NodeId n) { t.on(c, n, Other()); }
    || requires(T & t, Context & c) { t.on(c, Other()); };
  } else {
    return !requires(OnElsewhere<T> & t, Context & c, NodeId n) {
      { t.on(c, n, Other()) } -> std::same_as<Elsewhere>;
      { t.on(c, Other()) } -> std::same_as<Elsewhere>;
    };
  }
}

template <class T, class List>
constexpr bool handles_unlisted_requests() {
  using Other = Unlisted<List>;
  if constexpr (requires(T & t, Context & c) { t.request(c, Unheard()); }) {
    return false;
  } else if constexpr (std::is_final_v<T>) {
    return requires(T & t, Context & c) { t.request(c, Other()); };
  } else {
    return !requires(RequestElsewhere<T> & t, Context & c) {
      { t.request(c, Other()) } -> std::same_as<Elsewhere>;
    };
  }
}

template <class T, class... M>
constexpr bool has_const_on(Types<M...>) {
  return ((OnMember::is_const<T, Context&, NodeId, const M&>() ||
           OnMember::is_const<T, Context&, const M&>()) ||
          ...);
}
template <class T, class... R>
constexpr bool has_const_request(Types<R...>) {
  return (RequestMember::is_const<T, Context&, const R&>() || ...);
}

template <class T>
constexpr bool lists_messages() {
  return requires { typename T::Messages; };
}
template <class T>
constexpr bool lists_requests() {
  return requires { typename T::Requests; };
}

template <class T>
constexpr void check_on() {
  if constexpr (OnMember::is_function<T>() || (std::is_final_v<T> && lists_messages<T>())) {
    static_assert(lists_messages<T>(),
                  "ordeal: `on` is never called: list what it handles, as in "
                  "`using Messages = ordeal::Types<Prepare, Accept>;`");
    if constexpr (lists_messages<T>()) {
      static_assert(!handles_unlisted_messages<T, typename T::Messages>(),
                    "ordeal: there is an `on` for a type that Messages does not list: it is never "
                    "called; add the type to Messages, or give the function another name");
      static_assert(!has_const_on<T>(typename T::Messages()),
                    "ordeal: a handler changes its node: `on` must not be const");
    }
  }
}

template <class T>
constexpr void check_request() {
  if constexpr (RequestMember::is_function<T>() || (std::is_final_v<T> && lists_requests<T>())) {
    static_assert(lists_requests<T>(),
                  "ordeal: `request` is never called: list what it handles, as in "
                  "`using Requests = ordeal::Types<Propose>;`");
    if constexpr (lists_requests<T>()) {
      static_assert(
          !handles_unlisted_requests<T, typename T::Requests>(),
          "ordeal: there is a `request` for a type that Requests does not list: it is never "
          "called; add the type to Requests, or give the function another name");
      static_assert(!has_const_request<T>(typename T::Requests()),
                    "ordeal: a handler changes its node: `request` must not be const");
    }
  }
}

template <class T>
constexpr void check_recover() {
  using Recover = RecoverMember;
  constexpr bool kWithContext = requires(T & t, Context & c) { t.recovered(c); };
  static_assert(Recover::is_function<T>() || !kWithContext,
                "ordeal: `recovered` is never called; the handler is "
                "`void recover(Context& ctx)`, or with a Disk "
                "`void recover(Context& ctx, const Disk& disk)`");
  if constexpr (requires { typename T::Disk; }) {
    using Disk = typename T::Disk;
    constexpr bool kWithDisk = requires(T & t, Context & c, const Disk& d) { t.recovered(c, d); };
    static_assert(Recover::is_function<T>() || !kWithDisk,
                  "ordeal: `recovered` is never called; the handler is "
                  "`void recover(Context& ctx, const Disk& disk)`");
    static_assert(!Recover::is_function<T>() || Recover::takes<T, Context&, const Disk&>(),
                  "ordeal: `recover` of a node with a Disk must be public and be "
                  "`void recover(Context& ctx, const Disk& disk)`; another function needs another "
                  "name");
    static_assert(!Recover::is_const<T, Context&, const Disk&>(),
                  "ordeal: a handler changes its node: `recover` must not be const");
  } else {
    static_assert(!Recover::is_function<T>() || Recover::takes<T, Context&>(),
                  "ordeal: `recover` of a node without a Disk must be public and be "
                  "`void recover(Context& ctx)`; with `using Disk = Ballot;` it is "
                  "`void recover(Context& ctx, const Disk& disk)`; another function needs another "
                  "name");
    static_assert(!Recover::is_const<T, Context&>(),
                  "ordeal: a handler changes its node: `recover` must not be const");
  }
}

#define ORDEAL_DETAIL_CHECK(Member, NAME, SIGNATURE, ...)                                 \
  static_assert(!Member::is_function<T>() || Member::takes<T, Context&, ##__VA_ARGS__>(), \
                "ordeal: `" #NAME "` must be public and be `" SIGNATURE                   \
                "`; another function needs another name");                                \
  static_assert(!Member::is_const<T, Context&, ##__VA_ARGS__>(),                          \
                "ordeal: a handler changes its node: `" #NAME "` must not be const")

// Refuses what the engine would not call.
template <class T>
constexpr void check_handlers() {
  ORDEAL_DETAIL_CHECK(StartMember, start, "void start(Context& ctx)");
  ORDEAL_DETAIL_CHECK(TimerMember, timer, "void timer(Context& ctx, const std::string& name)",
                      const std::string&);
  ORDEAL_DETAIL_CHECK(CrashedMember, crashed, "void crashed(Context& ctx, NodeId who)", NodeId);
  ORDEAL_DETAIL_CHECK(RestoredMember, restored, "void restored(Context& ctx, NodeId who)", NodeId);
  check_recover<T>();
  check_on<T>();
  check_request<T>();
}
#undef ORDEAL_DETAIL_CHECK

}  // namespace detail
}  // namespace ordeal
