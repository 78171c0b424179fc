import assert from "node:assert/strict";
import { test } from "node:test";
import { finishText, mentionedText } from "./finish-text.ts";

test("each stop reason of the host is a sentence about what happened", () => {
  const texts: Readonly<Record<string, string>> = {
    "Text 'APPROVED' mentioned": "Finished: APPROVED was said",
    "Maximum number of turns 1 reached.": "Finished: the limit of 1 turn is reached",
    "Maximum number of turns 12 reached.": "Finished: the limit of 12 turns is reached",
    "Maximum number of messages 20 reached, current message count: 20": "Finished: 20 messages",
    "Maximum number of messages 6 reached": "Finished: 6 messages",
    "Stop message received": "Finished: a stop message was sent",
    "Token usage limit reached, total: 1200, prompt: 1000, completion: 200":
      "Finished: the limit of tokens is reached, at 1,200 tokens",
    "Handoff to user from engineer detected.": "Finished: handed to user by engineer",
    "Timeout of 30 seconds reached": "Finished: the time limit of 30 seconds is reached",
    "Timeout of 0.5 seconds reached": "Finished: the time limit of 0.5 seconds is reached",
    "External termination requested": "Finished: stopped as requested",
    "'ann' answered": "Finished: ann answered",
    "Text message received from 'ann'": "Finished: ann sent a message",
    "Function 'deploy' was executed.": "Finished: deploy was called",
    "The budget of 5 turns is used up, at 5 turns, Stop message received":
      "Finished: the budget of 5 turns is used up, at 5 turns; a stop message was sent",
    "The budget of $1.0000 is used up, at $1.0200": "Finished: the budget of $1.0000 is used up, at $1.0200",
    "No participant is left to speak.": "Finished: no participant is left to speak",
    USER_MESSAGE_COMPLETED: "Finished: your message was answered",
    "The graph is complete.": "Finished: the graph is complete",
  };
  for (const [reason, text] of Object.entries(texts)) assert.equal(finishText(reason), text);
});

test("who said the text is named where it is known", () => {
  assert.equal(finishText("Text 'APPROVED' mentioned", "reviewer"), "Finished: reviewer said APPROVED");
  assert.equal(finishText("Stop message received", "reviewer"), "Finished: reviewer sent a stop message");
});

test("the text that was said is found among several reasons", () => {
  assert.equal(mentionedText("Maximum number of messages 6 reached, Text 'OK' mentioned"), "OK");
  assert.equal(mentionedText("Stop message received"), "");
  assert.equal(mentionedText(null), "");
});

test("reasons that are joined are all named", () => {
  const both = "Text 'A, B' mentioned, Maximum number of messages 6 reached, current message count: 6";
  assert.equal(finishText(both, "ann"), "Finished: ann said A, B; 6 messages");
});

test("a reason that the host does not define is shown as it is", () => {
  assert.equal(finishText(null), "Finished");
  assert.equal(finishText(""), "Finished");
  assert.equal(finishText("All tests pass."), "Finished: All tests pass");
  assert.equal(finishText("Text 'A' mentioned twice"), "Finished: Text 'A' mentioned twice");
  assert.equal(finishText("Stop message received, and more"), "Finished: Stop message received, and more");
});
