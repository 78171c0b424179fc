import assert from "node:assert/strict";
import { it } from "node:test";
import { addressProblem, keyProblem, secretNameFor } from "./endpoint-address.ts";

it("an address is an http address without a key, up to the part before the API's own path", () => {
  assert.equal(addressProblem(" https://openrouter.ai/api/v1 "), undefined);
  assert.equal(addressProblem("http://127.0.0.1:8000/v1"), undefined);
  for (const wrong of ["", "openrouter.ai/api/v1", "file:///etc/passwd", "ftp://x/v1"])
    assert.match(addressProblem(wrong) ?? "", /starts with https/);
  assert.match(addressProblem("https://me:sk-1@gateway/v1") ?? "", /Leave the key out/);
  assert.match(addressProblem("https://gateway/v1/chat/completions") ?? "", /Leave out the last part/);
  for (const wrong of ["https://gateway/v1?key=sk-1", "https://gateway/v1#part"])
    assert.match(addressProblem(wrong) ?? "", /Leave out what follows/);
});

it("a key is stored under the name of its endpoint's host", () => {
  assert.equal(secretNameFor("https://openrouter.ai/api/v1"), "openrouter.ai");
  assert.equal(secretNameFor("http://127.0.0.1:8000/v1"), "127.0.0.1:8000");
});

it("a key is one word of plain characters, with nothing copied along", () => {
  for (const key of ["sk-1", " sk-1\n", "AIza_9-x=="]) assert.equal(keyProblem(key), undefined);
  assert.equal(keyProblem("  "), "Enter a key.");
  for (const wrong of ["Bearer sk-1", "sk-1\nsk-2", "sk-1\u200b2", "sk-\u043a", "export KEY=sk-1"])
    assert.match(keyProblem(wrong) ?? "", /Copy the key alone/);
});
