import type { ApprovalScope } from "../../shared/contract/approval.ts";
import { ruleText } from "../../shared/contract/approval-text.ts";
import { GavelError } from "../../shared/contract/errors.ts";
import type { ToolPreview } from "../../shared/contract/inspection.ts";
import { ApprovalsSuggest, TeamPreviewTool, TeamResolveTools } from "../../shared/contract/requests.ts";
import type { PendingTool } from "../../shared/contract/team.ts";
import { isRecord } from "../../shared/json-record.ts";
import { parseJson } from "../../shared/parse-json.ts";
import { waitingResultOf } from "../../shared/reviewed-result.ts";
import { shownCommand, shownJson, shownLine } from "../text/shown-text.ts";
import type { Style } from "../text/style.ts";
import { cut, wrap } from "../text/wrap.ts";
import type { Prompter } from "../view/view.ts";
import { callCard } from "./call-card.ts";
import { approvalOf, digestOf, isQuestion } from "./previews.ts";
import type { Thread } from "./thread.ts";

type Answers = Parameters<typeof TeamResolveTools.params.parse>[0];

/** Asks the user about the calls of a team that wait. */
export class CallDecisions {
  readonly #thread: Thread;
  readonly #prompter: Prompter;
  readonly #style: Style;
  /** Aborted when the call that is asked about waits no more. */
  #signal = AbortSignal.abort();

  constructor(thread: Thread, prompter: Prompter, style: Style) {
    this.#thread = thread;
    this.#prompter = prompter;
    this.#style = style;
  }

  /** Asks about a call and applies the answer. False when the user gave none, as they have `left`: the call still waits. */
  async decide(call: PendingTool, left: AbortSignal): Promise<boolean> {
    const controller = new AbortController();
    // It may be decided by a rule, by another client, or by a message that cancels it.
    void this.#thread.until(() => !this.#isPending(call)).then(() => controller.abort());
    const { lost } = this.#thread;
    this.#signal = AbortSignal.any([controller.signal, lost, left]);
    return (await this.#ask(call)) || !this.#isPending(call) || lost.aborted;
  }

  #isPending({ ref }: PendingTool): boolean {
    return this.#thread.state.pendingTools.some((call) => call.ref === ref);
  }

  async #ask(call: PendingTool): Promise<boolean> {
    if (isQuestion(call)) return this.#answer(call);
    const preview = await this.#preview(call);
    for (let maxLines = this.#prompter.rows * 2; ; maxLines = Number.POSITIVE_INFINITY) {
      const lines = callCard(call, preview, { style: this.#style, columns: this.#prompter.columns, maxLines });
      const hasMore = lines.some((line) => line.includes("more lines; d shows all"));
      const decision = await this.#prompter.choose(
        { lines, answers: [...(call.review ? RESULT_ANSWERS : ANSWERS), ...(hasMore ? [SHOW_ALL] : [])] },
        this.#signal,
      );
      switch (decision) {
        case undefined:
          return false;
        case "y":
          if (call.review) await this.#send(call);
          else await this.#approve(call, preview);
          return true;
        case "n":
          return this.#deny(call);
        case "e":
          if (await (call.review ? this.#editResult(call) : this.#edit(call))) return true;
          break;
        case "a":
          if (await this.#alwaysIfAllowed(call, preview)) return true;
          break;
        case "d":
          break;
      }
    }
  }

  async #answer(call: PendingTool): Promise<boolean> {
    const lines = callCard(call, null, { style: this.#style, columns: this.#prompter.columns, maxLines: 100 });
    const output = await this.#prompter.ask({ lines, label: "your answer" }, this.#signal);
    if (output === undefined) return false;
    await this.#resolve(call.ref, { respond: [{ ref: call.ref, output }] });
    return true;
  }

  async #deny({ ref }: PendingTool): Promise<boolean> {
    const reason = await this.#prompter.ask({ lines: [], label: "why not, or Enter" }, this.#signal);
    if (reason === undefined) return false;
    await this.#resolve(ref, { deny: [{ ref, ...(reason.trim() === "" ? {} : { reason }) }] });
    return true;
  }

  /** A command is edited as it is, any other input as JSON. False when the user asks for the answers again. */
  async #edit({ ref, name, input }: PendingTool): Promise<boolean> {
    const command = name === "runCommand" && isRecord(input) ? input["command"] : undefined;
    const isCommand = typeof command === "string" && isPlainLine(command);
    const before = isCommand ? command : shownJson(input ?? {});
    const text = await this.#prompter.ask(
      { lines: [], label: "the input; empty to go back", text: before },
      this.#signal,
    );
    if (text === undefined || text.trim() === "") return false;
    try {
      const changed = isCommand && isRecord(input) ? { ...input, command: text } : parseJson(text);
      await this.#resolve(ref, { restart: [{ ref, input: changed }] });
      return true;
    } catch (error) {
      await this.#say(error);
      return false;
    }
  }

  async #send({ ref, ...call }: PendingTool): Promise<void> {
    await this.#resolve(ref, { respond: [{ ref, output: waitingResultOf(call)?.output ?? null }] });
  }

