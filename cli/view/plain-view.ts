import type { TeamEvent } from "../../shared/contract/event.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import type { MessageKind } from "../host/client-answers.ts";
import { OWN_USER } from "../host/own-user.ts";
import { shownLine } from "../text/shown-text.ts";
import type { Style } from "../text/style.ts";
import { EventLines } from "./event-lines.ts";
import type { Look } from "./look.ts";
import type { View } from "./view.ts";

/** A run as lines without an end, for logs and pipes: each message when it is complete. */
export class PlainView implements View {
  user = OWN_USER;
  readonly #style: Style;
  readonly #lines = new EventLines();

  constructor(style: Style) {
    this.#style = style;
  }

  opened(state: TeamState): void {
    const { teamId, name } = state;
    this.#lines.opened(state);
    process.stdout.write(`${shownLine(name)} · thread ${teamId}\n`);
  }

  show(event: TeamEvent, { participants, people = [] }: TeamState, isElsewhere: boolean): void {
    const { user } = this;
    const look: Look = { style: this.#style, columns: Number.POSITIVE_INFINITY, participants, people, user };
    const lines = this.#lines.of(event, look, isElsewhere);
    if (lines.length > 0) process.stdout.write(`${lines.join("\n")}\n`);
  }

  tell(kind: MessageKind, sentence: string): void {
    process.stderr.write(`${kind === "info" ? "" : `${kind}: `}${shownLine(sentence)}\n`);
  }

  [Symbol.dispose](): void {}
}
