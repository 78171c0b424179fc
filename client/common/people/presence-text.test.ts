import assert from "node:assert/strict";
import { test } from "node:test";
import type { PresentClient } from "../../../shared/contract/presence.ts";
import { othersPresent, presenceChange, presenceText } from "./presence-text.ts";

const WINDOW = "Visual Studio Code 1.120.0";

let count = 0;
const client = (id: string, name: string, program = WINDOW, more: Partial<PresentClient> = {}): PresentClient => ({
  id: `client-${++count}`,
  user: { id, name },
  program,
  isSelf: false,
  isWriting: false,
  ...more,
});
const self = client("user", "user", WINDOW, { isSelf: true, isWriting: true });
const shown = (...others: PresentClient[]) => othersPresent([self, ...others], "user", () => undefined);

test("other users are named, and other clients of the same user by where they are", () => {
  const cases: readonly (readonly [readonly PresentClient[], string])[] = [
    [[], ""],
    [[client("ana", "Ana")], "Ana"],
    [[client("ana", "Ana", WINDOW, { isWriting: true }), client("ben", "Ben")], "Ana (writing…) and Ben"],
    [[client("user", "user")], "Also open in another window"],
    [[client("user", "user", "gavel 0.3.0", { isWriting: true })], "Also open in a terminal (writing…)"],
    [[client("user", "user", "Zed 0.201.5-preview")], "Also open in Zed"],
    [[client("user", "user"), client("ana", "Ana")], "Ana, also open in another window"],
  ];
  for (const [others, text] of cases) assert.equal(presenceText(shown(...others)), text);
});

test("a user or a place is named once, and writes if one of its clients does", () => {
  const all = [client("user", "user"), client("user", "user", WINDOW, { isWriting: true }), client("ana", "Ana")];
  assert.equal(presenceText(shown(...all, client("ana", "Ana"))), "Ana, also open in another window (writing…)");
});

test("a name hides nothing", () => {
  assert.doesNotMatch(presenceText(shown(client("eve", "E\u202eve"))), /\u202e/u);
});

test("who comes and goes is said, and not who writes", () => {
  const ana = client("ana", "Ana");
  assert.deepEqual(presenceChange(shown(), shown(ana)), ["Ana has opened this team"]);
  assert.deepEqual(presenceChange(shown(ana), shown({ ...ana, isWriting: true })), []);
  assert.deepEqual(presenceChange(shown(ana), shown(client("user", "user"))), [
    "Also open in another window",
    "Ana has left",
  ]);
});
