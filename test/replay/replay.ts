import { isDeepStrictEqual } from "node:util";
import type { ToolAnswers } from "../../server/engine/requests.ts";
import { MemoryJournal } from "../../server/engine/testing/memory-journal.ts";
import { microtasks } from "../../server/engine/testing/microtasks.ts";
import { GavelError } from "../../shared/contract/errors.ts";
import type { TeamEvent } from "../../shared/contract/event.ts";
import type { ChatMessage } from "../../shared/contract/message.ts";
import type { InterruptReceipt, PendingTool, TaskResult } from "../../shared/contract/team.ts";
import { waitingResultOf } from "../../shared/reviewed-result.ts";
import type { Injection, InterruptSpec, PlacedInjection } from "./injections.ts";
import { finishedTurns, idleProblems, receiptProblems, sessionProblems } from "./invariants.ts";
import type { RecordedTeam } from "./recorded-team.ts";
import { ReplaySession } from "./replay-session.ts";
import { DIRECTED_QUESTION } from "./scripted-replies.ts";

/** How many runs a replay may take to its end: none needs half of it. */
const MAX_RUNS = 16;

/** What the user asks while calls wait. */
const BESIDE_QUESTION = `${DIRECTED_QUESTION} all well?`;

/** A run without injections, with all calls approved. */
export interface Recording {
  readonly events: readonly TeamEvent[];
  readonly turns: Readonly<Record<string, readonly string[]>>;
  /** What was stored before the run; without it the run is the team's first. */
  readonly before: readonly TeamEvent[] | undefined;
  /** Every event as it was stored, those before the run first. */
  readonly journal: MemoryJournal;
}

/** Runs a team to its end once. @throws Error with what is wrong with the recording itself. */
export async function record(team: RecordedTeam): Promise<Recording> {
  const before = await team.before?.();
  const session = new ReplaySession(team, journalOf(before));
  await new Replay(team, session).runToEnd(() => session.track(session.team.run("Begin.")));
  const problems = [...session.problems, ...sessionProblems(session)];
  if (problems.length > 0) throw new Error(`${team.name}, without injections: ${problems.join("; ")}`);
  return { events: session.fixture.events, turns: finishedTurns(session), before, journal: session.fixture.journal };
}

/** A journal that continues these events. */
function journalOf(events: readonly TeamEvent[] | undefined): MemoryJournal | undefined {
  if (events === undefined) return undefined;
  const journal = new MemoryJournal();
  journal.kept.push(...structuredClone(events));
  return journal;
}

/** Replays the recording with one injection, continues to the end, and returns all problems. */
export async function replay(
  team: RecordedTeam,
  recording: Recording,
  placed: PlacedInjection,
): Promise<readonly string[]> {
  const { at, injection } = placed;
  const { before, journal } = recording;
  if (injection.kind === "crash")
    return replayAfterCrash(team, recording, journal.kept.slice(0, (before?.length ?? 0) + at + 1));
  const session = new ReplaySession(team, journalOf(before));
  const play = new Replay(team, session, recording, placed);
  await play.runToEnd(() => session.track(session.team.run("Begin.", { signal: play.cancellation.signal })));
  if (injection.kind === "crashAfterInterrupt") {
    if (session.problems.length > 0) return [...new Set(session.problems)];
    return replayAfterCrash(team, recording, play.storedAtCrash);
  }
  return problemsOf(play, recording);
}

/** Opens what a crashed host has stored, and continues to the end. */
async function replayAfterCrash(
  team: RecordedTeam,
  recording: Recording,
  kept: readonly TeamEvent[],
): Promise<readonly string[]> {
  const session = new ReplaySession(team, journalOf(kept));
  session.team.recover();
  const play = new Replay(team, session);
  await play.runToEnd(() => {});
  return problemsOf(play, recording);
}

function problemsOf(play: Replay, { turns }: Recording): readonly string[] {
  const finished = finishedTurns(play.session, turns);
  const lost = Object.keys(turns).filter(
    (name) => play.isComplete(name, finished[name] ?? [], turns[name] ?? []) === false,
  );
  const problems = lost.map(
    (name) => `${name} said ${JSON.stringify(finished[name])} instead of ${JSON.stringify(turns[name])}`,
  );
  return [
    ...new Set([...play.session.problems, ...play.receiptProblems(), ...sessionProblems(play.session), ...problems]),
  ];
}

