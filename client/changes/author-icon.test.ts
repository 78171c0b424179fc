import assert from "node:assert/strict";
import { test } from "node:test";
import { authorIcon } from "./author-icon.ts";

const svgOf = (uri: string): string => Buffer.from(uri.slice(uri.indexOf(",") + 1), "base64").toString();

test("an author's image has its initials, and another colour for each accent and shade", () => {
  assert.match(svgOf(authorIcon("initials", "Ed", 0, "light")), />Ed<\/text>/);
  const shades = ["light", "dark"] as const;
  const accents = [0, 1, 2, 3, 4, 5, 6, 7, undefined];
  const all = shades.flatMap((shade) => accents.map((accent) => authorIcon("bar", "Ed", accent, shade)));
  assert.equal(new Set(all).size, 18);
});

test("initials cannot add anything to the image", () => {
  assert.match(
    svgOf(authorIcon("initials", '</text><image href="x"/>&', 0, "dark")),
    />textimagehrefx<\/text><\/svg>$/,
  );
});
