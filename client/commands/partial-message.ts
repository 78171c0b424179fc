import { type QuickPickItem, window } from "vscode";
import { countWords, firstLine } from "../../shared/contract/message-text.ts";
import { pathText } from "../common/nested-teams.ts";
import { visibleText } from "../common/visible-text.ts";
import { offerToContinue } from "../team/offer-to-continue.ts";
import { type PartialMessage, partialsOf } from "../team/partial-messages.ts";
import { requireTrust } from "../trust.ts";
import type { Command, Services } from "./command.ts";
import { editText } from "./edit-text.ts";

const DROP = "Drop Message";

/** Lets the user write anew what an interrupt, a failure or a crash cut short, and offers to go on. */
export const editPartial: Command = async (services, argument) => {
  const partial = await partialNamed(services, argument, "Edit Partial Message");
  if (partial === undefined) return;
  const { teamId } = services.actions.team;
  const { id, source } = partial;
  const edited = await editText(services, { kind: "partial", teamId, id }, `${source}, cut short`);
  if (edited === "written") await offerToContinue(services.actions, `What ${source} said is written anew.`);
};

/** Takes what was cut short out of the thread, after the user has seen what is lost, and offers to go on. */
export const dropPartial: Command = async (services, argument) => {
  const partial = await partialNamed(services, argument, "Drop Partial Message");
  if (partial === undefined) return;
  const { id, source, text } = partial;
  const words = countWords(text);
  const lost = words === 1 ? "Its one word is" : `Its ${words} words are`;
  const detail = `${lineOf(text)}\n\n${lost} taken out of the thread. This can not be undone.`;
  const question = `Drop the partial message of ${source}?`;
  if ((await window.showWarningMessage(question, { modal: true, detail }, DROP)) !== DROP) return;
  await services.actions.editMessage(id, null);
  await offerToContinue(services.actions, `The partial message of ${source} is dropped.`);
};

/** The partial message of that id, the only one, or one that is picked; the last said comes first. */
async function partialNamed(
  { actions, opener }: Services,
  argument: unknown,
  title: string,
): Promise<PartialMessage | undefined> {
  requireTrust();
  await opener.restore();
  const partials = partialsOf(actions.team);
  const [last, ...others] = partials;
  if (last === undefined) throw new Error(`No message of ${actions.team.name} was cut short.`);
  if (typeof argument === "string") return named(argument, partials);
  if (others.length === 0) return last;
  const items = partials.map(itemFor);
  const picked = await window.showQuickPick(items, { title, placeHolder: "Which message?", matchOnDetail: true });
  return picked?.partial;
}

function named(id: string, partials: readonly PartialMessage[]): PartialMessage {
  const partial = partials.find((one) => one.id === id);
  if (partial === undefined) throw new Error("That partial message is there no more; nothing was changed.");
  return partial;
}

function itemFor(partial: PartialMessage): QuickPickItem & { readonly partial: PartialMessage } {
  const words = countWords(partial.text);
  return {
    partial,
    label: pathText(partial.path, partial.source),
    description: words === 1 ? "1 word" : `${words} words`,
    detail: lineOf(partial.text),
  };
}

const lineOf = (text: string): string => visibleText(firstLine(text, 200)).text;
