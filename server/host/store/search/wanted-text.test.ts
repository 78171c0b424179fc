import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { WantedText } from "./wanted-text.ts";

describe("WantedText", () => {
  it("gives the text around the first match as it is, on one line, also after letters that grow in small letters", () => {
    const text = `${"İ".repeat(200)} one\n\ttwo three ${"x".repeat(200)}`;
    assert.equal(new WantedText("Two  THREE").excerptOf(text), `…${"İ".repeat(24)} one two three ${"x".repeat(89)}…`);
    assert.equal(new WantedText("one two").excerptOf("Zero one two."), "Zero one two.");
  });

  it("takes every character for itself", () => {
    const special = String.raw`a.b*c+d?e^f$g{h}i(j)k|l[m]n\o/p`;
    assert.equal(new WantedText(special).excerptOf(special), special);
    for (const text of [".", "(", "[a", "\\", "$&", "a|b"])
      assert.equal(new WantedText(text).excerptOf("ab"), undefined);
  });
});
