import { type QuickInputButton, type QuickPickItem, ThemeIcon, window } from "vscode";
import { firstLine } from "../../shared/contract/message-text.ts";
import type { QueuedMessage } from "../../shared/contract/team.ts";
import { visibleText } from "../common/visible-text.ts";
import { Disposables } from "../disposables.ts";
import type { QueueChange } from "../team/team-actions.ts";
import { waitingText } from "../text/delivery-text.ts";
import { requireTrust } from "../trust.ts";
import type { Command, Services } from "./command.ts";
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
type ActionItem = QuickPickItem & { readonly wish: MessageAction };

/** What the user wants of a message, where a question of its own follows: asked by the button, or with Enter on the row. */
interface PickedMessage {
  readonly message: QueuedMessage;
  readonly wish?: MessageAction | undefined;
}

/** Shows the messages that wait for their time; each can be written anew, moved and withdrawn. The list stays until it is closed. */
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
    const wish = picked.wish ?? (await pickAction(picked.message, actions.team.queued));
    // An editor that has opened would lose the focus to the list.
    if (wish === "edit" && (await edit(services, picked.message)) === "opened") return;
    if (wish !== undefined && wish !== "edit") await change(services, picked.message, wish);
  }
  void window.showInformationMessage(`No message waits in ${actions.team.name}.`);
};

/** The list follows the queue. Moving and withdrawing by a button leave it open; resolves with what else is wanted. */
async function pickMessage(services: Services, active: string | undefined): Promise<PickedMessage | undefined> {
  const { session, notices } = services;
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<MessageItem>());
  picker.title = "Waiting Messages";
  picker.placeholder = "Enter shows what can be done with a message";
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  let shown: readonly QueuedMessage[] = [];
  const show = (id: string | undefined): void => {
    const queued = session.state?.queued ?? [];
    if (queued === shown) return;
    shown = queued;
    picker.items = queued.map(itemFor);
    const active = picker.items.filter(({ message }) => message.id === id);
    if (active.length > 0) picker.activeItems = active;
    if (queued.length === 0) picker.hide();
  };
  show(active);
  try {
    return await new Promise<PickedMessage | undefined>((resolve) => {
      scope.add(session.onEvents(() => show(picker.activeItems[0]?.message.id)));
      scope.add(picker.onDidAccept(() => picker.selectedItems[0] && resolve(picker.selectedItems[0])));
      scope.add(
        picker.onDidTriggerItemButton(({ item: { message }, button }) => {
          const wish = actionOf(button);
          if (wish === "edit") resolve({ message, wish });
          else if (wish !== undefined) change(services, message, wish).catch((error) => notices.report(error));
        }),
      );
      // Hidden by a queue that has run empty, too.
      scope.add(picker.onDidHide(() => resolve(undefined)));
      picker.show();
    });
  } finally {
    scope.dispose();
  }
}

/** The same as the buttons, for the keyboard. */
async function pickAction(
  message: QueuedMessage,
  queued: readonly QueuedMessage[],
): Promise<MessageAction | undefined> {
  const items = actionsFor(message, queued).map((wish): ActionItem => {
    const { iconPath, tooltip } = BUTTONS[wish];
    return { wish, label: `$(${iconPath.id}) ${tooltip}` };
  });
  const picked = await window.showQuickPick(items, {
    title: `Message to ${message.to}`,
    placeHolder: preview(message),
  });
  return picked?.wish;
}

/** Of several texts that were sent as one, the user picks the one to edit. */
async function edit(services: Services, { id, to, messages }: QueuedMessage): Promise<EditOutcome> {
  const { teamId } = services.actions.team;
  const items = messages.map((text, index) => ({ label: visibleText(firstLine(text)).text, index }));
  const [first, ...others] = items;
  const picked = others.length === 0 ? first : await window.showQuickPick(items, { title: `Message to ${to}` });
  if (picked === undefined) return "left";
  return editText(services, { kind: "waiting", teamId, id, index: picked.index }, `Message to ${to}`);
}

async function change(
  { actions }: Services,
  { id }: QueuedMessage,
  wish: Exclude<MessageAction, "edit">,
): Promise<void> {
  await actions.changeQueue(changeFor(id, wish, actions.team.queued));
}

function changeFor(id: string, wish: Exclude<MessageAction, "edit">, queued: readonly QueuedMessage[]): QueueChange {
  if (wish === "withdraw") return { withdraw: [id] };
  const order = queued.map((message) => message.id);
  const from = order.indexOf(id);
  order.splice(from, 1);
  order.splice(Math.max(0, wish === "up" ? from - 1 : from + 1), 0, id);
  return { order };
}

function actionsFor({ id }: QueuedMessage, queued: readonly QueuedMessage[]): readonly MessageAction[] {
  const isFirst = queued[0]?.id === id;
  const isLast = queued.at(-1)?.id === id;
  return ["edit", ...(isFirst ? [] : ["up" as const]), ...(isLast ? [] : ["down" as const]), "withdraw"];
}

function actionOf(button: QuickInputButton): MessageAction | undefined {
  const wishes: readonly MessageAction[] = ["edit", "up", "down", "withdraw"];
  return wishes.find((wish) => BUTTONS[wish] === button);
}

function itemFor(message: QueuedMessage, _index: number, queued: readonly QueuedMessage[]): MessageItem {
  return {
    message,
    label: `$(${message.delivery === "steer" ? "debug-step-into" : "clock"}) ${message.to}`,
    description: waitingText(message),
    detail: preview(message),
    buttons: actionsFor(message, queued).map((wish) => BUTTONS[wish]),
  };
}

function preview({ messages }: QueuedMessage): string {
  return visibleText(messages.map((text) => firstLine(text)).join(" · ")).text;
}
