import type { CommandEnd } from "../../../shared/contract/background-command.ts";
import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import type { TeamEvent } from "../../../shared/contract/event.ts";
import type { InterruptPreview, MessagePreview, StateInspection } from "../../../shared/contract/inspection.ts";
import type { ChatMessage, ContentPart } from "../../../shared/contract/message.ts";
import type { ChosenModel } from "../../../shared/contract/model-choice.ts";
import type { ParticipantsChanged } from "../../../shared/contract/participant-change.ts";
import type { Approvers, Role, User } from "../../../shared/contract/people.ts";
import type { ReasoningAck, ReasoningRequest } from "../../../shared/contract/reasoning.ts";
import type { SavedState } from "../../../shared/contract/saved-state.ts";
import type { InterruptReceipt, InterruptScope, Severity, Task, TaskResult } from "../../../shared/contract/team.ts";
import { jsonEquals } from "../../../shared/json-equals.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import type { CallToApprove } from "../approvals/evaluate-call.ts";
import { keepingSpent, spentIn } from "../conditions/spending.ts";
import { Interrupts } from "../interrupts/interrupts.ts";
import { findOpenReasoning, membersOf } from "../interrupts/open-reasoning.ts";
import { previewInterrupt, previewMessage } from "../interrupts/preview.ts";
import { ReasoningInterrupts } from "../interrupts/reasoning-interrupts.ts";
import { assertSeverityFits, interruptTarget } from "../interrupts/scope.ts";
import { assertCanContinue, assertHandoff, assertParticipantInTree, handoffWithoutTurn } from "../log/guards.ts";
import { waitingCalls } from "../log/waiting-calls.ts";
import type { InterruptOptions, RunOptions, SendOptions, TaskOptions, ToolAnswers } from "../requests.ts";
import { isMessageList, messageOfTask, messagesOfTask } from "../run/task.ts";
import { executorOf, type TeamTree, teamsIn } from "../run/team-tree.ts";
import { cancelCalls, cancelledByInterrupt, cancelledByMessage } from "./cancel-calls.ts";
import { changeParticipants } from "./change-participants.ts";
import { chooseModel } from "./choose-model.ts";
import { closeDeparted } from "./close-departed.ts";
import { requiredApprovals } from "./count-approvals.ts";
import { CurrentRun } from "./current-run.ts";
import { DirectedMessages } from "./directed-messages.ts";
import { editPartial } from "./edit-partial.ts";
import { editPlan } from "./edit-plan.ts";
import { inspectTeam } from "./inspect.ts";
import { closeNestedTeams, endAtRest, restoreConditions } from "./nested-teams.ts";
import { admit, setRole } from "./people.ts";
import { recoverTeam } from "./recover.ts";
import { refNamesOf } from "./ref-names.ts";
import { savedStateOf } from "./saved-state.ts";
import { StoredHistory } from "./stored-history.ts";
import { restoreContext, summarizeContext } from "./summarize-context.ts";
import type { Team } from "./team.ts";
import { type CommandToStart, endCommand, startCommand } from "./team-commands.ts";
import type { TeamComponents } from "./team-components.ts";
import { ToolDecisions, type ToolResolution } from "./tool-decisions.ts";
import { withUniqueRefs } from "./unique-refs.ts";
import { type QueueChange, WaitingMessages } from "./waiting-messages.ts";

/** A team, put together from its components: each request goes to the one whose work it is. */
export class GroupChat implements Team {
  readonly id: string;
  readonly #components: TeamComponents;
  readonly #currentRun: CurrentRun;
  readonly #interrupts: Interrupts;
  readonly #waiting: WaitingMessages;
  readonly #reasoning: ReasoningInterrupts;
  readonly #tools: ToolDecisions;
  readonly #directed: DirectedMessages;
  readonly #stored: StoredHistory;

