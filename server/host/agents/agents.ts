import { A2aParticipant, type RemoteAccess, type RemoteServices } from "../../a2a/index.ts";
import { AcpParticipant, type AgentServices, type FileSnapshot, type ProgramToStart } from "../../acp/index.ts";
import type { ApprovalOutcome, CallToApprove, Participant, TeamParts } from "../../engine/index.ts";
import {
  agentCommandTool,
  agentReadTool,
  agentWriteTool,
  askUserTool,
  type ChangedFile,
  commandEnvironment,
  contentPreview,
  type EditOrigin,
  editedText,
  realPathOf,
  WorkspaceChanges,
  workFolder,
} from "../../tools/index.ts";
import type { ProgramPermissions } from "../client-services/program-permissions.ts";
import type { HostLog } from "../log/host-log.ts";
import type { TeamRecord } from "../store/records/team-records.ts";
import type { Workplace } from "../workplaces.ts";
import { checkAgents } from "./check-agents.ts";
import { SessionFiles } from "./session-files.ts";

export interface AgentsOptions {
  readonly storagePath: string | undefined;
  readonly programs: Pick<ProgramPermissions, "isAllowed">;
  /** Agents elsewhere: how they are reached, and what the user lets them be sent. */
  readonly remote: (from: string) => RemoteAccess;
  readonly user: string;
  readonly version: string;
  /** Names of further variables that programs get. */
  readonly environment: () => readonly string[];
  readonly judge: (call: CallToApprove) => Promise<ApprovalOutcome>;
  readonly changed: (origin: EditOrigin, what: string, files: readonly ChangedFile[]) => Promise<void>;
  readonly log: HostLog;
}

/** The agent programs of one team. */
export interface TeamAgents {
  readonly participant: NonNullable<TeamParts["participant"]>;
  /** Ends the programs. */
  close(): void;
}

/** The agent programs of this host's teams. */
export class Agents {
  readonly #options: AgentsOptions;
  readonly #sessions: SessionFiles;
  readonly #running = new Set<AcpParticipant>();

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#sessions = new SessionFiles(options.storagePath);
  }

  /** Those of a team, by where it works. */
  ofTeam(
    { teamId, uri, definition }: Pick<TeamRecord, "teamId" | "uri" | "definition">,
    workplace: Workplace,
  ): TeamAgents {
    const own = new Set<AcpParticipant>();
    const participant: TeamAgents["participant"] = (member, { path }): Participant | undefined => {
      if (member.kind !== "acp" && member.kind !== "a2a") return undefined;
      const place = JSON.stringify([...path, member.name]);
      const from = sourceOf({ uri, definition });
      if (member.kind === "a2a")
        return new A2aParticipant({ definition: member, services: this.#remoteServices(teamId, place, from) });
      const services = this.#servicesFor({ teamId, from, place, name: member.name, workplace });
      const agent = new AcpParticipant({ definition: member, teamId, services });
      own.add(agent);
      this.#running.add(agent);
      return agent;
    };
    const close = (): void => {
      for (const agent of own) {
        agent.close();
        this.#running.delete(agent);
      }
      own.clear();
    };
    return { participant, close };
  }

  /** Checks the agents of a team: nothing is started, and nothing is sent that the user does not allow. */
  check(team: AgentSource, { folders }: Workplace, signal: AbortSignal): ReturnType<typeof checkAgents> {
    const programs = this.#programsIn(folders);
    const remote = this.#options.remote(sourceOf(team));
    return checkAgents(team.definition.participants, { programs, remote }, signal);
  }

  /** The team is deleted, or has another definition: its sessions are not resumed. */
  forget(teamId: string): void {
    void this.#sessions.forget(teamId);
  }

  [Symbol.dispose](): void {
    for (const agent of this.#running) agent.close();
    this.#running.clear();
  }

  #remoteServices(teamId: string, place: string, from: string): RemoteServices {
    const { remote, user, log } = this.#options;
    return {
      ...remote(from),
      user,
      askUser: askUserTool(),
      session: () => this.#sessions.get(teamId, place),
      keepSession: (record) => this.#sessions.keep(teamId, place, record),
      log: (text) => log.info(text),
    };
  }

  #programsIn(folders: Workplace["folders"]): Pick<AgentServices, "folder" | "environment"> {
    return {
      folder: (cwd) => workFolder(folders, cwd),
      environment: (own) => ({ ...commandEnvironment(process.env, this.#options.environment()), ...filledIn(own) }),
    };
  }

  #servicesFor({ teamId, from, place, name, workplace: { folders, editor, guard } }: Place): AgentServices {
    const { programs, user, version, judge, changed, log } = this.#options;
    return {
      version,
      user,
      ...this.#programsIn(folders),
      mayStart: (program, signal) => programs.isAllowed(wantedProgram(program, from), signal),
      readFile: agentReadTool(folders, editor),
      writeFile: agentWriteTool(folders, editor),
      runCommand: agentCommandTool(folders, guard),
      preview: (path, content) => contentPreview(editor, path, content),
      textOf: (path) => editedText(editor, path),
      realPath: realPathOf,
      judge,
      snapshot: async (signal) => {
        const changes = await WorkspaceChanges.from(folders, signal);
        let found: readonly ChangedFile[] = [];
        const snapshot: FileSnapshot = {
          async changed(during) {
            found = [...found, ...(await changes.take(during))];
            return found.map(({ shown }) => shown);
          },
          wrote: (path) => changes.wrote(path),
          async note(ref, what) {
            const files = found;
            found = [];
            await changed({ teamId, participant: name, ref }, what, files);
          },
        };
        return snapshot;
      },
      session: () => this.#sessions.get(teamId, place),
      keepSession: (record) => this.#sessions.keep(teamId, place, record),
      log: (text) => log.info(text),
    };
  }
}

/** A team, and the URI of its file. */
type AgentSource = Pick<TeamRecord, "uri" | "definition">;

/** What asks for the agents of a team. */
const sourceOf = ({ uri, definition }: AgentSource): string => uri ?? `gavel:${encodeURIComponent(definition.name)}`;

interface Place {
  readonly teamId: string;
  readonly from: string;
  readonly place: string;
  readonly name: string;
  readonly workplace: Workplace;
}

const wantedProgram = ({ participant, command, args, cwd, env }: ProgramToStart, from: string) => ({
  use: "agent" as const,
  name: participant,
  from,
  start: { command, args, folder: cwd, environment: env },
});

/** The values of variables, with those of the host in the place of `${env:NAME}`. */
function filledIn(own: Readonly<Record<string, string>>): Record<string, string> {
  const filled = (value: string): string =>
    value.replace(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => process.env[name] ?? "");
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [name, filled(value)]));
}
