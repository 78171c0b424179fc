import { randomUUID } from "node:crypto";
import { Position, type TextDocument, type Uri, ViewColumn, WorkspaceEdit, window, workspace } from "vscode";
import type { ModelDefinition } from "../../../shared/contract/definition.ts";
import type { ResultOf } from "../../../shared/contract/message-type.ts";
import type { Problem } from "../../../shared/contract/problem.ts";
import { TeamDraft } from "../../../shared/contract/setup.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { withCancel } from "../../dialogs/progress.ts";
import { runErrorAction } from "../../errors/run-error-action.ts";
import { draftName } from "../../start/draft-name.ts";
import { DraftPreview } from "../../start/draft-preview.ts";
import { freeTeamFile } from "../../start/new-team-file.ts";
import { withModel } from "../../start/team-model-text.ts";
import { requireTrust } from "../../trust.ts";
import type { Services } from "../command.ts";

/** What a draft is made from. Without a model the default one writes it, and the file names none. */
interface DraftOrder {
  readonly task: string;
  readonly model: ModelDefinition | undefined;
  readonly folder: Uri;
}

/**
 * A model drafts a team file, which appears while it is written, and then is a new file that is not saved. When it is
 * cancelled, nothing is left. @throws as `team/draft`.
 */
export async function draftFromTask(services: Services, { task, model, folder }: DraftOrder): Promise<void> {
  requireTrust("No model is called in Restricted Mode.");
  const draft = await streamed(services, { task, ...(model === undefined ? {} : { model }) });
  if (draft === undefined) return;
  const text = model === undefined ? draft.text : withModel(draft.text, model);
  const document = await unsaved(await freeTeamFile(folder, draftName(text)), text);
  void offerNext(services, document, draft.problems);
}

type Drafted = ResultOf<typeof TeamDraft>;

/** The finished draft; undefined when the user cancelled it. */
async function streamed(
  { host, documents }: Services,
  order: { readonly task: string; readonly model?: ModelDefinition },
): Promise<Drafted | undefined> {
  const preview = new DraftPreview(documents);
  const draftId = randomUUID();
  return withCancel("Drafting the team file…", async (token, say) => {
    const listening = host.onDraftPart((part) => {
      if (part.draftId !== draftId) return;
      if (part.attempt > 1) say("The model corrects its first draft.");
      preview.add(part.attempt, part.delta);
    });
    try {
      await preview.open(token);
      const draft = await host.request(TeamDraft, { ...order, draftId }, preview.token);
      return preview.token.isCancellationRequested ? undefined : draft;
    } finally {
      listening.dispose();
      await preview.close();
    }
  });
}

/** Shows a new file that is not saved yet. */
export async function unsaved(file: Uri, text: string): Promise<TextDocument> {
  const document = await workspace.openTextDocument(file.with({ scheme: "untitled" }));
  const edit = new WorkspaceEdit();
  edit.insert(document.uri, new Position(0, 0), text);
  await workspace.applyEdit(edit);
  await window.showTextDocument(document, { preview: false, viewColumn: ViewColumn.Active });
  return document;
}

const SAVE = "Save and Open Team";
const SHOW = "Show Problems";

/** Says what to do with the draft. */
async function offerNext(services: Services, document: TextDocument, problems: readonly Problem[]): Promise<void> {
  const [first] = problems;
  if (first === undefined) return offerToSave(services, document);
  const { message, line } = first;
  const where = line === undefined ? "" : `line ${line}: `;
  const choice = await notify(
    "warning",
    `The draft has ${countText(problems.length, "problem")}, which the editor marks, such as ${where}${message}. Correct and save it.`,
    SHOW,
  );
  if (choice === SHOW) await runErrorAction({ command: "showProblems" }, services.run);
}

/** Offers to save a new file, and to open its team. */
export async function offerToSave(services: Services, document: TextDocument): Promise<void> {
  const choice = await notify("info", "The draft is not saved yet. Read it, then save it and open the team.", SAVE);
  if (choice === SAVE) await saveAndOpen(services, document);
}

async function saveAndOpen({ opener, chat, notices }: Services, document: TextDocument): Promise<void> {
  try {
    if (document.isClosed) throw new Error("The draft was closed without being saved. Make another with New Team….");
    const file = await workspace.save(document.uri);
    if (file === undefined) return;
    await opener.openFile(file);
    await chat.focus();
  } catch (error) {
    notices.report(error);
  }
}
