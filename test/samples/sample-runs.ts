import { StopReason } from "../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../shared/contract/team.ts";

/** The expected course of a sample, from its first task to its end. */
export interface SampleRun {
  readonly file: string;
  /** The user's messages: the task, then one for each time that a run stops for the user. */
  readonly userMessages: readonly [task: string, ...more: string[]];
  /** The stop reasons of the runs, in order. */
  readonly stopReasons: readonly string[];
  /** The selected speakers, in order; those that speak in parallel are in one text. */
  readonly speakers: readonly string[];
  /** The source of the last message. */
  readonly lastSpeaker: string;
}

export const SAMPLE_RUNS: readonly SampleRun[] = [
  {
    file: "review.team.yaml",
    userMessages: ["Does this program keep its promise?"],
    stopReasons: [StopReason.toolInterrupt, "Text 'APPROVED' mentioned"],
    speakers: ["author", "reviewer", "tester", "author", "reviewer"],
    lastSpeaker: "reviewer",
  },
  {
    file: "debug.team.yaml",
    userMessages: ["Tab gives each of three friends 3.33 of a bill of 10.00. Where is the last cent?"],
    stopReasons: ["Text 'HOLDS' mentioned"],
    speakers: ["tracer", "skeptic", "tracer", "fixer", "skeptic", "fixer", "skeptic"],
    lastSpeaker: "skeptic",
  },
  {
    file: "support.team.yaml",
    userMessages: [
      "We were three, and Tab gave 3.33 to each of us. Did we underpay?",
      "No weights, just the three names.",
    ],
    stopReasons: ["Handoff to user from engineer detected.", "Text 'CLOSED' mentioned"],
    speakers: ["triage", "engineer", "engineer", "engineer", "writer"],
    lastSpeaker: "writer",
  },
  {
    file: "change.team.yaml",
    userMessages: ["Make every split add up to the bill."],
    stopReasons: ["The graph is complete."],
    speakers: ["drafter", "correctness, clarity", "editor", "drafter", "correctness, clarity", "editor", "scribe"],
    lastSpeaker: "scribe",
  },
  {
    file: "plan.team.yaml",
    userMessages: ["What has to change in Tab before it can split a bill in yen?"],
    stopReasons: ["The places and the rule are known."],
    speakers: ["reader", "banker"],
    lastSpeaker: "orchestrator",
  },
  {
    file: "wording.team.yaml",
    userMessages: ["Rewrite the first lines of the README.", "Good. I would not change a word."],
    stopReasons: [StopReason.userInputRequested, "Text 'PUBLISH' mentioned"],
    speakers: ["drafting", "you", "readers"],
    lastSpeaker: "readers",
  },
];

/** What a sample needs of a team. */
export interface TeamUnderTest {
  run(says?: string): Promise<TaskResult>;
  /** Denies all pending calls; undefined if there are none. */
  denyPending(): Promise<TaskResult | undefined>;
  /** True after a handoff to the user, who has to send a message before the team can continue. */
  awaitsUser(): boolean;
}

/** Runs a sample to its end, continuing after interrupts. @returns the stop reasons of its runs, interrupts excluded. */
export async function runToEnd({ userMessages: [task, ...more] }: SampleRun, stage: TeamUnderTest): Promise<string[]> {
  const stops: string[] = [];
  let result = await stage.run(task);
  for (;;) {
    if (result.status.code === "error") throw new Error(result.status.message);
    const { stopReason } = result;
    if (stopReason !== null && stopReason !== StopReason.userInterrupt) stops.push(stopReason);
    const afterDenial = await stage.denyPending();
    if (afterDenial !== undefined) {
      result = afterDenial;
    } else if (stopReason === StopReason.userInterrupt && !stage.awaitsUser()) {
      result = await stage.run();
    } else {
      const next = more.shift();
      if (next === undefined) return stops;
      result = await stage.run(next);
    }
  }
}
