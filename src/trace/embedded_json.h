#pragma once
// JSON that a log carries as text: in a cell of a table, in a string, in base64, or as server-sent events.

#include <simdjson.h>

#include <string>
#include <string_view>

namespace loadline {

class EmbeddedJson {
 public:
  /// Calls visit(simdjson::ondemand::object) -> simdjson::error_code for the object that `text` is, or for each of the
  /// events "data: {...}" in it; base64 of either is decoded first. False where there is none, or one is broken. `text`
  /// is copied, so that it needs no room behind it. Not to be called from within `visit`.
  template <class Visit>
  bool for_each_object(std::string_view text, Visit visit) {
    std::string_view rest = plain_text(text);
    bool sound = true, any = false;
    for (std::string_view json; !(json = next_object(rest)).empty();) {
      any = true;
      simdjson::ondemand::document document;
      simdjson::ondemand::object object;
      sound = sound && !parser_.iterate(json, json.size() + simdjson::SIMDJSON_PADDING).get(document) &&
              !document.get_object().get(object) && !visit(object);
    }
    return any && sound;
  }

 private:
  /// `text`, or what its base64 says; empty where it is neither an object nor events.
  std::string_view plain_text(std::string_view text);
  /// Takes the next object off `rest` and copies it to where there is room behind it; empty at the end.
  std::string_view next_object(std::string_view& rest);

  simdjson::ondemand::parser parser_;
  std::string decoded_, padded_;
};

}  // namespace loadline
