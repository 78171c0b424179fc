import assert from "node:assert/strict";
import { test } from "node:test";
import { fillBlocks } from "./generated-page.ts";

const place = (name: string, content = "") => `<!-- fields:${name}:begin -->${content}<!-- fields:${name}:end -->`;

test("each block is written into its place, and the prose around it is left as it is", () => {
  const page = `# Page\n${place("a", "\nold\n")}\nProse.\n${place("b")}\nEnd.`;
  const filled = fillBlocks(
    page,
    new Map([
      ["a", "new"],
      ["b", "| $& |"],
    ]),
  );
  assert.equal(filled, `# Page\n${place("a", "\nnew\n")}\nProse.\n${place("b", "\n| $& |\n")}\nEnd.`);
});

test("a block without a place on the page, and a place without a block, are faults", () => {
  assert.throws(() => fillBlocks(place("gone"), new Map([["added", ""]])), {
    message: /nothing in the sources is called gone.*added is not on the page/,
  });
});

test("markers that do not match, or come twice, are faults", () => {
  const blocks = new Map([["a", ""]]);
  assert.throws(() => fillBlocks("<!-- fields:a:begin -->", blocks), { message: /fields:a:end is missing/ });
  assert.throws(() => fillBlocks("<!-- fields:a:end -->", blocks), { message: /fields:a:begin is missing/ });
  assert.throws(() => fillBlocks(place("a") + place("a"), blocks), { message: /two blocks fields:a/ });
});
