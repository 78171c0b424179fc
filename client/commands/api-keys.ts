import { type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from "vscode";
import { findTeamFiles, secretsNamedIn } from "../team/team-files.ts";
import type { Command, Services } from "./command.ts";

/** The name that models use which were given none. */
const USUAL = "openai";

type NameItem = QuickPickItem & { readonly name?: string };

/** Stores a key in the editor's SecretStorage, under a name by which team files ask for it. */
export const setApiKey: Command = async (services, argument) => {
  const name = typeof argument === "string" ? argument : await pickName(services);
  if (name === undefined) return;
  const value = await window.showInputBox({
    title: `Set API Key "${name}"`,
    prompt: "Kept in the editor's secret storage, and given to the model's endpoint alone.",
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "A key is not empty." : undefined),
  });
  if (value === undefined) return;
  await services.credentials.set(name, value.trim());
  void window.showInformationMessage(`The API key "${name}" is set.`);
};

/** Removes a stored key. */
export const forgetApiKey: Command = async ({ credentials }) => {
  const { names } = credentials;
  if (names.length === 0) throw new Error("No API key is stored.");
  const name = await window.showQuickPick(names, { title: "Forget API Key", placeHolder: "Which key?" });
  if (name === undefined) return;
  await credentials.forget(name);
  void window.showInformationMessage(`The API key "${name}" is forgotten.`);
};

/** The names that the team at hand asks for come first, then those of other team files, and those stored. */
async function pickName({ session, credentials }: Services): Promise<string | undefined> {
  const stored = new Set(credentials.names);
  const uri = session.state?.uri;
  const ofTeam = uri === undefined ? [] : await secretsIn(Uri.parse(uri, true));
  const ofFiles = (await Promise.all((await findTeamFiles()).map(secretsIn))).flat();
  const names = [...new Set([...ofTeam, ...ofFiles, ...stored, ...secretOfSetting(), USUAL])];
  const items: readonly NameItem[] = [
    ...names.map((name) => ({ name, label: `$(key) ${name}`, description: stored.has(name) ? "set" : "not set" })),
    { label: "", kind: QuickPickItemKind.Separator },
    { label: "$(add) Another name…" },
  ];
  const picked = await window.showQuickPick(items, { title: "Set API Key", placeHolder: "Which key?" });
  if (picked === undefined || picked.name !== undefined) return picked?.name;
  return window.showInputBox({
    title: "Set API Key",
    prompt: "The name that team files give it: apiKey: { secret: NAME }",
  });
}

/** A file that can not be read names no key; the host says what is wrong with it. */
async function secretsIn(uri: Uri): Promise<readonly string[]> {
  try {
    return secretsNamedIn(new TextDecoder().decode(await workspace.fs.readFile(uri)));
  } catch {
    return [];
  }
}

function secretOfSetting(): readonly string[] {
  const model = workspace.getConfiguration("gavel").get<unknown>("model");
  return secretsNamedIn(JSON.stringify(model ?? {}));
}
