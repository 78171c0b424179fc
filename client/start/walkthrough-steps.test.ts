import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import type { DurableDraft, TeamEvent } from "../../shared/contract/event.ts";
import { completedStep, stepKey, walkthroughSteps } from "./walkthrough-steps.ts";

const event = (draft: DurableDraft): TeamEvent => ({ ...draft, seq: 1, at: "2026-01-01T00:00:00.000Z" }) as TeamEvent;

describe("the walkthrough", () => {
  it("completes a step by what the user did, not by what a rule or a participant did", () => {
    const interrupt = { interruptId: "i", severity: "pause", grace: "now" } as const;
    const done: readonly (readonly [DurableDraft, string | undefined])[] = [
      [{ type: "run/started", cause: "run" }, "ran"],
      [{ type: "run/started", cause: "userMessage" }, undefined],
      [{ type: "interrupt/requested", ...interrupt, by: "user" }, "interrupted"],
      [{ type: "interrupt/requested", ...interrupt, by: "watchdog" }, undefined],
      [{ type: "userMessage/delivered", id: "m", to: "ann" }, "messaged"],
      [{ type: "userMessage/delivered", id: "m" }, undefined],
      [{ type: "tool/resolved", ref: "1", how: "restart", by: "user" }, "decided"],
      [{ type: "tool/resolved", ref: "1", how: "deny", by: "program" }, undefined],
      [{ type: "model/chosen", model: { provider: "openai", model: "m" }, by: "user" }, "choseModel"],
      [{ type: "model/chosen", model: null, by: "user" }, undefined],
      [{ type: "tool/started", ref: "1" }, undefined],
    ];
    for (const [draft, step] of done) assert.equal(completedStep(event(draft), "user"), step, JSON.stringify(draft));
  });

  it("has a key of its own for each step, and completes no step because a command was merely started", () => {
    const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    const { contributes } = JSON.parse(text) as {
      contributes: { walkthroughs: { steps: { completionEvents: string[] }[] }[] };
    };
    const events = contributes.walkthroughs.flatMap(({ steps }) =>
      steps.map(({ completionEvents }) => completionEvents),
    );
    assert.deepEqual(
      events.map(([first]) => first),
      walkthroughSteps.map((step) => `onContext:${stepKey(step)}`),
    );
    assert.deepEqual(
      events.flatMap((all) => all.slice(1)),
      ["onSettingChanged:gavel.model"],
    );
  });
});
