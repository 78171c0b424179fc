import assert from "node:assert/strict";
import { test } from "node:test";
import { dynamicWord, literalWord, quoteWords } from "./shell-word.ts";

test("words are written as one line, quoted where a shell needs it", () => {
  const plain = "aZ9ü_@%+=:,./-";
  assert.equal(
    quoteWords([plain, "b c", "", "it's", "*", "$X"].map(literalWord)),
    `${plain} 'b c' '' 'it'\\''s' '*' '$X'`,
  );
  for (const char of plain) assert.equal(quoteWords([literalWord(char)]), char);
  assert.equal(quoteWords([literalWord("a"), dynamicWord("$X *")]), "a $X *");
  assert.deepEqual(dynamicWord("x"), { text: "x", dynamic: true, quoted: false, mayBeOption: true });
});
