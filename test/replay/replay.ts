import { isDeepStrictEqual } from "node:util";
import { microtasks } from "../../server/engine/testing/conversation-problem.ts";
import { MemoryJournal } from "../../server/engine/testing/memory-journal.ts";
import { GavelError } from "../../shared/contract/errors.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { InterruptReceipt, TaskResult } from "../../shared/contract/team.ts";
import type { Cut, Injection, Placed } from "./injection.ts";
import { finishedTurns, problemsAtRest, problemsOfPlay, problemsOfReceipt } from "./invariants.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { Stage } from "./stage.ts";

/** How many times a team may have to be told to go on until its end: no play needs half of it. */
const MOST_RUNS = 16;

/** A run that nothing disturbed, and the calls in it answered. */
export interface Recording {
  readonly events: readonly TeamEvent[];
  readonly turns: Readonly<Record<string, readonly string[]>>;
  /** Every event as it was kept. */
  readonly journal: MemoryJournal;
}

/** Runs a team to its end once. @throws Error that says what is wrong with the recording itself. */
export async function record(team: RecordedTeam): Promise<Recording> {
  const stage = new Stage(team);
  await new Play(team, stage).toEnd(() => stage.begin(stage.team.run("Begin.")));
  const problems = [...stage.problems, ...problemsOfPlay(stage)];
  if (problems.length > 0) throw new Error(`${team.name}, not disturbed: ${problems.join("; ")}`);
  return { events: stage.fixture.events, turns: finishedTurns(stage), journal: stage.fixture.journal };
}

/** Plays the recording again with one injection, goes on to the end, and gives all that is wrong. */
export async function replay(team: RecordedTeam, recording: Recording, placed: Placed): Promise<readonly string[]> {
  const { at, injection } = placed;
  if (injection.kind === "death") return afterDeath(team, recording, recording.journal.kept.slice(0, at + 1));
  const stage = new Stage(team);
  const play = new Play(team, stage, recording, placed);
  await play.toEnd(() => stage.begin(stage.team.run("Begin.", { signal: play.hardStop.signal })));
  if (injection.kind === "deathWhileInterrupted") {
    if (stage.problems.length > 0) return [...new Set(stage.problems)];
    return afterDeath(team, recording, play.keptAtDeath);
  }
  return problemsOf(play, recording);
}

/** Opens what a dead host has kept, and goes on to the end. */
async function afterDeath(
  team: RecordedTeam,
  recording: Recording,
  kept: readonly TeamEvent[],
): Promise<readonly string[]> {
  const journal = new MemoryJournal();
  journal.kept.push(...structuredClone(kept));
  const stage = new Stage(team, journal);
  stage.team.recover();
  const play = new Play(team, stage);
  await play.toEnd(() => {});
  return problemsOf(play, recording);
}

function problemsOf(play: Play, { turns }: Recording): readonly string[] {
  const finished = finishedTurns(play.stage, turns);
  const lost = Object.keys(turns).filter((name) => play.keeps(name, finished[name] ?? [], turns[name] ?? []) === false);
  const problems = lost.map(
    (name) => `${name} has said ${JSON.stringify(finished[name])}, and not ${JSON.stringify(turns[name])}`,
  );
  return [...new Set([...play.stage.problems, ...play.receiptProblems(), ...problemsOfPlay(play.stage), ...problems])];
}

/** The user's message that was sent, and what its sender was told. */
interface Sent {
  result?: TaskResult | "refused";
}

/** One play of a team: what is injected, and how it is gone on with. */
class Play {
  readonly stage: Stage;
  readonly hardStop = new AbortController();
  /** What had been kept when the host died. */
  keptAtDeath: readonly TeamEvent[] = [];
  readonly #team: RecordedTeam;
  readonly #receipts: { readonly cut: Cut; readonly receipt: InterruptReceipt }[] = [];
  #message: Sent | undefined;
  /** True where the user speaks between a handoff's call and its message: the floor is then given anew. */
  #dropsHandoff = false;

  constructor(team: RecordedTeam, stage: Stage, recording?: Recording, placed?: Placed) {
    this.#team = team;
    this.stage = stage;
    if (recording !== undefined && placed !== undefined) this.#arm(recording, placed);
  }

  /** False where something more severe than a pause has ended the flow: the talk then begins anew, or goes on otherwise. */
  get keepsTalk(): boolean {
    const ended = this.#receipts.some(({ receipt }) => receipt.severity !== "pause");
    return !ended && !this.hardStop.signal.aborted;
  }

