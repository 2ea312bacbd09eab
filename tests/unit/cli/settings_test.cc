// Options, environment and config files, and which of them wins.
#include "cli/settings.h"

#include <gtest/gtest.h>
#include <string>

namespace tacho {
namespace {

CommandArguments Options(std::initializer_list<std::pair<const char*, const char*>> given) {
  CommandArguments arguments;
  for (const auto& [name, value] : given) {
    arguments.Add(name, value);
  }
  return arguments;
}

const Environment kTerminal{.is_terminal = true, .width = 120, .variables = {{"LANG", "C.UTF-8"}}};

Settings Decide(const CommandArguments& options, const Environment& environment,
                const CliConfig& config = {}) {
  auto settings = DecideSettings(options, environment, config);
  EXPECT_TRUE(settings.ok()) << settings.error()->message();
  return *settings;
}

TEST(DecideSettings, AsksTheLocalServerWhereNothingIsSaid) {
  const Settings settings = Decide({}, {});
  EXPECT_EQ(settings.server.address, "127.0.0.1:4440");
  EXPECT_EQ(settings.server_origin, "the default");
  EXPECT_FALSE(settings.server.tls.is_set());
  EXPECT_EQ(settings.socket, "/run/tacho/recorder.sock");
}

TEST(DecideSettings, BelievesTheOptionThenTheEnvironmentThenTheConfig) {
  const CliConfig config{.path = "/etc/tacho/cli.toml",
                         .server = "config:1",
                         .socket = "/config",
                         .tls = {.authority = "ca.pem", .certificate = "me.pem", .key = "me.key"}};
  const Environment environment{
      .variables = {{"TACHO_SERVER", "variable:1"}, {"TACHO_SOCKET", "/variable"}}};

  Settings settings = Decide({}, {}, config);
  EXPECT_EQ(settings.server.address, "config:1");
  EXPECT_EQ(settings.server_origin, "/etc/tacho/cli.toml");
  EXPECT_EQ(settings.socket, "/config");

  settings = Decide({}, environment, config);
  EXPECT_EQ(settings.server.address, "variable:1");
  EXPECT_EQ(settings.socket, "/variable");
  EXPECT_EQ(settings.server.tls.authority, "ca.pem");

  settings = Decide(Options({{"server", "option:1"}, {"socket", "/option"}}), environment, config);
  EXPECT_EQ(settings.server.address, "option:1");
  EXPECT_EQ(settings.server_origin, "--server");
  EXPECT_EQ(settings.socket, "/option");
}

TEST(DecideSettings, PrintsATableOnATerminalAndRowsInAPipe) {
  EXPECT_EQ(Decide({}, kTerminal).style.format, Format::kTable);
  EXPECT_EQ(Decide({}, kTerminal).style.width, 120);
  EXPECT_EQ(Decide({}, {}).style.format, Format::kTsv);
  EXPECT_EQ(Decide({}, {}).style.width, 0);
  EXPECT_EQ(Decide(Options({{"output", "jsonl"}}), kTerminal).style.format, Format::kJsonLines);
}

TEST(DecideSettings, BelievesColumnsAndDistrustsNonsense) {
  Environment environment = kTerminal;
  environment.variables["COLUMNS"] = "70";
  EXPECT_EQ(Decide({}, environment).style.width, 70);
  environment.variables["COLUMNS"] = "wide";
  EXPECT_EQ(Decide({}, environment).style.width, 120);
  environment.variables["COLUMNS"] = "1";
  EXPECT_EQ(Decide({}, environment).style.width, 20);
  environment.variables.erase("COLUMNS");
  environment.width = 0;
  EXPECT_EQ(Decide({}, environment).style.width, 80);
}

TEST(DecideSettings, ColoursAsTheUsersVariablesSay) {
  struct {
    bool is_terminal;
    const char* option;
    const char* variable;
    const char* value;
    bool use_colour;
  } const cases[] = {
      {true, "", "", "", true},
      {false, "", "", "", false},
      {true, "", "NO_COLOR", "1", false},
      {true, "", "NO_COLOR", "", true},
      {true, "", "CLICOLOR", "0", false},
      {true, "", "CLICOLOR", "1", true},
      {true, "", "TERM", "dumb", false},
      {false, "", "CLICOLOR_FORCE", "1", true},
      {false, "", "CLICOLOR_FORCE", "0", false},
      {true, "never", "CLICOLOR_FORCE", "1", false},
      {false, "always", "NO_COLOR", "1", true},
      {true, "auto", "", "", true},
  };
  for (const auto& [is_terminal, option, variable, value, use_colour] : cases) {
    CommandArguments options = Options({{"output", "table"}});
    if (*option != 0) options.Add("color", option);
    Environment environment{.is_terminal = is_terminal};
    if (*variable != 0) environment.variables[variable] = value;
    EXPECT_EQ(Decide(options, environment).style.use_colour, use_colour)
        << option << ' ' << variable << '=' << value;
  }
}

TEST(DecideSettings, NeverColoursData) {
  EXPECT_FALSE(
      Decide(Options({{"output", "tsv"}, {"color", "always"}}), kTerminal).style.use_colour);
}

TEST(DecideSettings, DrawsInAsciiWhereTheLocaleKnowsNothingElse) {
  struct {
    std::map<std::string, std::string, std::less<>> variables;
    bool use_unicode;
  } const cases[] = {
      {{}, false},
      {{{"LANG", "C"}}, false},
      {{{"LANG", "en_US.UTF-8"}}, true},
      {{{"LANG", "de_DE.utf8"}}, true},
      {{{"LC_ALL", "C"}, {"LANG", "en_US.UTF-8"}}, false},
      {{{"LC_CTYPE", "en_US.UTF-8"}, {"LANG", "C"}}, true},
      {{{"LC_ALL", ""}, {"LANG", "en_US.UTF-8"}}, true},
  };
  for (const auto& [variables, use_unicode] : cases) {
    const Environment environment{.is_terminal = true, .variables = variables};
    EXPECT_EQ(Decide({}, environment).style.use_unicode, use_unicode);
  }
  EXPECT_TRUE(Decide({}, {}).style.use_unicode);
}

TEST(DecideSettings, RefusesWhatItDoesNotKnow) {
  for (const auto& [name, value] :
       {std::pair("output", "xml"), std::pair("color", "maybe"), std::pair("timeout", "0s"),
        std::pair("timeout", "soon"), std::pair("timeout", "2h")}) {
    const auto settings = DecideSettings(Options({{name, value}}), {}, {});
    ASSERT_FALSE(settings.ok()) << name << ' ' << value;
    EXPECT_EQ(settings.error()->code(), Code::kInvalid);
    EXPECT_NE(settings.error()->message().find(value), std::string::npos);
  }
  EXPECT_EQ(Decide(Options({{"timeout", "250ms"}}), {}).patience, std::chrono::milliseconds(250));
}

TEST(ConfigPlaces, AreTheUsersBeforeTheMachines) {
  const auto paths = [](const std::vector<ConfigPlace>& places) {
    std::string text;
    for (const ConfigPlace& place : places) {
      text += place.path + (place.must_exist ? "! " : " ");
    }
    return text;
  };
  EXPECT_EQ(paths(ConfigPlaces({}, {})), "/etc/tacho/cli.toml ");
  Environment environment{.variables = {{"HOME", "/home/a"}}};
  EXPECT_EQ(paths(ConfigPlaces({}, environment)),
            "/home/a/.config/tacho/config.toml /etc/tacho/cli.toml ");
  environment.variables["XDG_CONFIG_HOME"] = "/xdg";
  EXPECT_EQ(paths(ConfigPlaces({}, environment)), "/xdg/tacho/config.toml /etc/tacho/cli.toml ");
  environment.variables["TACHO_CONFIG"] = "/named";
  EXPECT_EQ(paths(ConfigPlaces({}, environment)), "/named! ");
  EXPECT_EQ(paths(ConfigPlaces(Options({{"config", "/given"}}), environment)), "/given! ");
}

TEST(ParseCliConfig, ReadsEveryKey) {
  const auto config = ParseCliConfig(
      "server = \"fleet.example:4440\"\nsocket = \"/tmp/r.sock\"\n[tls]\nauthority = "
      "\"ca.pem\"\ncertificate = \"me.pem\"\nkey = \"me.key\"\n",
      "cli.toml");
  ASSERT_TRUE(config.ok()) << config.error()->message();
  EXPECT_EQ(config->server, "fleet.example:4440");
  EXPECT_EQ(config->socket, "/tmp/r.sock");
  EXPECT_EQ(config->tls.authority, "ca.pem");
  EXPECT_EQ(config->tls.certificate, "me.pem");
  EXPECT_EQ(config->tls.key, "me.key");
  EXPECT_EQ(config->path, "cli.toml");
}

TEST(ParseCliConfig, ListsEveryMistakeWithItsLine) {
  const auto config =
      ParseCliConfig("serber = \"a\"\nsocket = 3\n[tls]\nkeys = \"x\"\n", "cli.toml");
  ASSERT_FALSE(config.ok());
  const std::string& message = config.error()->message();
  EXPECT_NE(message.find("cli.toml:1"), std::string::npos) << message;
  EXPECT_NE(message.find("server"), std::string::npos) << message;
  EXPECT_NE(message.find("cli.toml:2"), std::string::npos) << message;
  EXPECT_NE(message.find("cli.toml:4"), std::string::npos) << message;
}

}  // namespace
}  // namespace tacho