/** The user's message, and what its request resolved with. */
interface SentMessage {
  result?: TaskResult | "refused";
}

/** One replay of a team: its injection, and how it is continued. */
class Replay {
  readonly session: ReplaySession;
  readonly cancellation = new AbortController();
  /** The events that were stored when the host crashed. */
  storedAtCrash: readonly TeamEvent[] = [];
  readonly #team: RecordedTeam;
  readonly #receipts: { readonly interrupt: InterruptSpec; readonly receipt: InterruptReceipt }[] = [];
  #message: SentMessage | undefined;
  #hasAsked = false;
  /** True if the user speaks between a handoff's call and its message: the next speaker is then selected again. */
  #dropsHandoff = false;

  constructor(team: RecordedTeam, session: ReplaySession, recording?: Recording, placed?: PlacedInjection) {
    this.#team = team;
    this.session = session;
    if (recording !== undefined && placed !== undefined) this.#schedule(recording, placed);
  }

  /** False after an interrupt more severe than a pause: the conversation then starts over or takes another course. */
  get keepsConversation(): boolean {
    const ended = this.#receipts.some(({ receipt }) => receipt.severity !== "pause");
    return !ended && !this.cancellation.signal.aborted;
  }

  /**
   * True if a speaker has said what it says in the recording, or does not have to: after a message of the user, others may
   * say more, and a nested team may answer differently.
   */
  isComplete(speaker: string, said: readonly string[], recorded: readonly string[]): boolean {
    if (!this.keepsConversation) return true;
    // If its answer to the question beside waiting calls was cut short, its script goes on differently, and so may its team.
    const [asked = "", within] = this.#team.askedBeside?.split("/") ?? [];
    if (speaker === asked || (within !== undefined && speaker.startsWith(`${asked}/`))) return true;
    if (this.#message === undefined) return isDeepStrictEqual(said, recorded);
    if (this.#dropsHandoff || this.#team.choosesByContent) return true;
    const isNested = speaker.includes("/") || this.#team.nestedParticipants?.[speaker] !== undefined;
    return isNested || isDeepStrictEqual(said.slice(0, recorded.length), recorded);
  }

  receiptProblems(): string[] {
    return [
      ...this.#receipts.flatMap(({ interrupt, receipt }) =>
        receiptProblems(this.session, this.#team, receipt, interrupt),
      ),
      ...this.#messageProblems(),
    ];
  }

  /** Continues, whatever the team waits for, until it has ended normally. */
  async runToEnd(begin: () => void): Promise<void> {
    const { session } = this;
    begin();
    for (let runs = 0; runs < MAX_RUNS; runs++) {
      if (!(await session.idle())) return session.report(`it hangs with the status ${session.team.state.status}`);
      for (const problem of idleProblems(session.team.state)) session.report(problem);
      if (!this.#continueTeam()) return;
    }
    session.report("it never ended");
  }

  /** Takes the next step towards the end; false at the end. The user approves every pending call. */
  #continueTeam(): boolean {
    const { session } = this;
    const { team } = session;
    const { pendingTools, status, threadLength } = team.state;
    const { askedBeside } = this.#team;
    if (pendingTools.length > 0 && askedBeside !== undefined && !this.#hasAsked) {
      this.#hasAsked = true;
      session.track(team.sendUserMessage(askedBeside, [BESIDE_QUESTION], { delivery: "now" }), isRefusal);
    } else if (pendingTools.length > 0) {
      session.track(team.resolveTools(answersTo(pendingTools)), (error) => !this.keepsConversation && isRefusal(error));
    } else if (status !== "idle" && threadLength === 0) {
      // The host crashed before the task was in the thread: the user gives it again.
      session.track(team.run("Begin."));
    } else if (status !== "idle") session.track(team.run());
    else if (this.#hasEnded()) return false;
    else session.track(team.run("Begin again."));
    return true;
  }

  /** True if the team's last run ended normally. */
  #hasEnded(): boolean {
    const last = this.session.fixture.journal.kept.findLast(
      ({ type, path }) => path === undefined && (type === "run/ended" || type === "team/reset"),
    );
    if (last?.type !== "run/ended") return false;
    if (last.status.code === "error") this.session.report(`it failed: ${last.status.message}`);
    return last.status.code === "success" || last.status.code === "error";
  }

  #schedule({ events }: Recording, { at, injection }: PlacedInjection): void {
    const { team, fixture } = this.session;
    const unlisten = team.onEvent((event) => {
      const seen = fixture.events.length - 1;
      if (seen < at) return;
      if (seen === at) {
        const recorded = events[at];
        if (event.type !== recorded?.type)
          this.session.report(`the replay has ${event.type}, the recording ${recorded?.type}`);
        this.#dropsHandoff = event.type === "tool/executed" && event.name.startsWith("transfer_to_");
        this.#inject(injection);
      }
      const gap = "gap" in injection ? injection.gap : 0;
      if (seen !== at + gap) return;
      unlisten();
      if (injection.kind === "twoInterrupts") this.#interrupt(injection.second);
      if (injection.kind === "crashAfterInterrupt") this.storedAtCrash = [...fixture.journal.kept];
    });
  }

  /** A recorded ref ends in the id of the recorded run; up to there the same call of the replay has the same ref. */
  #scopeOf({ scope }: InterruptSpec): Pick<InterruptSpec, "scope"> {
    if (scope === undefined || !("ref" in scope)) return scope === undefined ? {} : { scope };
    const place = scope.ref.slice(0, scope.ref.lastIndexOf("_") + 1);
    const ref = this.session.fixture.events
      .flatMap((event) => (event.type === "tool/requested" ? event.calls : []))
      .find((call) => call.ref.startsWith(place))?.ref;
    if (ref === undefined) this.session.report(`the replay has no call ${scope.ref}`);
    return { scope: { ref: ref ?? scope.ref } };
  }

