import {
  type QuickInputButton,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  ThemeIcon,
  window,
} from "vscode";
import { TeamPreviewMessage } from "../../../shared/contract/requests.ts";
import { addresseeName } from "../../common/addressee-name.ts";
import type { Delivery } from "../../common/page-messages.ts";
import { plainText } from "../../common/plain-text.ts";
import { whileRunning } from "../../context/composer-settings.ts";
import { Disposables } from "../../disposables.ts";
import type { UserMessageOptions } from "../../session/team-actions.ts";
import { deliveryDetail, deliveryLabel } from "../../text/delivery-text.ts";
import type { Services } from "../command.ts";

const DELIVERIES: readonly Delivery[] = ["now", "steer", "queue"];
const ICONS: Readonly<Record<Delivery, string>> = { now: "debug-pause", steer: "debug-step-into", queue: "clock" };

type Visibility = NonNullable<UserMessageOptions["visibility"]>;
/** A way to deliver the message; without `delivery`, the row that changes who sees it. */
type DeliveryItem = QuickPickItem & { readonly delivery?: Delivery };

/**
 * Asks when to deliver a message while the team runs or waits and, of one to a participant, who sees it. What Enter does in
 * the composer is preselected.
 * @param to the participant; undefined for the whole team.
 * @returns undefined when the list was closed.
 */
export async function pickDelivery(
  services: Services,
  to: string | undefined,
): Promise<UserMessageOptions | undefined> {
  const scope = new Disposables();
  const picker = scope.add(window.createQuickPick<DeliveryItem>());
  picker.title = `Message ${addresseeName(to)}`;
  picker.placeholder = `Select when to deliver the message to ${addresseeName(to)}`;
  picker.matchOnDetail = true;
  picker.ignoreFocusOut = true;
  let visibility: Visibility = "all";
  const show = async (wanted: Visibility, active: Delivery | undefined): Promise<void> => {
    visibility = wanted;
    const items = await itemsFor(services, to, wanted);
    if (visibility === wanted) showItems(picker, items, active, to === undefined ? [] : [visibilityButton(to, wanted)]);
  };
  try {
    await show(visibility, whileRunning());
    const delivery = await new Promise<Delivery | undefined>((resolve, reject) => {
      const toggle = (): void => {
        show(visibility === "all" ? "target" : "all", picker.activeItems[0]?.delivery).catch(reject);
      };
      scope.add(picker.onDidTriggerButton(toggle));
      scope.add(
        picker.onDidAccept(() => {
          const [item] = picker.selectedItems;
          if (item?.delivery === undefined) toggle();
          else resolve(item.delivery);
        }),
      );
      scope.add(picker.onDidHide(() => resolve(undefined)));
      picker.show();
    });
    if (delivery === undefined) return undefined;
    return { delivery, ...(to === undefined ? {} : { visibility }) };
  } finally {
    scope.dispose();
  }
}

/** The deliveries, each with what it would do now, and a row that does what the button does, for the keyboard. */
async function itemsFor(
  { host, actions }: Services,
  to: string | undefined,
  visibility: Visibility,
): Promise<readonly DeliveryItem[]> {
  const { teamId } = actions.team;
  const deliveries = await Promise.all(
    DELIVERIES.map(async (delivery) => {
      const whose = to === undefined ? {} : { to, visibility };
      const preview = await host.request(TeamPreviewMessage, { teamId, delivery, ...whose });
      return {
        delivery,
        label: `$(${ICONS[delivery]}) ${plainText(deliveryLabel(delivery, to, preview))}`,
        detail: plainText(deliveryDetail(preview)),
      };
    }),
  );
  if (to === undefined) return deliveries;
  const { iconPath, tooltip } = visibilityButton(to, visibility);
  return [
    ...deliveries,
    { label: "", kind: QuickPickItemKind.Separator },
    { label: `$(${iconPath.id}) ${plainText(tooltip)}`, alwaysShow: true },
  ];
}

function showItems(
  picker: QuickPick<DeliveryItem>,
  items: readonly DeliveryItem[],
  active: Delivery | undefined,
  buttons: readonly QuickInputButton[],
): void {
  picker.buttons = buttons;
  picker.items = items;
  picker.activeItems = items.filter(({ delivery, kind }) => kind === undefined && delivery === active);
}

/** The button that changes who sees the message; its icon shows who sees it now. */
function visibilityButton(to: string, visibility: Visibility) {
  return visibility === "all"
    ? { iconPath: new ThemeIcon("eye"), tooltip: `Show Only to ${to}` }
    : { iconPath: new ThemeIcon("eye-closed"), tooltip: "Show to All Participants" };
}
