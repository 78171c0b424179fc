import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bannedWordsIn } from "./banned-words.ts";
import { wideComments, wideProse } from "./line-width.ts";

const wide = "word ".repeat(26).trim();

// Put together here, so that the check does not find them in this file.
const banned = ["me", "nd"].join("");
const phrase = ["can", "not"].join(" ");

describe("a banned word", () => {
  it("is found with its line, and with what to write in its place", () => {
    const [found, ...others] = bannedWordsIn(`One line.\nHow to ${banned} it.`);
    assert.deepEqual(found, { line: 2, problem: `"${banned}": write fix, repair or action` });
    assert.deepEqual(others, []);
  });

  it("is found within an identifier and a file name", () => {
    for (const text of [`${banned}For(error)`, `an-${banned}-button.tsx`, `class="row-${banned}"`]) {
      assert.equal(bannedWordsIn(text).length, 1, text);
    }
  });

  it("is not found within another word", () => {
    assert.deepEqual(bannedWordsIn(`They recom${banned}, com${banned} and a${banned} it.`), []);
  });

  it("may be two words", () => {
    assert.deepEqual(bannedWordsIn(`It ${phrase} run.`), [{ line: 1, problem: `"${phrase}": write cannot` }]);
  });
});

describe("a line that is too wide", () => {
  it("is found in a comment, and not in code", () => {
    const source = [`// ${wide}`, ` * ${wide}`, `const text = "${wide}";`, `call(); // ${wide}`].join("\n");
    assert.deepEqual(
      wideComments(source).map(({ line }) => line),
      [1, 2, 4],
    );
  });

  it("is found in a document's prose, and not in its tables and code", () => {
    const document = [wide, `| ${wide} |`, "```ts", wide, "```", wide].join("\n");
    assert.deepEqual(
      wideProse(document).map(({ line }) => line),
      [1, 6],
    );
  });
});
