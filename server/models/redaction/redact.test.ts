import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "./redact.ts";

const KEY = "sk-live-Q7w8E9r0T1y2";

test("a key is redacted in every form in which an endpoint may repeat it", () => {
  const forms = [
    KEY,
    KEY.toUpperCase(),
    KEY.slice(3, 15),
    "sk-live-****T1y2",
    "sk-l…T1y2",
    "****T1y2",
    `%73k-live-Q7w8E9r0%54`,
    Buffer.from(KEY).toString("base64"),
    `{"authorization":"Bearer ${KEY}"}`,
    "ending in T1y2.",
  ];
  for (const form of forms) {
    const shown = redact(`The key ${form} is wrong`, KEY);
    assert.ok(!/q7w8|t1y2|live/i.test(shown), `${form}: ${shown}`);
    assert.match(shown, /^The key .*\[key\].* is wrong$/);
  }
});

test("what looks like a key is redacted even when none was sent", () => {
  assert.equal(redact("got sk-abcdef123456", undefined), "got [key]");
  assert.equal(redact("Authorization: Bearer abc123def", undefined), "Authorization: Bearer [key]");
});

test("ordinary words are kept, even with a short key", () => {
  const text = "The model gpt-test is not loaded... try `ollama pull`; Bearer authentication is off.";
  assert.equal(redact(text, undefined), text);
  assert.equal(redact(text, "x"), text);
  assert.equal(redact("key x is wrong", "x"), "key [key] is wrong");
});
