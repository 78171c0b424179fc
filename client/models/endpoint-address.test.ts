import assert from "node:assert/strict";
import { it } from "node:test";
import { addressProblem, secretNameFor } from "./endpoint-address.ts";

it("an address is an http address without a key, up to the part before the API's own path", () => {
  assert.equal(addressProblem(" https://openrouter.ai/api/v1 "), undefined);
  assert.equal(addressProblem("http://127.0.0.1:8000/v1"), undefined);
  for (const wrong of ["", "openrouter.ai/api/v1", "file:///etc/passwd", "ftp://x/v1"])
    assert.match(addressProblem(wrong) ?? "", /starts with https/);
  assert.match(addressProblem("https://me:sk-1@gateway/v1") ?? "", /Leave the key out/);
  assert.match(addressProblem("https://gateway/v1/chat/completions") ?? "", /Leave out the last part/);
});

it("a key is stored under the name of its endpoint's host", () => {
  assert.equal(secretNameFor("https://openrouter.ai/api/v1"), "openrouter.ai");
  assert.equal(secretNameFor("http://127.0.0.1:8000/v1"), "127.0.0.1:8000");
});
