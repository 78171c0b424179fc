import { type QuickPickItem, QuickPickItemKind, Uri, window, workspace } from "vscode";
import { plainText } from "../../common/plain-text.ts";
import { askText } from "../../dialogs/ask-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { keyProblem } from "../../models/endpoint-address.ts";
import { findTeamFiles, secretsNamedIn } from "../../team-files/team-files.ts";
import type { Command, Services } from "../command.ts";

/** The names that are always offered: one for team files to use, and those of providers' keys where a model names none. */
const DEFAULT_NAMES = ["openai", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"];

type NameItem = QuickPickItem & { readonly name?: string };

/** Stores a key in VS Code's SecretStorage, under the name by which team files refer to it. */
export const setApiKey: Command = async (services, argument) => {
  const name = typeof argument === "string" ? argument : await pickName(services);
  if (name === undefined) return;
  const value = await askText({
    title: `Set API Key "${name}"`,
    prompt: "The key is kept in VS Code's secret storage and sent only to endpoints that you allow.",
    password: true,
    ignoreFocusOut: true,
    validateInput: keyProblem,
  });
  if (value === undefined) return;
  await services.credentials.set(name, value.trim());
  void notify("info", `The API key "${name}" is set.`);
};

/** Removes a stored key. */
export const forgetApiKey: Command = async ({ credentials }) => {
  const { names } = credentials;
  if (names.length === 0) throw new Error("No API keys are stored.");
  const items = names.map((name) => ({ name, label: plainText(name) }));
  const picked = await window.showQuickPick(items, {
    title: "Forget API Key",
    placeHolder: "Select the key to forget",
  });
  if (picked === undefined) return;
  const { name } = picked;
  await credentials.forget(name);
  void notify("info", `The API key "${name}" has been removed.`);
};

/** Names in the open team's file come first, then those in other team files, then those already stored. */
async function pickName({ actions, credentials }: Services): Promise<string | undefined> {
  const stored = new Set(credentials.names);
  const uri = actions.session?.state?.uri;
  const ofTeam = uri === undefined ? [] : await secretsIn(Uri.parse(uri, true));
  const ofFiles = (await Promise.all((await findTeamFiles()).map(secretsIn))).flat();
  const names = [...new Set([...ofTeam, ...ofFiles, ...stored, ...secretOfSetting(), ...DEFAULT_NAMES])];
  const items: readonly NameItem[] = [
    ...names.map((name) => ({
      name,
      label: `$(key) ${plainText(name)}`,
      description: stored.has(name) ? "set" : "not set",
    })),
    { label: "", kind: QuickPickItemKind.Separator },
    { label: "$(add) Another name…" },
  ];
  const picked = await window.showQuickPick(items, { title: "Set API Key", placeHolder: "Select the key to set" });
  if (picked === undefined || picked.name !== undefined) return picked?.name;
  return askText({
    title: "Set API Key",
    prompt: "The name of the key, as team files refer to it: apiKey: { secret: NAME }",
  });
}

/** Empty for a file that cannot be read; the host reports what is wrong with it. */
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