  /** A text of one line is edited as it is, any other result as JSON. False when the user asks for the answers again. */
  async #editResult({ ref, ...call }: PendingTool): Promise<boolean> {
    const before = waitingResultOf(call)?.output ?? null;
    const isLine = typeof before === "string" && isPlainLine(before);
    const text = await this.#prompter.ask(
      { lines: [], label: "the result; empty to go back", text: isLine ? before : shownJson(before) },
      this.#signal,
    );
    if (text === undefined || text.trim() === "") return false;
    try {
      await this.#resolve(ref, { respond: [{ ref, output: isLine ? text : parseJson(text) }] });
      return true;
    } catch (error) {
      await this.#say(error);
      return false;
    }
  }

  /** Rules are for the chair of the team, on the computer of the host. */
  async #alwaysIfAllowed(call: PendingTool, preview: ToolPreview): Promise<boolean> {
    try {
      return await this.#always(call, preview);
    } catch (error) {
      if (!(error instanceof GavelError) || error.data.code !== "NotAuthorized") throw error;
      await this.#say(error);
      return false;
    }
  }

  async #always(call: PendingTool, preview: ToolPreview): Promise<boolean> {
    const { choices } = await this.#thread.host.request(ApprovalsSuggest, {
      teamId: this.#thread.teamId,
      ref: call.ref,
    });
    const offered = choices.slice(0, 9);
    const { columns } = this.#prompter;
    const texts = offered.map(({ rules }, at) => `${at + 1} ${rules.map(ruleText).join("; ")}`);
    const chosen = await this.#prompter.choose(
      {
        lines: ["Allow without asking:", ...texts.flatMap((text) => wrap(shownLine(text), columns - 1))],
        answers: [...offered.map((_, at) => ({ key: String(at + 1), label: "" })), BACK],
      },
      this.#signal,
    );
    const rules = offered[Number(chosen) - 1]?.rules;
    if (rules === undefined) return false;
    const scope = SCOPES[(await this.#prompter.choose({ lines: [], answers: SCOPE_ANSWERS }, this.#signal)) ?? "b"];
    if (scope === undefined) return false;
    const digest = digestOf(preview);
    const shown = digest === undefined ? undefined : { ref: call.ref, preview: digest };
    const team = scope === "run" ? { team: this.#thread.teamId } : {};
    const answered: string[] = [];
    for (const rule of rules) {
      const added = await this.#thread.addRule({ ...rule, decision: "allow", scope, ...team }, shown);
      answered.push(...added.answered);
    }
    if (!answered.includes(call.ref) && this.#isPending(call)) await this.#approve(call, preview);
    return true;
  }

  #approve(call: PendingTool, preview: ToolPreview): Promise<void> {
    return this.#resolve(call.ref, { restart: [{ ref: call.ref, ...approvalOf(preview, call) }] });
  }

  async #preview({ ref }: PendingTool): Promise<ToolPreview> {
    return this.#thread.host.request(TeamPreviewTool, { teamId: this.#thread.teamId, ref });
  }

  /** Resolves when the answer is taken; the run that it continues goes on. @throws GavelError when it is refused. */
  async #resolve(ref: string, answers: Omit<Answers, "teamId">): Promise<void> {
    const { teamId, host } = this.#thread;
    this.#thread.decides(ref);
    const request = this.#thread.during(host.request(TeamResolveTools, { teamId, ...answers }));
    const taken = this.#thread.until(({ pendingTools }) => pendingTools.every((call) => call.ref !== ref));
    await Promise.race([request, taken]);
  }

  async #say(error: unknown): Promise<void> {
    const text = error instanceof Error ? error.message : String(error);
    await this.#prompter.choose({
      lines: [this.#style.red(cut(shownLine(text), this.#prompter.columns - 1))],
      answers: [BACK],
    });
  }
}

/** Whether every character can be seen as it is, in one line: then a text needs no JSON to be edited. */
const isPlainLine = (text: string): boolean => shownCommand(text) === text;

const ANSWERS = [
  { key: "y", label: "yes" },
  { key: "n", label: "no" },
  { key: "e", label: "edit" },
  { key: "a", label: "always…" },
] as const;
const RESULT_ANSWERS = [
  { key: "y", label: "send" },
  { key: "n", label: "withhold" },
  { key: "e", label: "edit" },
] as const;
const SHOW_ALL = { key: "d", label: "show all" } as const;
const BACK = { key: "b", label: "back" } as const;

const SCOPES = { r: "run", f: "workspace", a: "always", b: undefined } as const satisfies Readonly<
  Record<string, Exclude<ApprovalScope, "once"> | undefined>
>;
const SCOPE_ANSWERS = [
  { key: "r", label: "in this run" },
  { key: "f", label: "in this folder" },
  { key: "a", label: "everywhere" },
  BACK,
] as const;
