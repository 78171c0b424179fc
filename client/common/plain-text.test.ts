import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "./plain-text.ts";

/** VS Code's own pattern for links in notifications and prompts (`src/vs/base/common/linkedText.ts`). */
const VSCODE_LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
/** Its pattern for icons in labels, without the names of modifiers (`src/vs/base/common/themables.ts`). */
const VSCODE_ICON = /\$\([A-Za-z0-9~-]+\)/g;

for (const text of [
  "[x](command:workbench.action.quit)",
  "[x](COMMAND:workbench.action.quit 'title')",
  "[[x]](https://evil.example)[y](file:///etc/passwd)",
  "[a\nb](http://evil.example)",
  "\\[x\\](command:workbench.action.quit)",
  "$(flame) $(sync~spin) $$(error)",
]) {
  test(`VS Code makes no link or icon of ${JSON.stringify(text)}, and it reads the same`, () => {
    const plain = plainText(text);
    assert.doesNotMatch(plain, VSCODE_LINK);
    assert.doesNotMatch(plain, VSCODE_ICON);
    assert.equal(plain.replaceAll("\u2060", ""), text);
  });
}

test("VS Code's hovers find no image in a row of a list", () => {
  assert.doesNotMatch(plainText("![pixel](https://evil.example/p.png)"), /\]\(/);
  assert.doesNotMatch(plainText("![pixel][p]\n[p]: https://evil.example/p.png"), /\]\[|\]:/);
});

test("ordinary text is not changed", () => {
  const text = "Review: wants to use runCommand (2 of 3) [done], $5 for a cost of $HOME.";
  assert.equal(plainText(text), text);
});

test("text cannot reverse the order of what follows it", () => {
  assert.equal(plainText("ev\u202eil wants"), "ev⟨U+202E⟩il wants");
});
