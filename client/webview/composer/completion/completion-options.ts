import { type ContextSource, contextSources } from "../../../common/page-messages.ts";
import { hasPartial } from "../../../common/partial-messages.ts";
import { offeredCommands, slashCommands } from "../../../common/slash-commands.ts";
import { post } from "../../state/editor-bridge.ts";
import { matchingFiles, team } from "../../state/page-state.ts";
import type { IconName } from "../../ui/icon.tsx";
import { addressee } from "../addressee-avatar.tsx";
import { requestAttachment } from "../attachments/attached.ts";
import { agentNames } from "../composer-state.ts";
import { draft, setDraft } from "../draft.ts";
import { completeMention, mentionSuggestions } from "../mentions.ts";
import { nameInCommand, serverPrompts, serverResources } from "../server-offers.ts";
import type { CompletionOption } from "./completion-list.tsx";
import { replaced, type Trigger } from "./triggers.ts";

export const listLabels: Readonly<Record<Trigger["kind"], string>> = {
  mention: "Participants",
  context: "Context",
  command: "Commands",
};

const sources: Readonly<
  Record<ContextSource, { readonly icon: IconName; readonly name: string; readonly detail: string }>
> = {
  selection: { icon: "list-selection", name: "the selection", detail: "What is selected in the active editor" },
  problems: { icon: "warning", name: "the problems", detail: "What the Problems view lists" },
  terminal: { icon: "terminal", name: "the terminal output", detail: "The last command and its output" },
};

/** What completes a trigger now. `moveCaret` is called with where the caret is after a choice. */
export function optionsFor(trigger: Trigger, moveCaret: (caret: number) => void): readonly CompletionOption[] {
  switch (trigger.kind) {
    case "mention":
      return mentionSuggestions(trigger.typed, agentNames.value).map((name) => ({
        key: name,
        avatar: name,
        label: name,
        ...detailOf(addressee(name).info?.description),
        choose: () => setDraft(completeMention(draft.value, trigger, name)),
      }));
    case "command":
      return [...commandOptions(trigger.typed), ...promptOptions(trigger.typed)];
    case "context":
      return [
        ...sourceOptions(trigger, moveCaret),
        ...fileOptions(trigger, moveCaret),
        ...resourceOptions(trigger, moveCaret),
      ];
  }
}

const detailOf = (detail: string | undefined) => (detail === undefined ? {} : { detail });

function commandOptions(typed: string): readonly CompletionOption[] {
  const now = team.value;
  if (now === null) return [];
  const { status, threadLength, pendingTools, queued, stopRequested } = now;
  const context = {
    status,
    hasThread: threadLength > 0,
    hasPendingTools: pendingTools.length > 0,
    isStopping: stopRequested === true,
    hasQueued: queued.length > 0,
    hasPartial: hasPartial(now),
  };
  return offeredCommands(typed, context).map((name) => ({
    key: name,
    label: `/${name}`,
    detail: slashCommands[name].description,
    choose: () => {
      setDraft("");
      post({ type: "slashCommand", name });
    },
  }));
}

function sourceOptions(trigger: Trigger, moveCaret: (caret: number) => void): readonly CompletionOption[] {
  const wanted = trigger.typed.toLowerCase();
  return contextSources
    .filter((source) => source.startsWith(wanted))
    .map((source) => ({
      key: `#${source}`,
      icon: sources[source].icon,
      label: source,
      detail: sources[source].detail,
      choose: () => {
        complete(trigger, `#${source}`, moveCaret);
        requestAttachment({ source }, sources[source].name);
      },
    }));
}

function fileOptions(trigger: Trigger, moveCaret: (caret: number) => void): readonly CompletionOption[] {
  const { query, files } = matchingFiles.value;
  const wanted = trigger.typed.toLowerCase();
  // Until the answer is there, those of the last answer that also match.
  const matching = query === trigger.typed ? files : files.filter(({ path }) => path.toLowerCase().includes(wanted));
  return matching.map(({ uri, path, secret }) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const folder = path.slice(0, -name.length - 1);
    const details = [folder, secret === undefined ? "" : "may hold secrets"].filter((part) => part !== "");
    return {
      key: uri,
      icon: secret === undefined ? "file" : "lock",
      label: name,
      detail: details.join(" · "),
      choose: () => {
        complete(trigger, `#${name}`, moveCaret);
        requestAttachment({ uris: [uri] }, name);
      },
    };
  });
}

function promptOptions(typed: string): readonly CompletionOption[] {
  return serverPrompts(typed).map(({ server, serverName, prompt }) => ({
    key: `${server} ${prompt.name}`,
    icon: "mcp",
    // Without the server's name in front: where there is little room, that would be all that is seen.
    label: `/${nameInCommand(prompt.name)}`,
    detail: [prompt.title ?? prompt.description ?? "", serverName].filter((part) => part !== "").join(" · "),
    choose: () => {
      setDraft("");
      post({ type: "usePrompt", server, prompt: prompt.name });
    },
  }));
}

function resourceOptions(trigger: Trigger, moveCaret: (caret: number) => void): readonly CompletionOption[] {
  return serverResources(trigger.typed).map(({ name, about, serverName, resource }) => ({
    key: `${resource.server} ${resource.uri ?? resource.template}`,
    icon: "mcp",
    label: resource.template === undefined ? name : `${name}…`,
    detail: [about, serverName].filter((part) => part !== "").join(" · "),
    choose: () => {
      complete(trigger, `#${nameInCommand(name)}`, moveCaret);
      requestAttachment({ resource }, name);
    },
  }));
}

function complete(trigger: Trigger, by: string, moveCaret: (caret: number) => void): void {
  const { text, caret } = replaced(draft.value, trigger, by);
  setDraft(text);
  moveCaret(caret);
}
