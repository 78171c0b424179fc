import { ConfigurationTarget, commands, lm, type QuickPickItem, QuickPickItemKind, window, workspace } from "vscode";
import type { ModelDefinition } from "../../../shared/contract/definition.ts";
import { plainText } from "../../common/plain-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { localModels } from "../../models/local-models.ts";
import type { Command } from "../command.ts";

type Choice = QuickPickItem & { readonly definition?: ModelDefinition; readonly settings?: true };

/**
 * Sets the model of participants whose team file names none: one of VS Code's language models, one of Ollama or LM Studio if
 * they run, or another endpoint in the settings.
 */
export const selectModel: Command = async () => {
  const picked = await window.showQuickPick(choices(), {
    title: "Select Model",
    placeHolder: "Select the model of participants whose team file names none",
    matchOnDescription: true,
  });
  if (picked === undefined) return;
  if (picked.settings === true) {
    await commands.executeCommand("workbench.action.openSettings", "gavel.model");
    return;
  }
  await workspace.getConfiguration("gavel").update("model", picked.definition, ConfigurationTarget.Global);
  void notify("info", `Participants whose team file names no model now use ${plainText(picked.label)}.`);
};

async function choices(): Promise<Choice[]> {
  const [editor, local] = await Promise.all([lm.selectChatModels(), localModels()]);
  return [
    ...group(
      "VS Code",
      editor.map(({ name, id, vendor, maxInputTokens }) => ({
        label: plainText(name),
        description: plainText(`${vendor} · ${maxInputTokens.toLocaleString("en-US")} tokens`),
        definition: { provider: "vscode", vendor, model: id, contextWindow: maxInputTokens },
      })),
    ),
    ...group(
      "On This Computer",
      local.map(({ server, model, baseUrl }) => ({
        label: plainText(model),
        description: server,
        definition: { provider: "openai", model, baseUrl },
      })),
    ),
    ...group("Other", [
      { label: "OpenAI-Compatible or Azure Endpoint…", description: "in the settings", settings: true },
    ]),
  ];
}

const group = (label: string, items: readonly Choice[]): Choice[] =>
  items.length === 0 ? [] : [{ label, kind: QuickPickItemKind.Separator }, ...items];
