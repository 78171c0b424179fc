import assert from "node:assert/strict";
import { test } from "node:test";
import { isOnOtherMachine } from "./other-machine.ts";

const here = [{ authority: "", fsPath: "c:\\work" }];
const share = [...here, { authority: "Files", fsPath: "\\\\Files\\work" }];

for (const [authority, fsPath, folders, expected] of [
  ["", "/home/ann/a.png", here, false],
  ["", "c:\\work\\a.png", here, false],
  ["evil", "\\\\evil\\share\\a.png", here, true],
  ["evil", "//evil/share/a.png", here, true],
  // file:///%5Cevil/share/a.png
  ["", "\\\\evil\\share\\a.png", here, true],
  ["", "/\\evil/share/a.png", share, true],
  ["evil", "\\\\evil\\share\\a.png", share, true],
  ["files", "\\\\files\\work\\a.png", share, false],
] as const) {
  test(`${fsPath} of "${authority}" is ${expected ? "" : "not "}elsewhere for ${folders.length} folders`, () =>
    assert.equal(isOnOtherMachine({ authority, fsPath }, folders), expected));
}
