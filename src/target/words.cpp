#include "target/words.h"

#include <array>

namespace loadline {
namespace {

constexpr std::array<std::string_view, 311> word_list = {
    "time",     "year",        "people",      "way",        "day",         "man",         "thing",      "woman",
    "life",     "child",       "world",       "school",     "state",       "family",      "student",    "group",
    "country",  "problem",     "hand",        "part",       "place",       "case",        "week",       "company",
    "system",   "program",     "question",    "work",       "government",  "number",      "night",      "point",
    "home",     "water",       "room",        "mother",     "area",        "money",       "story",      "fact",
    "month",    "lot",         "right",       "study",      "book",        "eye",         "job",        "word",
    "business", "issue",       "side",        "kind",       "head",        "house",       "service",    "friend",
    "father",   "power",       "hour",        "game",       "line",        "end",         "member",     "law",
    "car",      "city",        "community",   "name",       "president",   "team",        "minute",     "idea",
    "kid",      "body",        "information", "back",       "parent",      "face",        "others",     "level",
    "office",   "door",        "health",      "person",     "art",         "history",     "party",      "result",
    "change",   "morning",     "reason",      "research",   "girl",        "guy",         "moment",     "air",
    "teacher",  "force",       "education",   "foot",       "boy",         "age",         "policy",     "music",
    "market",   "sense",       "nation",      "plan",       "college",     "interest",    "experience", "effect",
    "use",      "class",       "control",     "care",       "field",       "development", "role",       "effort",
    "rate",     "heart",       "show",        "leader",     "light",       "voice",       "wife",       "police",
    "mind",     "price",       "report",      "decision",   "son",         "view",        "relation",   "town",
    "road",     "arm",         "difference",  "value",      "building",    "action",      "season",     "society",
    "tax",      "director",    "position",    "player",     "record",      "paper",       "space",      "ground",
    "form",     "event",       "official",    "matter",     "center",      "couple",      "site",       "project",
    "activity", "star",        "table",       "need",       "court",       "oil",         "situation",  "cost",
    "industry", "figure",      "street",      "image",      "phone",       "data",        "picture",    "practice",
    "piece",    "land",        "product",     "doctor",     "wall",        "patient",     "worker",     "news",
    "test",     "movie",       "north",       "love",       "support",     "technology",  "step",       "baby",
    "computer", "type",        "attention",   "film",       "tree",        "source",      "hair",       "look",
    "window",   "culture",     "chance",      "brother",    "energy",      "period",      "course",     "summer",
    "plant",    "opportunity", "term",        "letter",     "condition",   "choice",      "rule",       "south",
    "husband",  "floor",       "campaign",    "material",   "population",  "call",        "economy",    "hospital",
    "church",   "risk",        "fire",        "future",     "bank",        "west",        "sport",      "board",
    "subject",  "officer",     "rest",        "behavior",   "performance", "fight",       "top",        "goal",
    "second",   "bed",         "order",       "author",     "agency",      "nature",      "color",      "store",
    "sound",    "movement",    "page",        "race",       "concern",     "series",      "language",   "response",
    "animal",   "factor",      "decade",      "article",    "east",        "artist",      "scene",      "stock",
    "career",   "treatment",   "approach",    "size",       "dog",         "fund",        "media",      "sign",
    "thought",  "list",        "individual",  "quality",    "pressure",    "answer",      "resource",   "meeting",
    "disease",  "success",     "cup",         "amount",     "ability",     "staff",       "character",  "growth",
    "loss",     "degree",      "region",      "television", "box",         "training",    "trade",      "deal",
    "election", "feeling",     "standard",    "bill",       "message",     "analysis",    "benefit",    "lawyer",
    "section",  "glass",       "skill",       "sister",     "professor",   "operation",   "stage"};

}  // namespace

std::span<const std::string_view> common_words() { return word_list; }

void append_words(std::span<const std::uint32_t> indices, std::string& out) {
  bool first = true;
  for (const std::uint32_t index : indices) {
    if (!first) out += ' ';
    out += word_list.at(index);
    first = false;
  }
}

}  // namespace loadline
