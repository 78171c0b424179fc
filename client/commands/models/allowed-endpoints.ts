import { window } from "vscode";
import { EndpointsForget } from "../../../shared/contract/requests.ts";
import { listText } from "../../../shared/text/list-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { notify } from "../../dialogs/notify.ts";
import type { Command } from "../command.ts";

/** Lists the endpoints that the user has allowed. Picking one takes the permission back. */
export const allowedEndpoints: Command = async ({ credentials, host }) => {
  const allowed = Object.entries(credentials.endpoints);
  if (allowed.length === 0) {
    void notify("info", "No endpoints are allowed. Gavel asks before it sends messages to one.");
    return;
  }
  const items = allowed.map(([origin, keys]) => ({
    origin,
    label: plainText(origin),
    description: keys.length === 0 ? "messages" : `messages, key ${plainText(listText(keys))}`,
  }));
  const picked = await window.showQuickPick(items, {
    title: "Allowed Endpoints",
    placeHolder: "Select the endpoint to which nothing may be sent any more",
  });
  if (picked === undefined) return;
  const { origin } = picked;
  await credentials.forgetEndpoint(origin);
  if (host.state === "ready") await host.request(EndpointsForget, { origin });
  void notify("info", `Gavel asks again before it sends anything to ${origin}.`);
};
