// JSON values: reading, writing and refusing.
#include "common/json.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace tacho {
namespace {

Json Parsed(std::string_view text) {
  auto json = Json::Parse(text);
  EXPECT_TRUE(json.ok()) << text;
  return json.ok() ? *json : Json();
}

TEST(JsonTest, MembersKeepTheirOrder) {
  const Json json = Json::Object{{"robot", "rb12"}, {"count", 3}, {"a", Json::Array{1, 2.5, true}}};
  EXPECT_EQ(json.Dump(), R"({"robot":"rb12","count":3,"a":[1,2.5,true]})");
  EXPECT_EQ(Parsed(json.Dump()), json);
}

TEST(JsonTest, IndentedFormIsTheSameValue) {
  const Json json = Json::Object{{"a", Json::Array{}}, {"b", Json()}};
  EXPECT_EQ(json.Dump(2), "{\n  \"a\": [],\n  \"b\": null\n}");
  EXPECT_EQ(Parsed(json.Dump(2)), json);
}

TEST(JsonTest, AllOf64BitsSurvive) {
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const Json json = Parsed(Json(Json::Array{least, most}).Dump());
  EXPECT_EQ(json.items()[0].AsInt(), least);
  EXPECT_EQ(json.items()[1].AsInt(), most);
}

TEST(JsonTest, IntegerPast64BitsBecomesDouble) {
  EXPECT_DOUBLE_EQ(Parsed("18446744073709551615").AsDouble(), 18446744073709551615.0);
  EXPECT_EQ(Parsed("18446744073709551615").AsInt(-1), -1);
  EXPECT_DOUBLE_EQ(Json(std::uint64_t{1} << 63).AsDouble(), 9223372036854775808.0);
}

TEST(JsonTest, NotFiniteBecomesNull) {
  EXPECT_EQ(Json(std::nan("")).Dump(), "null");
  EXPECT_EQ(Json(std::numeric_limits<double>::infinity()).Dump(), "null");
}

TEST(JsonTest, BadUtf8IsReplacedOnWriting) {
  EXPECT_EQ(Json("a\xFF").Dump(), "\"a\xEF\xBF\xBD\"");
}

TEST(JsonTest, BadUtf8IsRefusedOnReading) {
  EXPECT_FALSE(Json::Parse("\"a\xFF\"").ok());
}

TEST(JsonTest, MistakeNamesItsByte) {
  auto json = Json::Parse(R"({"a": 1,})");
  ASSERT_NE(json.error(), nullptr);
  EXPECT_EQ(json.error()->code(), Code::kInvalid);
  EXPECT_EQ(json.error()->message(), "json: it is no JSON at byte 9");
}

TEST(JsonTest, EmptyTextAndTrailingTextAreRefused) {
  EXPECT_FALSE(Json::Parse("").ok());
  EXPECT_FALSE(Json::Parse("{} {}").ok());
  EXPECT_FALSE(Json::Parse("1e999").ok());
}

TEST(JsonTest, NestingOf64IsTakenAnd65Refused) {
  EXPECT_TRUE(Json::Parse(std::string(64, '[') + std::string(64, ']')).ok());
  EXPECT_FALSE(Json::Parse(std::string(65, '[') + std::string(65, ']')).ok());
  EXPECT_FALSE(Json::Parse(std::string(1'000'000, '[')).ok());
}

TEST(JsonTest, KeySaidTwiceIsRefused) {
  EXPECT_FALSE(Json::Parse(R"({"a":1,"a":2})").ok());
  EXPECT_TRUE(Json::Parse(R"({"a":1,"b":{"a":2}})").ok());
}

TEST(JsonTest, ReadingAnotherKindGivesTheFallback) {
  const Json json = Parsed(R"({"text":"x","whole":3.0,"real":3.5,"flag":true})");
  EXPECT_EQ(json["text"].AsInt(7), 7);
  EXPECT_EQ(json["whole"].AsInt(7), 3);
  EXPECT_EQ(json["real"].AsInt(7), 7);
  EXPECT_EQ(json["flag"].AsText("no"), "no");
  EXPECT_TRUE(json["flag"].AsBool());
  EXPECT_TRUE(json["absent"].is_null());
  EXPECT_TRUE(json["absent"]["deeper"].is_null());
  EXPECT_TRUE(json["text"].items().empty());
}

TEST(JsonTest, SetReplacesAndPushAppends) {
  Json json;
  json.Set("a", 1);
  json.Set("a", 2);
  json.Set("list", Json());
  Json list;
  list.Push("x");
  json.Set("list", list);
  EXPECT_EQ(json.Dump(), R"({"a":2,"list":["x"]})");
}

TEST(JsonTest, SettingAMemberOfATextDoesNothing) {
  Json json = "text";
  json.Set("a", 1);
  json.Push(1);
  EXPECT_EQ(json, Json("text"));
}

}  // namespace
}  // namespace tacho
