import assert from "node:assert/strict";
import { test } from "node:test";
import { commandEnvironment } from "./command-environment.ts";

test("a command gets the variables that programs commonly need, and no others", () => {
  const kept = { PATH: "/bin", HOME: "/h", LC_ALL: "C", JAVA_HOME: "/java", npm_config_registry: "http://localhost" };
  const others = { VSCODE_PID: "1", GITHUB_TOKEN: "k", npm_config_token: "k", DATABASE_URL: "k", MY_TEAM_SETTING: "1" };
  const seen = commandEnvironment({ ...kept, ...others });
  for (const [name, value] of Object.entries(kept)) assert.equal(seen[name], value);
  for (const name of Object.keys(others)) assert.equal(name in seen, false, name);
});

test("the user's setting adds variables by name or pattern, in any case", () => {
  const host = { MY_TEAM_SETTING: "1", DATABASE_URL: "d", ACME_A: "a", ACME_B: "b", OTHER: "o" };
  const seen = commandEnvironment(host, ["my_team_setting", "DATABASE_URL", "ACME_*"]);
  assert.deepEqual(
    Object.keys(host).filter((name) => name in seen),
    ["MY_TEAM_SETTING", "DATABASE_URL", "ACME_A", "ACME_B"],
  );
});

test("programs that would wait for a person are told not to", () => {
  const { TERM, PAGER, GIT_TERMINAL_PROMPT } = commandEnvironment({ TERM: "xterm", PAGER: "less" });
  assert.deepEqual({ TERM, PAGER, GIT_TERMINAL_PROMPT }, { TERM: "dumb", PAGER: "cat", GIT_TERMINAL_PROMPT: "0" });
});
