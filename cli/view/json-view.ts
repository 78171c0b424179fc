import type { TeamEvent } from "../../shared/contract/event.ts";
import type { TeamState } from "../../shared/state/team-state.ts";
import type { MessageKind } from "../host/client-answers.ts";
import { OWN_USER } from "../host/own-user.ts";
import { shownJson, shownLine } from "../text/shown-text.ts";
import type { View } from "./view.ts";

/** Each event of the protocol in a line of JSON, after a line with the thread's id; sentences go to the other output. */
export class JsonView implements View {
  user = OWN_USER;

  opened({ teamId, name, lastSeq }: TeamState): void {
    process.stdout.write(`${shownJson({ type: "thread", teamId, name, lastSeq })}\n`);
  }

  show(event: TeamEvent): void {
    process.stdout.write(`${shownJson(event)}\n`);
  }

  tell(kind: MessageKind, sentence: string): void {
    process.stderr.write(`${kind === "info" ? "" : `${kind}: `}${shownLine(sentence)}\n`);
  }

  [Symbol.dispose](): void {}
}
