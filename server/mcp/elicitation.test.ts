import assert from "node:assert/strict";
import { test } from "node:test";
import type { ElicitQuestion } from "../../shared/contract/mcp-question.ts";
import { askedByServer } from "./elicitation.ts";

/** What the user would be asked to open; undefined if nothing. */
async function shownFor(url: string): Promise<string | undefined> {
  const asked: ElicitQuestion[] = [];
  const elicit = async (question: ElicitQuestion) => {
    asked.push(question);
    return { action: "accept" } as const;
  };
  await askedByServer({ mode: "url", message: "Open", url, elicitationId: "1" }, elicit, new AbortController().signal);
  const [question] = asked;
  return question?.mode === "url" ? question.url : undefined;
}

test("an address is shown as a browser takes it, with a host that looks like no other", async () => {
  assert.equal(await shownFor("https://аpple.com/login"), "https://xn--pple-43d.com/login");
  assert.equal(await shownFor("https://bank.example\\@evil.example/"), "https://bank.example/@evil.example/");
  assert.equal(await shownFor("ht\ntps://evil.example/\t"), "https://evil.example/");
  assert.equal(await shownFor("https://evil.example/\u202egpj.exe"), "https://evil.example/%E2%80%AEgpj.exe");
  assert.equal(await shownFor("https://ⓖoogle.com"), "https://google.com/");
});

test("an address that is none of the web, or has a user that looks like a host, is declined", async () => {
  for (const url of ["javascript:alert(1)", "file:///etc/passwd", "command:x", "vscode://x", "//evil.example", ""])
    assert.equal(await shownFor(url), undefined, url);
  assert.equal(await shownFor("https://bank.example@evil.example/"), undefined);
  assert.equal(await shownFor("https://bank.example:443@evil.example/"), undefined);
});