  #inject(injection: Injection): void {
    switch (injection.kind) {
      case "interrupt":
        if (injection.later === undefined) this.#interrupt(injection.interrupt);
        else this.session.track(microtasks(injection.later).then(() => this.#interrupt(injection.interrupt)));
        return;
      case "twoInterrupts":
        this.#interrupt(injection.first);
        return;
      case "crashAfterInterrupt":
        this.#interrupt(injection.interrupt);
        return;
      case "cancel":
        this.cancellation.abort();
        return;
      case "message":
        this.#send(injection);
        return;
      case "crash":
    }
  }

  #interrupt(recorded: InterruptSpec): void {
    const interrupt = { ...recorded, ...this.#scopeOf(recorded) };
    const interrupting = this.session.team
      .interrupt(interrupt)
      .then((receipt) => this.#receipts.push({ interrupt, receipt }));
    this.session.track(interrupting);
  }

  /** A queued message may wait beyond the end, for a turn that never comes, so it is not tracked. */
  #send({ to, text, delivery }: Extract<Injection, { kind: "message" }>): void {
    const message: SentMessage = {};
    this.#message = message;
    const over = this.session.team.sendUserMessage(to, [text], { delivery }).then(
      (result) => {
        message.result = result;
      },
      (error: unknown) => {
        message.result = "refused";
        if (!isRefusal(error)) this.session.report(`the message was refused: ${String(error)}`);
      },
    );
    if (delivery === "now") this.session.track(over);
  }

  /** A message is delivered once and answered, or still waits, or was refused and left no trace. */
  #messageProblems(): string[] {
    if (this.#message === undefined) return [];
    const { result } = this.#message;
    const { state } = this.session.team;
    const ids = this.session.fixture.journal.kept.flatMap((event) =>
      event.type === "message/added" && isInjected(event.message) ? [event.message.id] : [],
    );
    // A nested team gets what is said to it in the outer team, under the same id.
    const delivered = new Set(ids).size;
    const times = result === "refused" || state.queued.length > 0 ? 0 : 1;
    if (delivered !== times) return [`the user's message was delivered ${delivered} times instead of ${times}`];
    if (result === undefined && times === 1)
      return ["the user's message was delivered, and its request never resolved"];
    return [];
  }
}

const isInjected = ({ metadata, content }: ChatMessage): boolean =>
  metadata?.["to"] !== undefined && content !== BESIDE_QUESTION;

const isRefusal = (error: unknown): boolean =>
  error instanceof GavelError && (error.data.code === "InvalidResume" || error.data.code === "TeamBusy");

/** Calls run, and results that wait for review are sent. */
function answersTo(pending: readonly PendingTool[]): ToolAnswers {
  return {
    restart: pending.flatMap(({ ref, review }) => (review ? [] : [{ ref }])),
    respond: pending.flatMap((call) => (call.review ? [{ ref: call.ref, output: waitingResultOf(call)?.output }] : [])),
  };
}
