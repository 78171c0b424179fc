import assert from "node:assert/strict";
import { test } from "node:test";
import { root } from "../root.ts";
import { directMessages, restrictedNames } from "./direct-messages.ts";

test("a message of VS Code that is shown directly is found with its line, also under another name", () => {
  const source = [
    'void window.showInformationMessage("x");',
    "const { showErrorMessage: show } = window;",
    'await vscode.window.showWarningMessage("x", { modal: true });',
    'await window.showInputBox({ prompt: "x" });',
    'void notify("info", "x");',
  ].join("\n");
  const found = restrictedNames("client/a.ts", source).map(({ line, rule }) => [line, rule.split(" ")[0]]);
  assert.deepEqual(found, [
    [1, "showInformationMessage"],
    [2, "showErrorMessage"],
    [3, "showWarningMessage"],
    [4, "showInputBox"],
  ]);
});

test("the client shows no message directly", () => {
  assert.deepEqual(directMessages(root), []);
});