  constructor(components: TeamComponents) {
    const { teamId, ledger, user, timers, history } = components;
    this.id = teamId;
    this.#components = components;
    this.#currentRun = new CurrentRun({
      teamId,
      parts: { ...components, closeInner: (how) => closeNestedTeams(this.tree, how) },
      onExecute: (run) => void run.ended.then((result) => this.#waiting.runEnded(result)),
      onEnd: (end, run) => {
        if (end.status.code === "success") this.#directed.deliverNext();
        // A reset withdraws the waiting messages, once the interrupt that asks for it is at rest.
        if (!this.isRunning && run.severity !== "reset") this.#waiting.cameToRest(run.id, end);
      },
    });
    this.#interrupts = new Interrupts(
      ledger,
      user,
      (call) => executorOf(this.tree, call)?.isReadOnly(call.name) === true,
    );
    this.#waiting = new WaitingMessages(ledger, () => this.#currentRun.run?.resultSoFar, components.keepName);
    this.#reasoning = new ReasoningInterrupts({
      ledger,
      user,
      timers,
      members: () => membersOf(this.tree),
      find: (turnId) => findOpenReasoning(this.tree, turnId),
      interrupt: (options) => this.interrupt(options),
    });
    this.#tools = new ToolDecisions({
      tree: () => this.tree,
      user,
      currentRun: this.#currentRun,
      required: () => requiredApprovals(this.state, components.definition),
    });
    this.#directed = new DirectedMessages({
      ledger,
      user,
      currentRun: this.#currentRun,
      waiting: this.#waiting,
      run: (messages, texts, options) =>
        this.run(this.state.awaitingUser === undefined ? messages : inputOf(texts, options.context), options),
      interrupt: (options) => this.interrupt(options),
      assertNothingPending: () => this.#tools.assertNothingPending(),
      assertDecided: () => this.#tools.assertDecided(),
      cancelCalls: (calls) => cancelCalls(this.tree, calls, cancelledByMessage),
    });
    this.#stored = new StoredHistory(() => this.tree, history);
  }

  get state(): TeamState {
    return this.#components.ledger.state;
  }

  get isRunning(): boolean {
    return this.#currentRun.run !== undefined;
  }

  get messages(): readonly ChatMessage[] {
    return this.#components.transcript.messages;
  }

  onEvent(listener: (event: TeamEvent) => void): () => void {
    return this.#components.ledger.onEvent(listener);
  }

  async run(task?: Task | readonly ChatMessage[], options: TaskOptions = {}): Promise<TaskResult> {
    const { user, isNested } = this.#components;
    const { by = isNested ? undefined : user() } = options;
    const messages = messagesOfTask(task, by ?? user());
    this.#assertAtRest();
    this.#tools.assertNothingPending();
    if (task === undefined) assertCanContinue(this.state);
    const { handoff } = options;
    const { awaitingUser } = this.state;
    if (awaitingUser !== undefined && task !== undefined && !isMessageList(task)) {
      if (handoff !== undefined) assertHandoff(this.state, awaitingUser, handoff);
      const message = messageOfTask(awaitingUser.participant, task, handoff);
      const userInput = { task, ...(handoff === undefined ? {} : { handoff }) };
      return this.#currentRun.start({ cause: "run", task, message, userInput, by }, options).ended;
    }
    if (handoff !== undefined) throw handoffWithoutTurn();
    const recorded = task === undefined || isMessageList(task) ? {} : { task };
    return this.#currentRun.start({ cause: "run", messages, ...recorded, by }, options).ended;
  }

  async resume(options: RunOptions = {}): Promise<TaskResult> {
    this.#assertAtRest();
    this.#tools.assertNothingPending();
    return this.#currentRun.start({ cause: "tools" }, options).ended;
  }

  async answer(options: RunOptions = {}): Promise<TaskResult> {
    this.#assertAtRest();
    return this.#currentRun.start({ cause: "userMessage" }, options).ended;
  }

  async interrupt(options: InterruptOptions = {}): Promise<InterruptReceipt> {
    assertSeverityFits(options);
    const target = interruptTarget(this.tree, options.scope, this.#applySeverity);
    if (options.waitingCalls === undefined) return this.#interrupts.interrupt(target, options);
    const waiting = waitingCalls(this.state, options.scope).filter((call) => target.covers(call));
    return this.#interrupts.interrupt(target, options, () => {
      cancelCalls(this.tree, waiting, cancelledByInterrupt);
    });
  }

  async interruptReasoning(request: ReasoningRequest, senderPath?: readonly string[]): Promise<ReasoningAck> {
    return this.#reasoning.interrupt(request, senderPath);
  }

  isReasoningLimited(name: string, path: readonly string[], turnId: string): boolean {
    return this.#reasoning.isLimited(name, path, turnId);
  }

  previewInterrupt(scope?: InterruptScope): InterruptPreview {
    if (scope !== undefined && "participant" in scope) assertParticipantInTree(this.state, scope);
    return previewInterrupt(this.tree, scope);
  }

  async sendUserMessage(
    to: string | undefined,
    texts: readonly string[],
    options: SendOptions = {},
  ): Promise<TaskResult> {
    return this.#directed.send(to, texts, options);
  }

  previewMessage(to: string | undefined, options: Pick<SendOptions, "delivery" | "visibility"> = {}): MessagePreview {
    return previewMessage(this.tree, to, options);
  }

  changeQueue(change: QueueChange): void {
    this.#waiting.change(change, this.#components.user());
  }

  async resolveTools(answers: ToolAnswers): Promise<ToolResolution> {
    return this.#tools.resolve(answers);
  }

  async previewTool(ref: string, input?: unknown): Promise<unknown> {
    return this.#tools.preview(ref, input);
  }

  async callToApprove(ref: string): Promise<CallToApprove | undefined> {
    return this.#tools.callToApprove(ref);
  }

  stop(): void {
    const { ledger, user } = this.#components;
    const { stopRequested, pendingTools } = this.state;
    if (stopRequested || (!this.isRunning && pendingTools.length === 0)) return;
    ledger.record({ type: "stop/requested", by: user() });
    this.#currentRun.run?.requestStop(true);
  }

  withdrawStop(): void {
    const { ledger, user } = this.#components;
    if (!this.state.stopRequested) return;
    ledger.record({ type: "stop/withdrawn", by: user() });
    this.#currentRun.run?.requestStop(false);
  }

  editMessage(messageId: string, content: string | null, by: string = this.#components.user()): void {
    this.#assertAtRest();
    editPartial(this.tree, messageId, content, by);
  }

  async prepareInspection(): Promise<void> {
    await this.#stored.readFor(() => this.inspect());
  }

  inspect(): StateInspection {
    restoreConditions(this.tree);
    return inspectTeam(this.tree);
  }

  prepare(): Promise<void> | undefined {
    return this.#stored.read();
  }

  prepareRun(): Promise<void> | undefined {
    return this.#stored.readForRun(this.#components.manager.ignoresMessages === true);
  }

  get tree(): TeamTree {
    const inner = new Map([...this.#components.inner].map(([name, team]) => [name, team.tree]));
    return { ...this.#components, run: this.#currentRun.run, inner };
  }

  rename(title: string | null): void {
    const { ledger, user } = this.#components;
    if (title !== (this.state.title ?? null)) ledger.record({ type: "team/renamed", title, by: user() });
  }

  setModel(to: string | undefined, model: ChosenModel | null): void {
    chooseModel(this.tree, to, model, this.#components.user());
  }

  editPlan(to: string, edit: Parameters<Team["editPlan"]>[1]): void {
    editPlan(this.tree, to, edit, this.#components.user());
  }

  startCommand(command: CommandToStart): string {
    return startCommand(this.tree, command);
  }

  endCommand(id: string, end: CommandEnd): void {
    endCommand(this.tree, id, end);
  }

  summarizeContext(to: string): void {
    summarizeContext(this.tree, to, this.#components.user());
  }

  restoreContext(to: string): void {
    restoreContext(this.tree, to, this.#components.user());
  }

  reset(by: string = this.#components.user()): void {
    this.#assertAtRest();
    this.#components.ledger.record({ type: "team/reset", by });
    for (const { team } of teamsIn(this.tree)) team.conditions.reset();
  }

  async prepareSave(): Promise<void> {
    await this.prepare();
    for (const { team } of teamsIn(this.tree)) await team.transcript.keepTexts();
  }

  save(): SavedState {
    this.#assertAtRest();
    const inner = [...this.#components.inner].map(([participant, team]) => [participant, team.save()] as const);
    const { transcript, conditions } = this.#components;
    const spent = conditions.isAny ? spentIn(transcript.conditionInput(this.state.conditionMessages)) : undefined;
    return savedStateOf(this.state, transcript.entries, Object.fromEntries(inner), spent);
  }

  rewind(state: SavedState): void {
    this.load(keepingSpent(state, this.save()));
  }

  load(state: SavedState): void {
    this.#assertAtRest();
    const { ledger, user } = this.#components;
    ledger.record({ type: "state/loaded", state: withUniqueRefs(state, refNamesOf(this.tree)), by: user() });
    for (const { team } of teamsIn(this.tree)) team.conditions.invalidate();
  }

  changeParticipants(changed: ParticipantsChanged): void {
    this.#assertAtRest();
    changeParticipants(this.tree, changed, this.#components.user());
  }

  admit(user: User, chair: User): void {
    admit(this.tree, user, chair);
  }

  setRole(user: string | undefined, role: Role, taken?: true): void {
    setRole(this.tree, user, role, this.#components.user(), taken);
  }

  setApprovers(approvers: Approvers): void {
    const { ledger, user } = this.#components;
    const { required, from } = approvers;
    if (jsonEquals(this.state.approvers, approvers)) return;
    ledger.record({ type: "approvers/changed", required, ...(from === undefined ? {} : { from }), by: user() });
  }

  beforeRedefinition(definition: TeamDefinition): void {
    if (this.isRunning) return;
    closeDeparted(this.tree, definition.participants);
    // Participants were changed before: the file has the last word.
    if (this.state.definition !== undefined)
      this.#components.ledger.record({
        type: "participants/changed",
        changes: [],
        definition,
        by: this.#components.user(),
      });
  }

  recover(isAlive: (command: string) => boolean = () => false): void {
    recoverTeam(this.tree, isAlive);
  }

  fail(error: unknown): void {
    this.#currentRun.run?.context.interrupt({ kind: "failure", error });
  }

  /** Does what a severity asks for beyond the end of the run. */
  readonly #applySeverity = (severity: Severity, by: string): void => {
    if (this.isRunning) return;
    if (severity === "reset") this.reset(by);
    else if (severity === "stop") {
      closeNestedTeams(this.tree, "stop");
      endAtRest(this.tree, "stop");
    }
  };

  #assertAtRest(): void {
    this.#currentRun.assertAtRest();
  }
}

/** What the user says in the turn of a user participant. */
function inputOf(texts: readonly string[], context: readonly ContentPart[] = []): Task {
  const text = texts.join("\n\n");
  return context.length === 0 ? text : [{ type: "text", text }, ...context];
}
