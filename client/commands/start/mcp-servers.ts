import { type QuickPickItem, Uri, window, workspace } from "vscode";
import { McpChange, McpList, type McpServerStatus } from "../../../shared/contract/requests.ts";
import { countText } from "../../../shared/text/count-text.ts";
import { plainText } from "../../common/plain-text.ts";
import { notify } from "../../dialogs/notify.ts";
import { withCancel } from "../../dialogs/progress.ts";
import type { Command, Services } from "../command.ts";

type Action = "start" | "stop" | "log" | "forget" | "open";

const ICONS: Readonly<Record<McpServerStatus["state"], string>> = {
  running: "$(play-circle)",
  starting: "$(loading~spin)",
  stopped: "$(circle-outline)",
  failed: "$(error)",
};

/** Lists the MCP servers that teams can use, with their state; picking one offers what can be done with it. */
export const mcpServers: Command = async (services) => {
  const { servers } = await services.host.request(McpList, {});
  if (servers.length === 0) {
    const text =
      "No MCP servers are set up here. Add one to .vscode/mcp.json, to the setting gavel.mcp.servers, or to a team file.";
    void notify("info", text);
    return;
  }
  const items = servers.map((server) => ({
    server,
    label: `${ICONS[server.state]} ${plainText(server.name)}`,
    description: stateText(server),
    detail: plainText(server.problem ?? server.provider),
  }));
  const options = {
    title: "MCP Servers",
    placeHolder: "Select a server to start, stop or inspect it",
    matchOnDetail: true,
  };
  const picked = await window.showQuickPick(items, options);
  if (picked !== undefined) await act(picked.server, services);
};

function stateText({ state, tools, from }: McpServerStatus): string {
  const where = from === undefined ? "settings" : plainText(workspace.asRelativePath(Uri.parse(from)));
  return `${state === "running" ? `running, ${countText(tools.length, "tool")}` : state} · ${where}`;
}

async function act(server: McpServerStatus, { host, run, inputs }: Services): Promise<void> {
  const { id, name, state, from } = server;
  const isUp = state === "running" || state === "starting";
  const offers: readonly (QuickPickItem & { readonly action: Action })[] = [
    { action: "start", label: isUp ? "$(debug-restart) Restart" : "$(play) Start" },
    ...(isUp ? [{ action: "stop" as const, label: "$(debug-stop) Stop" }] : []),
    { action: "log", label: "$(output) Show Log" },
    ...(inputs.has(from) ? [{ action: "forget" as const, label: "$(trash) Forget Entered Values" }] : []),
    ...(from?.startsWith("file:") ? [{ action: "open" as const, label: "$(go-to-file) Open File" }] : []),
  ];
  const placeHolder = plainText(server.problem ?? server.provider);
  const picked = await window.showQuickPick(offers, { title: plainText(`MCP Server ${name}`), placeHolder });
  switch (picked?.action) {
    case "start":
    case "stop": {
      const { action } = picked;
      const title = action === "start" ? `Starting the MCP server ${name}` : `Stopping the MCP server ${name}`;
      await withCancel(title, (token) => host.request(McpChange, { id, action }, token));
      const now = (await host.request(McpList, {})).servers.find((one) => one.id === id);
      if (action === "start" && now?.state === "running")
        void notify("info", `The MCP server ${name} runs with ${countText(now.tools.length, "tool")}.`);
      return;
    }
    case "log":
      return run("gavel.showLog");
    case "forget":
      await inputs.forget(from);
      void notify("info", `Gavel asks again for what the MCP server ${name} needs.`);
      return;
    case "open":
      await window.showTextDocument(Uri.parse(from ?? "", true));
      return;
    case undefined:
      return;
  }
}
