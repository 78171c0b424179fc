import type { TeamDefinition } from "../../../shared/contract/definition.ts";
import { ModelsCheck, TeamDraft } from "../../../shared/contract/setup.ts";
import type { Host } from "../host.ts";
import { checkModel } from "../setup/check-model.ts";
import { draftTeam } from "../setup/draft-team.ts";
import { parseTeamFile } from "../team-file/parse-team-file.ts";
import { type BindOptions, bindRequest } from "./bind.ts";

/** The requests about setting teams up: drafting one, and checking its models. */
export function bindSetupRequests(options: BindOptions, host: () => Host): void {
  bindRequest(
    options,
    TeamDraft,
    async ({ task }, signal) => {
      const context = await host().definitionContext();
      const check = (text: string) => {
        // The model that drafts it is the default one.
        const content = parseTeamFile(text, { ...context, hasDefaultModel: true });
        return content.ok ? [] : content.problems;
      };
      const { text, problems } = await draftTeam(host().modelOf(), task, check, signal);
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
        const failure = await checkModel(model, signal);
        return { ...key, label: model.label, ...(failure === undefined ? {} : { failure }) };
      });
      return { models: await Promise.all(checks) };
    },
    "stopRun",
  );
}

/** A team without models of its own uses the default one. */
const needsDefault = ({ models = {} }: TeamDefinition): boolean => Object.keys(models).length === 0;
