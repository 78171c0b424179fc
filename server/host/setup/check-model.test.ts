import assert from "node:assert/strict";
import { it } from "node:test";
import type { Model } from "../../engine/index.ts";
import { ManualTimers } from "../../engine/testing/manual-timers.ts";
import { UserConsent } from "../client-services/user-consent.ts";
import { checkModel } from "./check-model.ts";

/** A model that answers only when it is told to, or is aborted. */
function silentModel() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const model: Model = {
    label: "silent",
    async *stream(_request, { signal }) {
      signal.addEventListener("abort", () => resolve());
      await promise;
      if (!signal.aborted) yield { type: "text", delta: "OK" };
    },
  };
  return { model, answer: resolve };
}

const NEVER = new AbortController().signal;

it("a model that does not begin its answer in 30 s fails", async () => {
  const timers = new ManualTimers();
  const checked = checkModel(silentModel().model, new UserConsent(), NEVER, timers);
  timers.advance(30_000);
  assert.equal((await checked)?.message, "silent did not answer in 30 s.");
  assert.equal(timers.pending, 0);
});

it("the time in which the user is asked for consent does not count", async () => {
  const timers = new ManualTimers();
  const consent = new UserConsent();
  const { model, answer } = silentModel();
  const checked = checkModel(model, consent, NEVER, timers);
  timers.advance(29_000);
  const question = Promise.withResolvers<boolean>();
  const asking = consent.during(question.promise);
  timers.advance(600_000);
  question.resolve(true);
  await asking;
  timers.advance(29_000);
  answer();
  assert.equal(await checked, undefined);
  assert.equal(timers.pending, 0);
});

it("a question that is open already does not count either, and afterwards the model has its whole time", async () => {
  const timers = new ManualTimers();
  const consent = new UserConsent();
  const answered = consent.asked();
  const checked = checkModel(silentModel().model, consent, NEVER, timers);
  timers.advance(600_000);
  answered();
  answered();
  timers.advance(29_999);
  assert.equal(timers.pending, 1);
  timers.advance(1);
  assert.equal((await checked)?.message, "silent did not answer in 30 s.");
});
