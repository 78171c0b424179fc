import assert from "node:assert/strict";
import { test } from "node:test";
import { commandEnvironment } from "./command-environment.ts";

test("a command's environment has neither the editor's internals nor secrets", () => {
  const hidden = {
    ELECTRON_RUN_AS_NODE: "1",
    VSCODE_PID: "1",
    OPENAI_API_KEY: "k",
    GITHUB_TOKEN: "k",
    TOKEN: "k",
    AWS_SECRET_ACCESS_KEY: "k",
    AWS_ACCESS_KEY_ID: "k",
    DB_PASSWORD: "k",
    npm_config_token: "k",
    FORCE_COLOR: "1",
  };
  const kept = { PATH: "/bin", HOME: "/h", TOKENIZERS_PARALLELISM: "1", KEYBOARD: "us", NODE_ENV: "test" };
  const seen = commandEnvironment({ ...hidden, ...kept });
  for (const name of Object.keys(hidden)) assert.equal(name in seen, false, name);
  for (const [name, value] of Object.entries(kept)) assert.equal(seen[name], value);
});
