import { StopReason } from "../../shared/contract/stop-reasons.ts";
import type { TaskResult } from "../../shared/contract/team.ts";

/** A sample from its first task to its end. */
export interface Play {
  readonly file: string;
  /** What the user says: the task, and what follows where the run stops for the user. */
  readonly says: readonly [task: string, ...more: string[]];
  /** Why the runs stop; the last one is the end. */
  readonly stops: readonly string[];
  /** Who is given the floor, those who speak at the same time together. */
  readonly floor: readonly string[];
  /** Who has the last word. */
  readonly lastWord: string;
}

export const PLAYS: readonly Play[] = [
  {
    file: "review.team.yaml",
    says: ["Does this program keep its promise?"],
    stops: [StopReason.toolInterrupt, "Text 'APPROVED' mentioned"],
    floor: ["author", "reviewer", "tester", "author", "reviewer"],
    lastWord: "reviewer",
  },
  {
    file: "debug.team.yaml",
    says: ["Tab gives each of three friends 3.33 of a bill of 10.00. Where is the last cent?"],
    stops: ["Text 'HOLDS' mentioned"],
    floor: ["tracer", "sceptic", "tracer", "mender", "sceptic", "mender", "sceptic"],
    lastWord: "sceptic",
  },
  {
    file: "support.team.yaml",
    says: ["We were three, and Tab gave 3.33 to each of us. Did we underpay?", "No weights, just the three names."],
    stops: ["Handoff to user from engineer detected.", "Text 'CLOSED' mentioned"],
    floor: ["desk", "engineer", "engineer", "engineer", "writer"],
    lastWord: "writer",
  },
  {
    file: "change.team.yaml",
    says: ["Make every split add up to the bill."],
    stops: ["The graph has run to its end."],
    floor: ["drafter", "correctness, clarity", "editor", "drafter", "correctness, clarity", "editor", "scribe"],
    lastWord: "scribe",
  },
  {
    file: "plan.team.yaml",
    says: ["What has to change in Tab before it can split a bill in yen?"],
    stops: ["The places and the rule are known."],
    floor: ["reader", "banker"],
    lastWord: "orchestrator",
  },
  {
    file: "wording.team.yaml",
    says: ["Rewrite the first lines of the README.", "Good. I would not change a word."],
    stops: [StopReason.userInputRequested, "Text 'PUBLISH' mentioned"],
    floor: ["desk", "you", "readers"],
    lastWord: "readers",
  },
];

/** What a play needs of a team. */
export interface Stage {
  run(says?: string): Promise<TaskResult>;
  /** Refuses the calls that wait for the user; nothing where none does. */
  deny(): Promise<TaskResult | undefined>;
  /** True when the talk was handed over to the user, who has to say something before it goes on. */
  isHandedOver(): boolean;
}

/** Plays a sample to its end, on from wherever it is interrupted; gives why its runs stopped, interrupts aside. */
export async function playToEnd({ says: [task, ...more] }: Play, stage: Stage): Promise<string[]> {
  const stops: string[] = [];
  let result = await stage.run(task);
  for (;;) {
    if (result.status.code === "error") throw new Error(result.status.message);
    const { stopReason } = result;
    if (stopReason !== null && stopReason !== StopReason.userInterrupt) stops.push(stopReason);
    const ruled = await stage.deny();
    if (ruled !== undefined) {
      result = ruled;
    } else if (stopReason === StopReason.userInterrupt && !stage.isHandedOver()) {
      result = await stage.run();
    } else {
      const next = more.shift();
      if (next === undefined) return stops;
      result = await stage.run(next);
    }
  }
}
