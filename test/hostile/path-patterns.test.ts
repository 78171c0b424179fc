import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as z from "zod";
import { type PathPlaces, plainPathRule } from "../../server/engine/index.ts";

const texts = z.record(z.string(), z.string());
const given = z
  .strictObject({ root: z.string(), home: z.string(), links: texts, kept: texts, refused: texts })
  .parse(JSON.parse(readFileSync(new URL("./path-patterns.json", import.meta.url), "utf8")));

const places: PathPlaces = {
  roots: [{ label: "app", path: given.root }],
  home: given.home,
  realPath: (path) => {
    const [link, target] =
      Object.entries(given.links).find(([from]) => path === from || path.startsWith(`${from}/`)) ?? [];
    return link === undefined ? path : `${target}${path.slice(link.length)}`;
  },
};

for (const [pattern, kept] of Object.entries(given.kept)) {
  test(`the path pattern ${pattern} of a new rule is kept as ${kept}`, () => {
    assert.equal(plainPathRule(pattern, places), kept);
    assert.equal(plainPathRule(kept, places), kept);
  });
}

for (const [pattern, problem] of Object.entries(given.refused)) {
  test(`the path pattern ${JSON.stringify(pattern)} of a new rule is refused: it ${problem}`, () => {
    assert.throws(
      () => plainPathRule(pattern, places),
      ({ message }: Error) => message.includes(problem) && !message.includes("\n"),
    );
  });
}

test("a pattern that leads out of the workspace is refused when there is no folder to start from", () => {
  assert.throws(() => plainPathRule("../x", { roots: [], realPath: (path) => path }), /leads out of the workspace/);
});

test("with several open folders a path is kept with the name of its folder", () => {
  const two = { ...places, roots: [...places.roots, { label: "lib", path: "/w/lib" }] };
  assert.equal(plainPathRule("/w/lib/a.ts", two), "lib/a.ts");
  assert.equal(plainPathRule("/w/app/a.ts", two), "app/a.ts");
  assert.equal(plainPathRule("/w/lib/", two), "lib/**");
  assert.equal(plainPathRule("a.ts", two), "a.ts");
});
