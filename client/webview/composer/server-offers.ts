import type { McpPrompt } from "../../../shared/contract/requests/mcp.ts";
import type { ServerResource } from "../../common/page-messages.ts";
import { serverOffers } from "../state/page-state.ts";

/** How many resources are listed at once. */
const MAX_LISTED = 50;

interface PromptOffer {
  /** What the user types after the slash: `mcp.server.prompt`. */
  readonly command: string;
  readonly server: string;
  readonly serverName: string;
  readonly prompt: McpPrompt;
}

interface ResourceOffer {
  readonly name: string;
  readonly about: string;
  readonly serverName: string;
  readonly resource: ServerResource;
}

/** A name of a server as a part of what is typed: without spaces. */
export const nameInCommand = (name: string): string => name.trim().replace(/[\s/#]+/g, "-");

/** The prompts of the MCP servers whose commands contain what is typed. */
export function serverPrompts(typed: string): readonly PromptOffer[] {
  const wanted = typed.toLowerCase();
  return serverOffers.value.flatMap(({ server, name, prompts }) =>
    prompts.flatMap((prompt) => {
      const command = `mcp.${nameInCommand(name)}.${nameInCommand(prompt.name)}`;
      return command.toLowerCase().includes(wanted) ? [{ command, server, serverName: name, prompt }] : [];
    }),
  );
}

/** The prompt whose command is the whole text; undefined for any other text. */
export const promptIn = (text: string): PromptOffer | undefined =>
  serverPrompts("").find(({ command }) => text.trim().toLowerCase() === `/${command.toLowerCase()}`);

/** The resources of the MCP servers whose names or URIs contain what is typed, those that need more to be entered last. */
export function serverResources(typed: string): readonly ResourceOffer[] {
  const wanted = typed.toLowerCase();
  const fits = (...texts: readonly string[]): boolean => texts.some((text) => text.toLowerCase().includes(wanted));
  const listed = serverOffers.value.flatMap(({ server, name: serverName, resources }) =>
    resources.flatMap(({ uri, name, title = name, description }): ResourceOffer[] =>
      fits(title, nameInCommand(title), uri)
        ? [{ name: title, about: description ?? uri, serverName, resource: { server, uri } }]
        : [],
    ),
  );
  const templates = serverOffers.value.flatMap(({ server, name: serverName, templates: all }) =>
    all.flatMap(({ template, name, title = name, description }): ResourceOffer[] =>
      fits(title, nameInCommand(title), template)
        ? [{ name: title, about: description ?? template, serverName, resource: { server, template } }]
        : [],
    ),
  );
  return [...listed, ...templates].slice(0, MAX_LISTED);
}
