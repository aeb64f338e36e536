// The text of a mapper, statement by statement.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "language/tla/mapper/term_maker.h"

namespace ordeal::tla {

class MapperParser {
 public:
  MapperParser(Follower& model, Mapper& mapper, const std::string& text, const std::string& path)
      : model_(model),
        spec_(model.specification()),
        mapper_(mapper),
        text_(text),
        path_(path),
        terms_(mapper, spec_, path_, text_) {}

  Result<void> parse();

 private:
  // A token that stays what it is when other files come.
  struct Word {
    TokenKind kind = TokenKind::kEnd;
    std::string text;
    size_t begin = 0, end = 0;  // in the text
    Place place;
    bool first = false;  // of its line
  };
  using Words = std::vector<Word>;
  // From one word to before another, by their numbers.
  struct Range {
    size_t first = 0, last = 0;
  };

  Result<void> read_words();
  Result<void> read_statement(Range statement);
  Result<void> read_specification(Range rest);
  Result<void> read_define(Range rest);
  Result<void> read_value(Range rest);
  Result<void> read_hidden(Range rest);
  Result<void> read_on(Range rest);
  Result<void> read_do(Range rest);
  Result<void> read_see(Range rest);
  Result<void> read_otherwise(Range rest);
  Result<MappedSteps> read_sequence(Range range);
  Result<MappedAction> read_action(Range range);
  Result<void> read_argument(Range range, size_t position, const std::string& each,
                             MappedAction& out);
  std::optional<std::vector<std::string>> parameters_of(const std::string& name);
  Result<void> check_action(MappedAction& action, size_t given, const Word& at);

  // The parts between words of this text that stand in no brackets.
  std::vector<Range> split(Range range, const std::string& separator) const;
  Result<Term> term(Range range, const std::string& each = "");
  const Word& word(size_t at) const { return words_[at]; }
  bool is(size_t at, Range range, const char* text) const {
    return at < range.last && words_[at].text == text;
  }
  Error error_at(const Word& word, const std::string& message) const;

  Follower& model_;
  Specification& spec_;
  Mapper& mapper_;
  const std::string& text_;
  const std::string& path_;
  TermMaker terms_;
  Words words_;
  bool named_ = false;  // the specification was
};

}  // namespace ordeal::tla
