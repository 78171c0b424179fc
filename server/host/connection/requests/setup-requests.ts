import type * as z from "zod";
import type { TeamDefinition } from "../../../../shared/contract/definition.ts";
import { AgentsCheck, DraftPart, ModelsCheck, SandboxCheck, TeamDraft } from "../../../../shared/contract/setup.ts";
import { usesModel } from "../../../../shared/state/model-choice.ts";
import type { Host } from "../../host.ts";
import { checkModel } from "../../setup/check-model.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about setting teams up: drafting one, and checking its models, its agents and the sandbox. */
export function bindSetupRequests(options: BindOptions, host: () => Host): void {
  bindRequest(
    options,
    TeamDraft,
    async ({ task, model, draftId }, signal) => {
      const context = await host().definitions.context();
      const [{ draftTeam }, { parseTeamFile }] = await Promise.all([
        import("../../setup/draft-team.ts"),
        import("../../team-file/parse-team-file.ts"),
      ]);
      const check = (text: string) => {
        // The model that drafts it is the user's, or the client writes it into the file.
        const content = parseTeamFile(text, { ...context, hasDefaultModel: true });
        return content.ok ? [] : content.problems;
      };
      const written = (attempt: number, delta: string): void => {
        if (draftId !== undefined && !signal.aborted)
          options.client().notify(DraftPart.method, { draftId, attempt, delta });
      };
      const { text, problems } = await draftTeam(host().modelOf(model), task, check, written, signal);
      return { text, problems: [...problems] };
    },
    "stopRun",
  );
  bindRequest(
    options,
    ModelsCheck,
    async ({ teamId }, signal) => {
      const session = teamId === undefined ? undefined : await host().sessions.get(teamId);
      const models = Object.entries(session?.definition.models ?? {});
      const asked = [
        ...models.map(([key, definition]) => ({ key, model: host().modelOf(definition) })),
        ...(session === undefined || needsDefault(session.definition) ? [{ model: host().modelOf() }] : []),
      ];
      const checks = asked.map(async ({ model, ...key }) => {
        const failure = await checkModel(model, host().consent, signal);
        return { ...key, label: model.label, ...(failure === undefined ? {} : { failure }) };
      });
      return { models: await Promise.all(checks) };
    },
    "stopRun",
  );
  bindRequest(
    options,
    AgentsCheck,
    async (asked, signal) => ({ agents: await host().checkAgents(asked, signal) }),
    "stopRun",
  );
  bindRequest(options, SandboxCheck, async (): Promise<z.input<typeof SandboxCheck.result>> => {
    const state = await host().sandbox();
    if (state === "off") return { state };
    if (state.available) return { state: "on", mechanism: state.mechanism };
    const { reason, install } = state;
    return { state: "unavailable", reason, ...(install === undefined ? {} : { install }) };
  });
}

/** A team without models of its own uses the default one, unless it is of agents that have their own. */
const needsDefault = ({ kind, participants, models = {} }: TeamDefinition): boolean =>
  Object.keys(models).length === 0 &&
  (kind === "selector" ||
    kind === "magentic" ||
    participants.some(({ team, ...one }) => usesModel(one) || (team !== undefined && needsDefault(team))));