  /**
   * True where a speaker has said what it has in the recording, or need not: after the user's own message, others may say more,
   * and a nested team that has heard it may answer otherwise.
   */
  keeps(speaker: string, said: readonly string[], recorded: readonly string[]): boolean {
    if (!this.keepsTalk) return true;
    if (this.#message === undefined) return isDeepStrictEqual(said, recorded);
    if (this.#dropsHandoff || this.#team.heedsTalk) return true;
    const isNested = speaker.includes("/") || this.#team.within?.[speaker] !== undefined;
    return isNested || isDeepStrictEqual(said.slice(0, recorded.length), recorded);
  }

  receiptProblems(): string[] {
    return [
      ...this.#receipts.flatMap(({ cut, receipt }) => problemsOfReceipt(this.stage, this.#team, receipt, cut)),
      ...this.#messageProblems(),
    ];
  }

  /** Goes on, whatever the team waits for, until it has come to an end of its own. */
  async toEnd(begin: () => void): Promise<void> {
    const { stage } = this;
    begin();
    for (let runs = 0; runs < MOST_RUNS; runs++) {
      if (!(await stage.atRest())) return stage.found(`it hangs, ${stage.team.state.status}`);
      for (const problem of problemsAtRest(stage.team.state)) stage.found(problem);
      if (!this.#goOn()) return;
    }
    stage.found("it came to no end");
  }

  /** Takes the next step towards the end; false at the end. The user lets every call that waits run. */
  #goOn(): boolean {
    const { stage } = this;
    const { team } = stage;
    const { pendingTools, status, threadLength } = team.state;
    if (pendingTools.length > 0) {
      stage.begin(
        team.resolveTools({ restart: pendingTools.map(({ ref }) => ({ ref })) }),
        (error) => !this.keepsTalk && isRefusal(error),
      );
    } else if (status !== "idle" && threadLength === 0) {
      // The host died before the task was in the thread: the user gives it again.
      stage.begin(team.run("Begin."));
    } else if (status !== "idle") stage.begin(team.run());
    else if (this.#hasEnded()) return false;
    else stage.begin(team.run("Begin again."));
    return true;
  }

  /** True when the last thing that happened to the flow is an end of its own. */
  #hasEnded(): boolean {
    const last = this.stage.fixture.journal.kept.findLast(
      ({ type, path }) => path === undefined && (type === "run/ended" || type === "team/reset"),
    );
    if (last?.type !== "run/ended") return false;
    if (last.status.code === "error") this.stage.found(`it failed: ${last.status.message}`);
    return last.status.code === "success" || last.status.code === "error";
  }

  #arm({ events }: Recording, { at, injection }: Placed): void {
    const { team, fixture } = this.stage;
    const unlisten = team.onEvent((event) => {
      const seen = fixture.events.length - 1;
      if (seen < at) return;
      if (seen === at) {
        const recorded = events[at];
        if (event.type !== recorded?.type)
          this.stage.found(`the replay has ${event.type}, and the recording ${recorded?.type}`);
        this.#dropsHandoff = event.type === "tool/executed" && event.name.startsWith("transfer_to_");
        this.#inject(injection);
      }
      const gap = "gap" in injection ? injection.gap : 0;
      if (seen !== at + gap) return;
      unlisten();
      if (injection.kind === "twice") this.#cut(injection.second);
      if (injection.kind === "deathWhileInterrupted") this.keptAtDeath = [...fixture.journal.kept];
    });
  }

  #inject(injection: Injection): void {
    switch (injection.kind) {
      case "interrupt":
        if (injection.later === undefined) this.#cut(injection.cut);
        else this.stage.begin(microtasks(injection.later).then(() => this.#cut(injection.cut)));
        return;
      case "twice":
        this.#cut(injection.first);
        return;
      case "deathWhileInterrupted":
        this.#cut(injection.cut);
        return;
      case "cancel":
        this.hardStop.abort();
        return;
      case "message":
        this.#send(injection);
        return;
      case "death":
    }
  }

  #cut(cut: Cut): void {
    const interrupting = this.stage.team.interrupt(cut).then((receipt) => this.#receipts.push({ cut, receipt }));
    this.stage.begin(interrupting);
  }

  /** What is queued may wait beyond the end, for a turn that never comes: nothing waits for it here. */
  #send({ to, text, delivery }: Extract<Injection, { kind: "message" }>): void {
    const message: Sent = {};
    this.#message = message;
    const over = this.stage.team.sendUserMessage(to, [text], { delivery }).then(
      (result) => {
        message.result = result;
      },
      (error: unknown) => {
        message.result = "refused";
        if (!isRefusal(error)) this.stage.found(`the message was refused: ${String(error)}`);
      },
    );
    if (delivery === "now") this.stage.begin(over);
  }

  /** A message is heard once and answered, or still waits, or was refused and left no trace. */
  #messageProblems(): string[] {
    if (this.#message === undefined) return [];
    const { result } = this.#message;
    const { state } = this.stage.team;
    const heard = this.stage.fixture.journal.kept.filter(
      (event) => event.type === "message/added" && event.path === undefined && event.message.type === "UserTextMessage",
    ).length;
    const times = result === "refused" || state.queued.length > 0 ? 0 : 1;
    if (heard !== times) return [`the user's message was heard ${heard} times, and not ${times}`];
    if (result === undefined && times === 1) return ["the user's message was heard, and its sender waits for ever"];
    return [];
  }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof GavelError && (error.data.code === "InvalidResume" || error.data.code === "TeamBusy");
