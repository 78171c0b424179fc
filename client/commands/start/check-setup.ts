import { CancellationTokenSource, type QuickInputButton, type QuickPickItem, ThemeIcon, window } from "vscode";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { plainText } from "../../common/plain-text.ts";
import type { Command } from "../command.ts";
import type { Finding, SetupFix } from "./finding.ts";
import { setupFindings } from "./setup-findings.ts";

type FindingItem = QuickPickItem & { readonly fix?: SetupFix; readonly again?: true };

/** Checks what a run needs, and lists each finding; choosing one that is wrong, or its button, fixes it. */
export const checkSetup: Command = async (services) => {
  const picker = window.createQuickPick<FindingItem>();
  picker.title = "Check Setup";
  picker.placeholder = "Checking the host, the storage, the sandbox, the models and the agents…";
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
  let picked: FindingItem | undefined;
  try {
    const findings = await Promise.race([setupFindings(services, stopped.token), closed.promise]);
    if (findings === undefined) return;
    picker.busy = false;
    picker.placeholder = summaryOf(findings);
    picker.items = [...findings.toSorted((one, other) => ranks[one.state] - ranks[other.state]).map(itemFor), ...more];
    picked = await new Promise<FindingItem | undefined>((resolve) => {
      picker.onDidAccept(() => resolve(picker.selectedItems[0]));
      picker.onDidTriggerItemButton(({ item }) => resolve(item));
      void closed.promise.then(resolve);
    });
    picker.hide();
  } finally {
    picker.dispose();
    stopped.dispose();
  }
  await picked?.fix?.run(services.run);
  if (picked?.again === true || picked?.fix?.checkAgain === true) await services.run("gavel.checkSetup");
};

const more: readonly FindingItem[] = [
  { label: "$(refresh) Check Again", again: true, alwaysShow: true },
  {
    label: "$(output) Show Log",
    fix: { label: "Show Log", run: (run) => run("gavel.showLog") },
    alwaysShow: true,
  },
];

const ranks = { wrong: 0, note: 1, works: 2 } as const;
const icons = { wrong: "error", note: "info", works: "pass" } as const;

function summaryOf(findings: readonly Finding[]): string {
  const { length } = findings.filter(({ state }) => state === "wrong");
  if (length === 0) return "Everything works.";
  return `Select what to fix: ${length} of ${findings.length} ${length === 1 ? "needs" : "need"} it.`;
}

function itemFor({ what, text, state, fix }: Finding): FindingItem {
  const item = { label: `$(${icons[state]}) ${plainText(what)}`, detail: plainText(visibleText(text).text) };
  if (fix === undefined) return item;
  const button: QuickInputButton = { iconPath: new ThemeIcon("wrench"), tooltip: fix.label };
  return { ...item, description: fix.label, fix, buttons: [button] };
}
