import assert from "node:assert/strict";
import { test } from "node:test";
import { proxySecrets } from "./proxy-secrets.ts";

test("the user name and password of a proxy's address are secrets, as they are written and as they are meant", () => {
  assert.deepEqual(proxySecrets("http.proxy", "http://me:p%40ss@proxy:8080"), ["me:p%40ss", "p%40ss", "p@ss"]);
  assert.deepEqual(proxySecrets("http.proxy", "me:100%@proxy"), ["me:100%", "100%", "100%"]);
});

test("so is the authorization, with and without its scheme", () => {
  assert.deepEqual(proxySecrets("http.proxyAuthorization", "Basic abcdef"), ["Basic abcdef", "abcdef"]);
});

test("nothing else is", () => {
  assert.deepEqual(proxySecrets("http.proxy", "http://proxy:8080"), []);
  assert.deepEqual(proxySecrets("http.proxy", null), []);
  assert.deepEqual(proxySecrets("gavel.model", "abcdef"), []);
});
