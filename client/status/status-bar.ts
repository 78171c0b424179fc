import type { Disposable } from "vscode";
import { MarkdownString, StatusBarAlignment, ThemeColor, window } from "vscode";
import type { DurableEvent } from "../../shared/contract/event.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import { threadName } from "../../shared/text/thread-name.ts";
import { usageText } from "../../shared/text/usage-text.ts";
import { visibleOrder } from "../../shared/text/visible-text.ts";
import { waitsForOthers } from "../common/people/approval-count.ts";
import { plainText } from "../common/plain-text.ts";
import { budgetPauseOf, userTurnOf } from "../common/run-pause.ts";
import type { CommandId } from "../contributions.ts";
import { Disposables } from "../disposables.ts";
import type { HostProcess } from "../host/host-process.ts";
import type { TeamSource } from "../session/team-source.ts";
import { teamActivityText } from "../text/activity-text.ts";
import { type HostNotes, hostNotes } from "../text/host-notes.ts";

/** The codicon and the text of the item, the command that a click runs, the label for the tooltip and screen readers. */
interface StatusBarContent {
  readonly icon: string;
  readonly text: string;
  readonly label: string;
  readonly command: CommandId;
  readonly background?: "error" | "warning";
  /** The tokens used so far, and their cost. */
  readonly usage?: string;
  /** What is unusual about the host that the window uses. */
  readonly host?: HostNotes;
}

/** Shows the state of the team in the status bar; a click interrupts it while it is running. */
export class StatusBar implements Disposable {
  readonly #session: TeamSource;
  readonly #host: HostProcess;
  readonly #version: string;
  readonly #own = new Disposables();
  readonly #item = this.#own.add(window.createStatusBarItem("gavel.status", StatusBarAlignment.Left, 10));
  #shown = "";

  /** @param version the version of this extension. */
  constructor(session: TeamSource, host: HostProcess, version: string) {
    this.#session = session;
    this.#host = host;
    this.#version = version;
    this.#item.name = "Gavel";
    this.#own.add(session.onStateChanged(() => this.#update()));
    this.#own.add(host.onStateChanged(() => this.#update()));
  }

  dispose(): void {
    this.#own.dispose();
  }

  /** Sets the item only if its content has changed, as there is an event for every chunk. */
  #update(): void {
    const { state } = this.#session;
    if (state === undefined && this.#host.state !== "down") {
      this.#item.hide();
      return;
    }
    const used = state !== undefined && state.usage.total > 0 ? { usage: usageText(state.usage) } : {};
    const host = hostNotes(this.#host.reached, this.#version);
    const content = { ...this.#content(state), ...used, ...(host === undefined ? {} : { host }) };
    const key = JSON.stringify(content);
    if (key !== this.#shown) this.#show(content);
    this.#shown = key;
    this.#item.show();
  }

  #show(content: StatusBarContent): void {
    const { icon, host } = content;
    this.#item.text = `$(${icon}) ${plainText(content.text)}${host === undefined ? "" : ` $(${host.icon})`}`;
    this.#item.command = content.command;
    this.#item.tooltip = tooltip(content);
    const label = [content.label, ...(host?.sentences ?? [])].join(" ");
    this.#item.accessibilityInformation = { label, role: "button" };
    this.#item.backgroundColor =
      content.background === undefined ? undefined : new ThemeColor(`statusBarItem.${content.background}Background`);
  }

  #content(state: TeamState | undefined): StatusBarContent {
    const name = state === undefined ? "Gavel" : threadName(state);
    if (this.#host.state === "down") {
      const why = this.#host.whyDown?.message ?? "";
      const label = `Gavel: the agent host has stopped. Click to restart it. ${why}`.trimEnd();
      return { icon: "error", text: `${name}: host stopped`, label, command: "gavel.restartHost", background: "error" };
    }
    if (this.#host.state === "starting" || state === undefined) {
      const label = `${name}: the agent host is starting.`;
      return { icon: "sync~spin", text: `${name}: host starting`, label, command: "gavel.focusChat" };
    }
    return teamContent(state, this.#session.mirror?.tail ?? [], this.#session.user);
  }
}

function teamContent(state: TeamState, tail: readonly DurableEvent[], user: string): StatusBarContent {
  const name = threadName(state);
  switch (state.status) {
    case "running": {
      const busy = teamActivityText(state);
      const label = `${name} is running${busy === "" ? "" : `: ${busy}`}. Click to interrupt.`;
      return {
        icon: "loading~spin",
        text: `${name}${busy === "" ? "" : `: ${busy}`}`,
        label,
        command: "gavel.interrupt",
      };
    }
    case "interrupting":
      return {
        icon: "sync~spin",
        text: `${name}: stopping`,
        label: `${name} is being interrupted.`,
        command: "gavel.focusChat",
      };
    case "awaitingTools":
      return awaitingContent(state, user);
    case "paused":
    case "idle": {
      const budget = budgetPauseOf(state, tail);
      if (budget !== null) {
        const label = `${name} is paused: ${budget}. Click to continue or to stop.`;
        return {
          icon: "debug-pause",
          text: `${name}: budget used up`,
          label,
          command: "gavel.focusChat",
          background: "warning",
        };
      }
      const speaker = userTurnOf(state);
      if (speaker !== null) {
        const label = `${name}: your turn, as ${speaker}. Click to answer.`;
        return {
          icon: "account",
          text: `${name}: your turn`,
          label,
          command: "gavel.focusChat",
          background: "warning",
        };
      }
      const stopped = state.interrupted ? "interrupted" : state.status;
      const icon = state.interrupted ? "debug-pause" : "law";
      return {
        icon,
        text: name,
        label: `${name} is ${stopped}. Click to show the chat.`,
        command: "gavel.focusChat",
      };
    }
  }
}

/** Calls that wait for this user, or for others of the team. */
function awaitingContent(state: TeamState, user: string): StatusBarContent {
  const name = threadName(state);
  const count = state.pendingTools.length;
  const calls = count === 1 ? "a tool call" : `${count} tool calls`;
  if (waitsForOthers(state, user)) {
    const label = `${name} waits for others to decide on ${calls}. Click to show the chat.`;
    return { icon: "bell", text: `${name}: waits for others`, label, command: "gavel.focusChat" };
  }
  return {
    icon: "bell-dot",
    text: `${name}: needs decision`,
    label: `${name} needs your decision on ${calls}. Click to decide.`,
    command: "gavel.approveTool",
    background: "warning",
  };
}

/** Its links may run only these commands. The label is plain text, as a team's name comes from a file. */
function tooltip({ label, usage, host }: StatusBarContent): MarkdownString {
  const text = new MarkdownString("", true);
  text.isTrusted = { enabledCommands: ["gavel.restartHost", "gavel.stopHost", "gavel.showLog"] satisfies CommandId[] };
  text.appendText(visibleOrder(label));
  if (usage !== undefined) text.appendMarkdown("\n\n").appendText(`Used so far: ${usage}`);
  for (const sentence of host?.sentences ?? []) text.appendMarkdown("\n\n").appendText(visibleOrder(sentence));
  const stop = host?.keepsRunning === true ? "[Stop Host](command:gavel.stopHost) · " : "";
  text.appendMarkdown(`\n\n[Restart Host](command:gavel.restartHost) · ${stop}[Show Log](command:gavel.showLog)`);
  return text;
}
