import { type QuickPickItem, QuickPickItemKind, window } from "vscode";
import type { InterruptPreview } from "../../shared/contract/inspection.ts";
import { TeamPreviewInterrupt } from "../../shared/contract/requests.ts";
import type { InterruptScope } from "../../shared/contract/team.ts";
import { pathText } from "../common/nested-teams.ts";
import { Disposables } from "../disposables.ts";
import type { UserInterruptOptions } from "../team/team-actions.ts";
import { interruptBehavior, previewText, toolCallName } from "../text/interrupt-text.ts";
import type { Command, Services } from "./command.ts";
import { showSideEffects } from "./interrupt.ts";

const RESET = "Interrupt and Reset";

/** What can be stopped. One call has one way to be cut; all else can be stopped in several. */
type Target = QuickPickItem & { readonly scope?: InterruptScope | undefined; readonly name: string };
type InterruptMode = QuickPickItem & { readonly how?: UserInterruptOptions };

const MODES: readonly InterruptMode[] = [
  {
    label: "$(debug-pause) Pause now",
    detail: "In mid-word; what has been said is kept, and the run can go on.",
    how: { severity: "pause", grace: "now" },
  },
  {
    label: "$(comment-discussion) Pause after this thought",
    detail: "The model step in progress is finished; a tool that it asks for does not run.",
    how: { severity: "pause", grace: "thought" },
  },
  {
    label: "$(debug-step-over) Pause after this turn",
    detail: "The turn in progress is finished.",
    how: { severity: "pause", grace: "turn" },
  },
  { label: "", kind: QuickPickItemKind.Separator },
  {
    label: "$(debug-stop) Stop",
    detail: "Now; the thread is kept, and the next run begins anew with it.",
    how: { severity: "stop", grace: "now" },
  },
  {
    label: "$(discard) Reset…",
    detail: "Now; the thread is emptied too.",
    how: { severity: "reset", grace: "now" },
  },
];

/** Lets the user say what to stop, of what is at work now, and how. */
export const interruptWith: Command = async (services) => {
  await services.opener.restore();
  const target = await pickTarget(services);
  if (target === undefined) return;
  const { scope } = target;
  const how = scope !== undefined && "ref" in scope ? {} : await pickMode(target);
  if (how === undefined || (how.severity === "reset" && !(await confirmed(services)))) return;
  const receipt = await services.actions.interrupt({ ...how, scope });
  if (!receipt.wasRunning) {
    void window.showInformationMessage(`Nothing of ${target.name} was at work by then, so nothing was cut short.`);
  }
  showSideEffects(receipt);
};

/** The list follows the team: what has ended by itself is gone from it. */
async function pickTarget({ actions, host, session }: Services): Promise<Target | undefined> {
  const { teamId, name } = actions.team;
  const preview = (scope?: InterruptScope): Promise<InterruptPreview> =>
    host.request(TeamPreviewInterrupt, { teamId, ...(scope === undefined ? {} : { scope }) });
  const targets = await targetsOf(name, preview);
  if (targets.length === 0) throw new Error(`${name} is at rest; there is nothing to interrupt.`);
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<Target>());
  picker.title = "Interrupt";
  picker.placeholder = "What should be stopped?";
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  picker.items = targets;
  try {
    return await new Promise<Target | undefined>((resolve, reject) => {
      let asked = 0;
      const refresh = async (): Promise<void> => {
        asked++;
        const own = asked;
        const items = await targetsOf(name, preview);
        if (own !== asked) return;
        const active = picker.activeItems[0]?.label;
        picker.items = items;
        picker.activeItems = items.filter(({ label }) => label === active);
        if (items.length === 0) picker.placeholder = `${name} has come to rest.`;
      };
      scope.add(session.onEvents((events) => events.some((event) => "seq" in event) && refresh().catch(reject)));
      // Nothing is selected when what had the focus has just ended: the user looks again.
      scope.add(picker.onDidAccept(() => picker.selectedItems[0] && resolve(picker.selectedItems[0])));
      scope.add(picker.onDidHide(() => resolve(undefined)));
      picker.show();
    });
  } finally {
    scope.dispose();
  }
}

/** The team, who is at work in it, and the calls in flight, each with what its own interrupt would find. */
async function targetsOf(
  team: string,
  preview: (scope?: InterruptScope) => Promise<InterruptPreview>,
): Promise<readonly Target[]> {
  const whole = await preview();
  if (!whole.isRunning) return [];
  // Of two with one name in different teams, the host stops the one that it finds first, and previews that one.
  const names = [...new Set(whole.participants.map(({ participant }) => participant))];
  const turns = await Promise.all(names.map(async (name) => turnTarget(name, await preview({ participant: name }))));
  return [
    { label: "$(organization) The whole team", name: team, description: team, detail: previewText(whole) },
    ...turns.flat(),
    ...whole.tools
      .filter(({ state }) => state === "running")
      .map((tool) => ({
        label: `$(tools) ${toolCallName(tool)}`,
        name: toolCallName(tool),
        description: "the turn goes on",
        detail: `It ${interruptBehavior(tool)}`,
        scope: { ref: tool.ref },
      })),
  ];
}

function turnTarget(name: string, preview: InterruptPreview): readonly Target[] {
  const found = preview.participants.find(({ participant }) => participant === name);
  if (!preview.isRunning || found === undefined) return [];
  const way = pathText(found.path, name);
  return [{ label: `$(person) ${way}`, name: way, detail: previewText(preview), scope: { participant: name } }];
}

async function pickMode({ name }: Target): Promise<UserInterruptOptions | undefined> {
  const picked = await window.showQuickPick(MODES, { title: `Interrupt ${name}`, placeHolder: "How?" });
  return picked?.how;
}

async function confirmed({ actions }: Services): Promise<boolean> {
  const { name, threadLength } = actions.team;
  const detail = `Its thread of ${threadLength} ${threadLength === 1 ? "message" : "messages"} is emptied. This can not be undone.`;
  return (await window.showWarningMessage(`Interrupt and reset ${name}?`, { modal: true, detail }, RESET)) === RESET;
}
