import assert from "node:assert/strict";
import { test } from "node:test";
import type { KeyPress } from "../terminal/keyboard.ts";
import { styleFor } from "../text/style.ts";
import { Prompts } from "./prompts.ts";
import { YES_OR_NO } from "./view.ts";

const style = styleFor({ isTTY: false }, { noColor: true, variables: {} });

const CTRL_C: KeyPress = { name: "c", text: "", ctrl: true, meta: false };
const ENTER: KeyPress = { name: "return", text: "", ctrl: false, meta: false };
const key = (text: string): KeyPress => ({ name: text, text, ctrl: false, meta: false });

function prompts() {
  let interrupts = 0;
  const made = new Prompts(style, {
    changed: () => {},
    interrupt: () => {
      interrupts += 1;
    },
  });
  const type = (text: string): void => {
    for (const one of text) made.pressed(key(one));
  };
  return { made, type, interrupts: () => interrupts };
}

test("Ctrl+C counts before a run listens to it, also while something is asked", async () => {
  const { made, interrupts } = prompts();
  made.pressed(CTRL_C);
  const answer = made.choose({ lines: [], answers: YES_OR_NO });
  made.pressed(CTRL_C);
  assert.equal(interrupts(), 2);
  made.end();
  assert.equal(await answer, undefined);
});

test("A letter of a message that is being typed answers nothing, and no other letter does", async () => {
  const { made, type } = prompts();
  const typed: string[] = [];
  made.listen({ typed: (line) => typed.push(line), interrupt: () => {}, leave: () => {} });
  type("ma");
  const answer = made.choose({ lines: [], answers: YES_OR_NO });
  type("y");
  made.pressed(ENTER);
  assert.deepEqual(typed, ["may"]);
  type("q");
  made.pressed(CTRL_C);
  type("N");
  assert.equal(await answer, "n");
});

test("Questions are asked one after the other, and one that is withdrawn is answered by nothing", async () => {
  const { made, type } = prompts();
  const controller = new AbortController();
  const first = made.choose({ lines: [], answers: YES_OR_NO }, controller.signal);
  const second = made.ask({ lines: [], label: "why" });
  controller.abort();
  type("y");
  made.pressed(ENTER);
  assert.deepEqual(await Promise.all([first, second]), [undefined, "y"]);
  made.end();
  assert.equal(await made.choose({ lines: [], answers: YES_OR_NO }), undefined);
});

test("What is typed at a question that is withdrawn stays as a message, if the question says so", async () => {
  for (const keepsText of [true, false]) {
    const { made, type } = prompts();
    const typed: string[] = [];
    made.listen({ typed: (line) => typed.push(line), interrupt: () => {}, leave: () => {} });
    const withdrawn = new AbortController();
    const answer = made.ask({ lines: [], label: "", keepsText }, withdrawn.signal);
    type("more");
    withdrawn.abort();
    assert.equal(await answer, undefined);
    made.pressed(ENTER);
    assert.deepEqual(typed, keepsText ? ["more"] : []);
  }
});
