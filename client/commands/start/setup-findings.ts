import { type CancellationToken, commands, workspace } from "vscode";
import type { ResultOf } from "../../../shared/contract/message-type.ts";
import { AgentsCheck, ModelsCheck, SandboxCheck } from "../../../shared/contract/setup.ts";
import { emptyServerHint, offerInTerminal } from "../../models/empty-server.ts";
import { localServers } from "../../models/local-models.ts";
import { hasDefaultModel } from "../../start/default-model.ts";
import type { Services } from "../command.ts";
import { chooseDefaultModel } from "../models/select-model.ts";
import { agentFinding } from "./agent-finding.ts";
import type { Finding, SetupFix } from "./finding.ts";
import { type ModelFix, modelFinding, noDefaultModel } from "./model-finding.ts";

/** Checks what a run needs: trust, the host, its storage, the sandbox, and the models and agents of the open team. */
export async function setupFindings(services: Services, token: CancellationToken): Promise<readonly Finding[]> {
  const { host } = services;
  const trust = trustFinding();
  await host.ensureStarted();
  if (host.state !== "ready") return [trust, hostDown];
  const running: Finding = { what: "Agent host", text: "The host is running.", state: "works" };
  const [sandbox, models, agents] = await Promise.all([
    host.request(SandboxCheck, {}, token).then(sandboxFinding),
    // No model and no agent is called in Restricted Mode.
    workspace.isTrusted ? modelFindings(services, token) : [],
    workspace.isTrusted ? agentFindings(services, token) : [],
  ]);
  return [trust, running, storageFinding(services), sandbox, ...models, ...agents];
}

const showLog: SetupFix = { label: "Show Log", run: (run) => run("gavel.showLog") };

const hostDown: Finding = {
  what: "Agent host",
  text: "The host is not running. Restart it, or see the log.",
  state: "wrong",
  fix: { label: "Restart Host", run: (run) => run("gavel.restartHost"), checkAgain: true },
};

function trustFinding(): Finding {
  const what = "Workspace trust";
  if (workspace.isTrusted) return { what, text: "Teams may run here.", state: "works" };
  return {
    what,
    text: "Teams do not run in Restricted Mode. Trust the workspace to run them.",
    state: "wrong",
    fix: { label: "Manage Workspace Trust", run: () => commands.executeCommand("workbench.trust.manage") },
  };
}

function storageFinding({ host: { storage } }: Services): Finding {
  const what = "Storage";
  if (storage.state === "saving") return { what, text: "Threads are saved.", state: "works" };
  const text = "Threads cannot be saved. Check that the disk has space and that you may write to it.";
  return { what, text, state: "wrong", fix: showLog };
}

function sandboxFinding(found: ResultOf<typeof SandboxCheck>): Finding {
  const what = "Sandbox";
  switch (found.state) {
    case "on": {
      const text = `Commands run in a sandbox (${found.mechanism}) and change only the workspace.`;
      return { what, text, state: "works" };
    }
    case "off":
      return {
        what,
        text: "The setting is off: commands that you allow can change every file that you can.",
        state: "note",
        fix: { label: "Open Settings", run: openSettings("gavel.sandbox.enabled") },
      };
    case "unavailable": {
      const { reason, install } = found;
      const text = `Commands run without a sandbox: ${reason}.`;
      if (install === undefined) return { what, text, state: "note" };
      return { what, text, state: "note", fix: { label: "Install in Terminal", run: () => offerInTerminal(install) } };
    }
    default:
      return found satisfies never;
  }
}

async function modelFindings(services: Services, token: CancellationToken): Promise<readonly Finding[]> {
  const { host, teams } = services;
  const team = teams.active?.state;
  const [hasDefault, servers, { models }] = await Promise.all([
    hasDefaultModel(),
    localServers(),
    host.request(ModelsCheck, team === undefined ? {} : { teamId: team.teamId }, token),
  ]);
  const hinted = servers.map((server) => ({ ...server, hint: emptyServerHint(server) }));
  const around = { hasFile: team?.uri !== undefined, hasDefault, servers: hinted };
  const found = models.map((model): Finding => {
    const { what, text, fix } = modelFinding(model, around);
    return fix === undefined
      ? { what, text, state: "works" }
      : { what, text, state: "wrong", fix: fixBy(fix, team?.uri, services) };
  });
  if (hasDefault || models.some(({ key }) => key === undefined)) return found;
  // The open team has models of its own; others may need the default one.
  const { what, text, fix } = noDefaultModel(around);
  return [...found, { what, text, state: "note", fix: fixBy(fix, undefined, services) }];
}

async function agentFindings({ host, teams }: Services, token: CancellationToken): Promise<readonly Finding[]> {
  const team = teams.active?.state;
  if (team === undefined) return [];
  const { agents } = await host.request(AgentsCheck, { teamId: team.teamId }, token);
  return agents.map((agent) => agentFinding(agent, team.uri));
}

function fixBy(fix: ModelFix, teamFile: string | undefined, services: Services): SetupFix {
  switch (fix.kind) {
    case "setApiKey":
      return { label: "Set API Key", run: (run) => run("gavel.setApiKey", fix.secret), checkAgain: true };
    case "selectModel":
      return { label: "Select Model…", run: () => chooseDefaultModel(services), checkAgain: true };
    case "editTeamFile":
      return { label: "Edit Team File", run: (run) => run("gavel.editTeamFile", teamFile) };
    case "proxySettings":
      return { label: "Open Settings", run: openSettings("http.proxy") };
    case "terminal":
      return { label: "Open Terminal", run: () => offerInTerminal(fix.command) };
    default:
      return fix satisfies never;
  }
}

const openSettings = (setting: string) => () => commands.executeCommand("workbench.action.openSettings", setting);
