import assert from "node:assert/strict";
import { test } from "node:test";
import { type Place, placesOf } from "./workspace-places.ts";

const shop = [{ name: "shop", path: "/home/ann/shop" }];
const several = [...shop, { name: "api", path: "/home/ann/api" }, { name: "d", path: "/d:/Code" }];

const cases: readonly (readonly [string, typeof several, readonly Place[]])[] = [
  ["src/a.js", shop, [{ folder: 0, path: "src/a.js" }]],
  ["./src/../a.js", shop, [{ folder: 0, path: "a.js" }]],
  ["/home/ann/shop/src/a.js", shop, [{ folder: 0, path: "src/a.js" }]],
  ["/src/a.js", shop, [{ folder: 0, path: "src/a.js" }]],
  ["../a.js", shop, []],
  ["src/../../a.js", shop, []],
  ["/home/ann/shopping/a.js", shop, [{ folder: 0, path: "home/ann/shopping/a.js" }]],
  ["c:/a.js", shop, []],
  [
    "shop/a.js",
    shop,
    [
      { folder: 0, path: "a.js" },
      { folder: 0, path: "shop/a.js" },
    ],
  ],
  [
    "api/a.js",
    several,
    [
      { folder: 1, path: "a.js" },
      { folder: 0, path: "api/a.js" },
      { folder: 1, path: "api/a.js" },
      { folder: 2, path: "api/a.js" },
    ],
  ],
  ["../api/a.js", shop, []],
  ["D:/code/src/A.js", several, [{ folder: 2, path: "src/A.js" }]],
  ["src/a.js", [], []],
];
for (const [path, folders, places] of cases) {
  test(`${path} in ${folders.map(({ name }) => name).join(", ") || "no folder"}`, () =>
    assert.deepEqual(placesOf(path, folders).within, places));
}

for (const [path, folders, outside] of [
  ["../a.js", shop, "/home/ann/a.js"],
  ["/etc/hosts", shop, "/etc/hosts"],
  ["C:/Users/../a.js", shop, "/c:/a.js"],
  ["src/a.js", shop, undefined],
  ["/home/ann/shop/a.js", shop, undefined],
  ["a.js", [], undefined],
] as const) {
  test(`${path} leads ${outside === undefined ? "nowhere else" : `to ${outside}`}`, () =>
    assert.equal(placesOf(path, folders).outside, outside));
}
