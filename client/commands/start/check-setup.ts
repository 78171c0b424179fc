import { type CancellationToken, CancellationTokenSource, type QuickPickItem, window, workspace } from "vscode";
import { ModelsCheck } from "../../../shared/contract/setup.ts";
import { type ErrorAction, errorActions, hostDownActions } from "../../common/error-actions.ts";
import { plainText } from "../../common/plain-text.ts";
import { visibleText } from "../../common/visible-text.ts";
import { runErrorAction } from "../../errors/run-error-action.ts";
import { hasDefaultModel } from "../../start/default-model.ts";
import type { Command, Services } from "../command.ts";

/** One thing that was checked. */
interface Finding {
  readonly what: string;
  /** A sentence: what is wrong and what to do, or that it works. */
  readonly text: string;
  /** What fixes it, for something that is wrong. */
  readonly fix?: ErrorAction;
}

type FindingItem = QuickPickItem & { readonly fix?: ErrorAction; readonly again?: true };

/** Checks what a run needs, and lists each finding; choosing one that is wrong fixes it. */
export const checkSetup: Command = async (services) => {
  const picker = window.createQuickPick<FindingItem>();
  picker.title = "Check Setup";
  picker.placeholder = "Checking the host, the storage and the models…";
  picker.busy = true;
  picker.ignoreFocusOut = true;
  picker.matchOnDetail = true;
  picker.show();
  const closed = Promise.withResolvers<undefined>();
  const stopped = new CancellationTokenSource();
  picker.onDidHide(() => {
    closed.resolve(undefined);
    stopped.cancel();
  });
  try {
    const findings = await Promise.race([findingsOf(services, stopped.token), closed.promise]);
    if (findings === undefined) return;
    const wrong = findings.filter(({ fix }) => fix !== undefined);
    picker.busy = false;
    picker.placeholder =
      wrong.length === 0 ? "Everything works." : `Select what to fix: ${wrong.length} of ${findings.length} need it.`;
    picker.items = [...wrong.map(itemFor), ...findings.filter(({ fix }) => fix === undefined).map(itemFor), ...more];
    const picked = await new Promise<FindingItem | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems[0]));
      void closed.promise.then(() => resolve(undefined));
    });
    picker.hide();
    if (picked?.again === true) await services.run("gavel.checkSetup");
    else if (picked?.fix !== undefined) await runErrorAction(picked.fix, services.run);
  } finally {
    picker.dispose();
    stopped.dispose();
  }
};

const more: readonly FindingItem[] = [
  { label: "$(refresh) Check Again", again: true, alwaysShow: true },
  { label: "$(output) Show Log", fix: { label: "Show Log", command: "showLog" }, alwaysShow: true },
];

function itemFor({ what, text, fix }: Finding): FindingItem {
  const label = `${fix === undefined ? "$(pass)" : "$(error)"} ${plainText(what)}`;
  const detail = plainText(visibleText(text).text);
  return fix === undefined ? { label, detail } : { label, detail, description: fix.label, fix };
}

async function findingsOf(services: Services, token: CancellationToken): Promise<readonly Finding[]> {
  const { host } = services;
  const trust = trustFinding();
  await host.ensureStarted();
  const [restart] = hostDownActions;
  if (host.state !== "ready" && restart !== undefined)
    return [trust, { what: "Agent host", text: "The host is not running. Restart it, or see the log.", fix: restart }];
  const running = { what: "Agent host", text: "The host is running." };
  // No model is called in Restricted Mode.
  const models = trust.fix === undefined ? await modelFindings(services, token) : [];
  return [trust, running, storageFinding(services), ...models];
}

function trustFinding(): Finding {
  const what = "Workspace trust";
  if (workspace.isTrusted) return { what, text: "Teams may run here." };
  const fix: ErrorAction = { label: "Manage Workspace Trust", command: "manageTrust" };
  return { what, text: "Teams do not run in Restricted Mode. Trust the workspace to run them.", fix };
}

function storageFinding({ host: { storage } }: Services): Finding {
  const what = "Storage";
  if (storage.state === "saving") return { what, text: "Threads are saved." };
  const fix: ErrorAction = { label: "Show Log", command: "showLog" };
  return { what, text: "Threads cannot be saved. Check that the disk has space and that you may write to it.", fix };
}

/** Of the open team's models, or of the default one. */
async function modelFindings({ host, teams }: Services, token: CancellationToken): Promise<readonly Finding[]> {
  const team = teams.active?.state;
  const selectModel: ErrorAction = { label: "Select Model…", command: "selectModel" };
  const hasDefault = await hasDefaultModel();
  const { models } = await host.request(ModelsCheck, team === undefined ? {} : { teamId: team.teamId }, token);
  return models.map(({ key, label, failure }) => {
    const what = key === undefined ? "Default model" : `Model ${key}: ${label}`;
    if (failure === undefined) return { what, text: "The model answers." };
    if (key === undefined && !hasDefault) {
      return {
        what,
        text: "No model is selected. Select one of VS Code, Ollama or LM Studio, or an endpoint.",
        fix: selectModel,
      };
    }
    const fixes = errorActions({ ...failure.data, code: "ModelError" }, key === undefined ? undefined : team?.uri);
    const useful = fixes.find(
      ({ command }) => command !== "retry" && command !== "checkSetup" && command !== "openSettings",
    );
    return {
      what,
      text: failure.message,
      fix: useful ?? (key === undefined ? selectModel : (fixes[0] ?? selectModel)),
    };
  });
}
