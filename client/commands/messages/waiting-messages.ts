import { type QuickInputButton, type QuickPickItem, ThemeIcon, window } from "vscode";
import { firstLine } from "../../../shared/contract/message-text.ts";
import type { QueuedMessage } from "../../../shared/contract/team.ts";
import type { TeamState } from "../../../shared/state/team-state.ts";
import { threadName } from "../../../shared/text/thread-name.ts";
import { visibleText } from "../../../shared/text/visible-text.ts";
import { addresseeName } from "../../common/addressee-name.ts";
import { plainText } from "../../common/plain-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { Disposables } from "../../disposables.ts";
import type { QueueEdit } from "../../session/team-actions.ts";
import { waitingText } from "../../text/delivery-text.ts";
import { requireTrust } from "../../trust.ts";
import type { Command, Services } from "../command.ts";
import { type EditOutcome, editText } from "./edit-text.ts";

type MessageAction = "edit" | "up" | "down" | "withdraw";

const BUTTONS: Readonly<
  Record<MessageAction, QuickInputButton & { readonly iconPath: ThemeIcon; readonly tooltip: string }>
> = {
  edit: { iconPath: new ThemeIcon("edit"), tooltip: "Edit" },
  up: { iconPath: new ThemeIcon("arrow-up"), tooltip: "Move Up" },
  down: { iconPath: new ThemeIcon("arrow-down"), tooltip: "Move Down" },
  withdraw: { iconPath: new ThemeIcon("trash"), tooltip: "Withdraw" },
};

type MessageItem = QuickPickItem & { readonly message: QueuedMessage };
type ActionItem = QuickPickItem & { readonly action: MessageAction };

/** The message that the user picked; `action` is set when it was picked by a button. */
interface PickedMessage {
  readonly message: QueuedMessage;
  readonly action?: MessageAction | undefined;
}

/** Lists the messages that wait for delivery, to be edited, moved or withdrawn. The list stays open until it is closed. */
export const waitingMessages: Command = async (services) => {
  requireTrust();
  const { actions, opener } = services;
  await opener.restore();
  let active: string | undefined;
  while (actions.team.queued.length > 0) {
    const picked = await pickMessage(services, active);
    if (picked === undefined) {
      if (actions.team.queued.length > 0) return;
      break;
    }
    active = picked.message.id;
    const action = picked.action ?? (await pickAction(picked.message, actions.team.queued));
    // The list would take the focus from an editor that has just opened.
    if (action === "edit" && (await edit(services, picked.message)) === "opened") return;
    if (action !== undefined && action !== "edit") await change(services, picked.message, action);
  }
  void notify("info", `${threadName(actions.team)} has no waiting messages.`);
};

/** Shows the queue and keeps it up to date. Moving and withdrawing by a button leave the list open. */
async function pickMessage(services: Services, active: string | undefined): Promise<PickedMessage | undefined> {
  const { actions, notices } = services;
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<MessageItem>());
  picker.title = "Waiting Messages";
  picker.placeholder = "Select a message to edit, move or withdraw it";
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  let shown: Pick<TeamState, "queued" | "status"> = { queued: [], status: "idle" };
  const show = (id: string | undefined): void => {
    const { queued, status } = actions.team;
    if (queued === shown.queued && status === shown.status) return;
    shown = { queued, status };
    picker.items = queued.map((message) => itemFor(message, shown));
    const active = picker.items.filter(({ message }) => message.id === id);
    if (active.length > 0) picker.activeItems = active;
    if (queued.length === 0) picker.hide();
  };
  show(active);
  try {
    return await new Promise<PickedMessage | undefined>((resolve) => {
      const shownId = (): string | undefined => picker.activeItems[0]?.message.id;
      if (actions.session !== undefined) scope.add(actions.session.onEvents(() => show(shownId())));
      scope.add(picker.onDidAccept(() => picker.selectedItems[0] && resolve(picker.selectedItems[0])));
      scope.add(
        picker.onDidTriggerItemButton(({ item: { message }, button }) => {
          const action = actionOf(button);
          if (action === "edit") resolve({ message, action });
          else if (action !== undefined) change(services, message, action).catch((error) => notices.report(error));
        }),
      );
      // Also hidden when the queue becomes empty.
      scope.add(picker.onDidHide(() => resolve(undefined)));
      picker.show();
    });
  } finally {
    scope.dispose();
  }
}

/** The buttons' actions, for the keyboard. */
async function pickAction(
  message: QueuedMessage,
  queued: readonly QueuedMessage[],
): Promise<MessageAction | undefined> {
  const items = actionsFor(message, queued).map((action): ActionItem => {
    const { iconPath, tooltip } = BUTTONS[action];
    return { action, label: `$(${iconPath.id}) ${tooltip}` };
  });
  const picked = await window.showQuickPick(items, {
    title: `Message to ${addresseeName(message.to)}`,
    placeHolder: preview(message),
  });
  return picked?.action;
}

/** If several texts were sent together, asks which one to edit. */
async function edit(services: Services, { id, to, messages }: QueuedMessage): Promise<EditOutcome> {
  const { teamId } = services.actions.team;
  const items = messages.map((text, index) => ({ label: plainText(visibleText(firstLine(text)).text), index }));
  const [first, ...others] = items;
  const picked =
    others.length === 0 ? first : await window.showQuickPick(items, { title: `Message to ${addresseeName(to)}` });
  if (picked === undefined) return "cancelled";
  return editText(services, { kind: "waiting", teamId, id, index: picked.index }, `Message to ${addresseeName(to)}`);
}

async function change(
  { actions }: Services,
  { id }: QueuedMessage,
  action: Exclude<MessageAction, "edit">,
): Promise<void> {
  await actions.changeQueue(changeFor(id, action, actions.team.queued));
}

function changeFor(id: string, action: Exclude<MessageAction, "edit">, queued: readonly QueuedMessage[]): QueueEdit {
  if (action === "withdraw") return { withdraw: [id] };
  const order = queued.map((message) => message.id);
  const from = order.indexOf(id);
  order.splice(from, 1);
  order.splice(Math.max(0, action === "up" ? from - 1 : from + 1), 0, id);
  return { order };
}

function actionsFor({ id }: QueuedMessage, queued: readonly QueuedMessage[]): readonly MessageAction[] {
  const isFirst = queued[0]?.id === id;
  const isLast = queued.at(-1)?.id === id;
  return ["edit", ...(isFirst ? [] : ["up" as const]), ...(isLast ? [] : ["down" as const]), "withdraw"];
}

function actionOf(button: QuickInputButton): MessageAction | undefined {
  const actions: readonly MessageAction[] = ["edit", "up", "down", "withdraw"];
  return actions.find((action) => BUTTONS[action] === button);
}

function itemFor(message: QueuedMessage, { queued, status }: Pick<TeamState, "queued" | "status">): MessageItem {
  return {
    message,
    label: `$(${message.delivery === "steer" ? "debug-step-into" : "clock"}) ${plainText(addresseeName(message.to))}`,
    description: plainText(waitingText(message, status)),
    detail: plainText(preview(message)),
    buttons: actionsFor(message, queued).map((action) => BUTTONS[action]),
  };
}

function preview({ messages }: QueuedMessage): string {
  return visibleText(messages.map((text) => firstLine(text)).join(" · ")).text;
}
