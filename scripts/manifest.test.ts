import assert from "node:assert/strict";
import { test } from "node:test";
import { type Contributions, type Manifest, manifestProblems } from "./manifest.ts";

const code: Contributions = {
  commandIds: ["gavel.runTeam"],
  viewIds: { chat: "gavel.chat" },
  contextKeys: ["gavel.status"],
};
const commands = [{ command: "gavel.runTeam", title: "Run", enablement: "gavel.status == idle" }];
const views = { gavel: [{ id: "gavel.chat", name: "Chat" }] };

function problemsOf(contributes: Manifest["contributes"]): string {
  return manifestProblems({ contributes: { commands, views, ...contributes } }, code).join("\n");
}

test("the manifest check is content where the manifest and the code have the same names", () => {
  assert.equal(problemsOf({ menus: { "view/title": [{ command: "gavel.runTeam", when: "view == gavel.chat" }] } }), "");
});

test("the manifest check names a contributed command that the code does not have", () => {
  assert.match(
    problemsOf({ commands: [...commands, { command: "gavel.gone" }] }),
    /contributes the command gavel\.gone, which the code does not have/,
  );
});

test("the manifest check names a command of the code that the manifest leaves out", () => {
  assert.match(problemsOf({ commands: [] }), /has the command gavel\.runTeam, which package\.json does not contribute/);
});

test("the manifest check names a view that only one of the two has", () => {
  const problems = problemsOf({ views: { gavel: [{ id: "gavel.other" }] } });
  assert.match(problems, /contributes the view gavel\.other/);
  assert.match(problems, /The code has the view gavel\.chat/);
});

test("the manifest check names a key, a menu entry or a link for a command that does not exist", () => {
  const problems = problemsOf({
    keybindings: [{ command: "gavel.key" }],
    menus: { "view/title": [{ command: "gavel.menu" }, {}, { command: "editor.action.other" }] },
    viewsWelcome: [{ contents: "No team.\n[Open](command:gavel.link)" }],
  });
  assert.match(problems, /gavel\.key/);
  assert.match(problems, /gavel\.menu/);
  assert.match(problems, /gavel\.link/);
  assert.doesNotMatch(problems, /editor\.action/);
});

test("the manifest check names a clause by a context key that is never set", () => {
  const keybindings = [{ command: "gavel.runTeam", when: "gavel.status == idle && !gavel.lost" }];
  assert.match(problemsOf({ keybindings }), /context key gavel\.lost, which the code never sets/);
});
