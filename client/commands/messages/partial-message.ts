import { type QuickPickItem, window } from "vscode";
import { countWords, firstLine } from "../../../shared/contract/message-text.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { threadName } from "../../../shared/text/thread-name.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { type PartialMessage, partialsOf } from "../../common/partial-messages.ts";
import { plainText } from "../../common/plain-text.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import { offerToContinue } from "../../session/offer-to-continue.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";
import { editText } from "./edit-text.ts";

const KEEP = "Keep Message";
const DROP = "Drop Message";

/** Lets the user edit a partial message, and offers to continue the run. */
export const editPartialMessage: Command = async (services, argument) => {
  const partial = await partialNamed(services, argument, "Edit Partial Message");
  if (partial === undefined) return;
  const { teamId } = services.actions.team;
  const { id, source } = partial;
  const edited = await editText(services, { kind: "partial", teamId, id }, `Partial message of ${source}`);
  if (edited === "saved") await offerToContinue(services.actions, `The partial message of ${source} was edited.`);
};

/** Removes a partial message from the thread, after the user has confirmed it, and offers to continue the run. */
export const dropPartialMessage: Command = async (services, argument) => {
  const partial = await partialNamed(services, argument, "Drop Partial Message");
  if (partial === undefined) return;
  const { id, source, text } = partial;
  const words = countWords(text);
  const lost = words === 1 ? "Its one word" : `Its ${words} words`;
  const detail = `${lineOf(text)}\n\n${lost} will be removed from the thread. You cannot undo this.`;
  const question = `Drop the partial message of ${source}?`;
  if ((await askModal(question, detail, KEEP, DROP)) !== DROP) return;
  await services.actions.editMessage(id, null);
  await offerToContinue(services.actions, `The partial message of ${source} was dropped.`);
};

/** The partial message with the given id, the only one, or one that the user picks, the latest first. */
async function partialNamed(
  { actions, opener }: Services,
  argument: unknown,
  title: string,
): Promise<PartialMessage | undefined> {
  requireTrust();
  await opener.restore();
  const partials = partialsOf(actions.team);
  const [last, ...others] = partials;
  if (last === undefined) throw new Error(`${threadName(actions.team)} has no partial messages.`);
  if (typeof argument === "string") return named(argument, partials);
  if (others.length === 0) return last;
  const items = partials.map(itemFor);
  const picked = await window.showQuickPick(items, { title, placeHolder: "Select a message", matchOnDetail: true });
  return picked?.partial;
}

function named(id: string, partials: readonly PartialMessage[]): PartialMessage {
  const partial = partials.find((one) => one.id === id);
  if (partial === undefined) throw new Error("This partial message no longer exists.");
  return partial;
}

function itemFor(partial: PartialMessage): QuickPickItem & { readonly partial: PartialMessage } {
  return {
    partial,
    label: plainText(participantPath(partial.path, partial.source)),
    description: countText(countWords(partial.text), "word"),
    detail: plainText(lineOf(partial.text)),
  };
}

const lineOf = (text: string): string => visibleText(firstLine(text, 200)).text;
