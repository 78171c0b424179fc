import assert from "node:assert/strict";
import { test } from "node:test";
import { hostEnvironment } from "./keys.ts";

const variables = {
  PATH: "/bin",
  OPENAI_API_KEY: "o",
  ANTHROPIC_API_KEY: "a",
  GEMINI_API_KEY: "g",
  GAVEL_KEY_MY_PROXY: "p",
  Gavel_Key_Other: "q",
  GAVEL_STORE: "postgres://user:password@host/db",
  GAVEL_LINK: "nats://user:password@host",
  GAVEL_STORE_FILE: "/run/secrets/store",
  GAVEL_LINK_FILE: "/run/secrets/link",
  OPENAI_API_KEY_FILE: "/run/secrets/openai",
  GAVEL_HOST_TOKEN: "t",
};

test("The host, and what it starts, does not have the keys in its environment", () => {
  assert.deepEqual(hostEnvironment(variables), { PATH: "/bin" });
});
