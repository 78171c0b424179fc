import { type QuickPickItem, QuickPickItemKind, window } from "vscode";
import type { InterruptPreview } from "../../../shared/contract/inspection.ts";
import { TeamPreviewInterrupt } from "../../../shared/contract/requests.ts";
import type { PlacedParticipant } from "../../../shared/contract/stopped.ts";
import type { InterruptScope } from "../../../shared/contract/team.ts";
import { participantPath } from "../../../shared/text/nested-teams.ts";
import { plainText } from "../../common/plain-text.ts";
import { askModal } from "../../dialogs/ask-modal.ts";
import { notify } from "../../dialogs/notify.ts";
import { Disposables } from "../../disposables.ts";
import type { UserInterruptOptions } from "../../session/team-actions.ts";
import { interruptBehavior, previewText, toolCallName } from "../../text/interrupt-text.ts";
import type { Command, Services } from "../command.ts";
import { resetText } from "../threads/reset-team.ts";
import { showSideEffects } from "./interrupt.ts";

const INTERRUPT = "Interrupt Only";
const RESET = "Interrupt and Reset";

/** What can be interrupted. A tool call has only one mode; everything else has several. */
type Target = QuickPickItem & { readonly scope?: InterruptScope | undefined; readonly name: string };
type InterruptMode = QuickPickItem & { readonly how?: UserInterruptOptions };

const MODES: readonly InterruptMode[] = [
  {
    label: "$(debug-pause) Pause now",
    detail: "Stops at once and keeps the partial message; the run can continue",
    how: { severity: "pause", grace: "now" },
  },
  {
    label: "$(comment-discussion) Pause after this thought",
    detail: "Finishes the current model step, but runs no tool that it requests",
    how: { severity: "pause", grace: "thought" },
  },
  {
    label: "$(debug-step-over) Pause after this turn",
    detail: "Finishes the current turn",
    how: { severity: "pause", grace: "turn" },
  },
  { label: "", kind: QuickPickItemKind.Separator },
  {
    label: "$(debug-stop) Stop",
    detail: "Stops at once and ends the run; the thread is kept for the next run",
    how: { severity: "stop", grace: "now" },
  },
  {
    label: "$(discard) Reset…",
    detail: "Stops at once; the team forgets its whole thread",
    how: { severity: "reset", grace: "now" },
  },
];

/** Lets the user pick what to interrupt, and how. */
export const interruptWith: Command = async (services) => {
  await services.opener.restore();
  const target = await pickTarget(services);
  if (target === undefined) return;
  const { scope } = target;
  const how = scope !== undefined && "ref" in scope ? {} : await pickMode(target);
  const confirmed = how?.severity === "reset" ? await askBeforeReset(services, how) : how;
  if (confirmed === undefined) return;
  const receipt = await services.actions.interrupt({ ...confirmed, scope });
  if (!receipt.wasRunning && receipt.cancelledTools === undefined) {
    void notify("info", `${target.name} had already finished, so nothing was interrupted.`);
  }
  showSideEffects(receipt);
};

/** Lists what is running; the list is updated while it is open. */
async function pickTarget({ actions, host }: Services): Promise<Target | undefined> {
  const { teamId, name } = actions.team;
  const preview = (scope?: InterruptScope): Promise<InterruptPreview> =>
    host.request(TeamPreviewInterrupt, { teamId, ...(scope === undefined ? {} : { scope }) });
  const targets = await targetsOf(name, preview);
  if (targets.length === 0) throw new Error(`${name} is not running, so there is nothing to interrupt.`);
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<Target>());
  picker.title = "Interrupt";
  picker.placeholder = "Select what to interrupt";
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
        if (items.length === 0) picker.placeholder = `${name} is no longer running.`;
      };
      const updated = actions.session?.onEvents(
        (events) => events.some((event) => "seq" in event) && refresh().catch(reject),
      );
      if (updated !== undefined) scope.add(updated);
      // Nothing is selected if the active row has just been removed: the user picks again.
      scope.add(picker.onDidAccept(() => picker.selectedItems[0] && resolve(picker.selectedItems[0])));
      scope.add(picker.onDidHide(() => resolve(undefined)));
      picker.show();
    });
  } finally {
    scope.dispose();
  }
}

/** The team, its running participants and its running tool calls, each with what its interrupt would stop. */
async function targetsOf(
  team: string,
  preview: (scope?: InterruptScope) => Promise<InterruptPreview>,
): Promise<readonly Target[]> {
  const whole = await preview();
  const { waitingTools = [] } = whole;
  if (!whole.isRunning && waitingTools.length === 0) return [];
  const turns = await Promise.all(
    whole.participants.map(async ({ participant, path }) => {
      const scope = { participant, ...(path === undefined ? {} : { path }) };
      return turnTarget(scope, await preview(scope));
    }),
  );
  return [
    {
      label: "$(organization) Whole team",
      name: team,
      description: plainText(team),
      detail: plainText(previewText(whole)),
    },
    ...turns.flat(),
    ...whole.tools
      .filter(({ state }) => state === "running")
      .map((tool) => ({
        label: `$(tools) ${plainText(toolCallName(tool))}`,
        name: toolCallName(tool),
        description: "the turn continues",
        detail: plainText(`It ${interruptBehavior(tool)}`),
        scope: { ref: tool.ref },
      })),
    ...waitingTools.map((tool) => ({
      label: `$(shield) ${plainText(toolCallName(tool))}`,
      name: toolCallName(tool),
      description: "waits for you",
      detail: "It is cancelled, and its participant is told so",
      scope: { ref: tool.ref },
    })),
  ];
}

function turnTarget(scope: PlacedParticipant, preview: InterruptPreview): readonly Target[] {
  // It may have ended since.
  if (!preview.isRunning) return [];
  const shown = participantPath(scope.path, scope.participant);
  return [
    {
      label: `$(person) ${plainText(shown)}`,
      name: shown,
      detail: plainText(previewText(preview)),
      scope,
    },
  ];
}

/** A reset is offered for the whole team only. */
async function pickMode({ name, scope }: Target): Promise<UserInterruptOptions | undefined> {
  const modes = scope === undefined ? MODES : MODES.filter(({ how }) => how?.severity !== "reset");
  const picked = await window.showQuickPick(modes, {
    title: `Interrupt ${name}`,
    placeHolder: "Select how to interrupt",
  });
  return picked?.how;
}

/** Asks whether to reset, or only to interrupt, which keeps the thread; undefined when the user cancels. */
async function askBeforeReset(
  { actions }: Services,
  how: UserInterruptOptions,
): Promise<UserInterruptOptions | undefined> {
  const question = `Interrupt and reset ${actions.team.name}?`;
  const choice = await askModal(question, resetText(actions), INTERRUPT, RESET);
  if (choice === INTERRUPT) return { severity: "pause", grace: "now" };
  return choice === RESET ? how : undefined;
}
