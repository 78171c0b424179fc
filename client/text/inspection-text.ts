import type { StateInspection } from "../../shared/contract/inspection.ts";
import { firstLine } from "../../shared/contract/message-text.ts";
import type { TeamStatus } from "../../shared/contract/team.ts";
import { countText } from "../../shared/text/count-text.ts";
import { participantPath } from "../../shared/text/nested-teams.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { activities } from "./activity-text.ts";
import { waitingText } from "./delivery-text.ts";
import { interruptBehavior, toolCallName } from "./interrupt-text.ts";

const MAX_CODE_LENGTH = 200;

/**
 * A team's state as a Markdown document. Text of models and team files is in code spans, so that it is not rendered as
 * Markdown.
 */
export function inspectionText(name: string, status: TeamStatus, inspection: StateInspection): string {
  return [
    `# ${code(name)}: ${status}`,
    section("Speakers", speakers(inspection)),
    section("Model contexts", contexts(inspection)),
    section("Running tools", tools(inspection)),
    section("Pending tool calls", pending(inspection)),
    section("Waiting messages", waiting(inspection, status)),
    section("Termination conditions", conditions(inspection)),
    section("Manager notes", inspection.note === undefined ? [] : [code(inspection.note)]),
    "",
  ].join("\n\n");
}

function section(title: string, lines: readonly string[]): string {
  return `## ${title}\n\n${lines.length === 0 ? "None." : lines.map((line) => `- ${line}`).join("\n")}`;
}

function speakers({ speakers: all }: StateInspection): readonly string[] {
  return all.map(({ participant, path, activity, turns, lastLine }) => {
    const taken = countText(turns, "turn");
    const said = lastLine === undefined ? "" : `, last said ${code(lastLine)}`;
    return `**${participantPath(path, participant)}**: ${activities[activity].label}, ${taken}${said}`;
  });
}

function contexts({ contexts: all }: StateInspection): readonly string[] {
  return all.map(({ participant, path, items, tokens, dropped, firstShown, tail }) => {
    const left = dropped === 0 ? "" : `, ${countText(dropped, "item")} left out`;
    const start = firstShown === undefined ? [] : [`  - starts with ${code(firstShown)}`];
    const ends = tail.map((line) => `  - … ${code(line)}`);
    const head = `**${participantPath(path, participant)}**: ${countText(items, "item")}, about ${countText(tokens, "token")}${left}`;
    return [head, ...start, ...ends].join("\n");
  });
}

function tools({ tools: all }: StateInspection): readonly string[] {
  return all.map((tool) => `${toolCallName(tool)}: ${tool.state}. If interrupted, it ${interruptBehavior(tool)}`);
}

function pending({ pendingTools }: StateInspection): readonly string[] {
  return pendingTools.map((call) => `${toolCallName(call)} with ${code(JSON.stringify(call.input) ?? "no input")}`);
}

function waiting({ queued }: StateInspection, status: TeamStatus): readonly string[] {
  return queued.map(
    (message) => `to **${message.to}**, ${waitingText(message, status)}: ${code(message.messages.join(" · "))}`,
  );
}

function conditions({ conditions: all }: StateInspection): readonly string[] {
  return all.map(({ text, progress, fired, together, path }) => {
    const of = path === undefined ? "" : `${path.join(" › ")}: `;
    const with_ = together === true ? ", only together with the other conditions of its `all`" : "";
    return `${of}${code(text.replace(/\.$/, ""))} (${progress}${fired ? ", fired" : ""}${with_})`;
  });
}

/** One line as a code span that its text cannot end. */
function code(text: string): string {
  const line = visibleText(firstLine(text, MAX_CODE_LENGTH)).text;
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}
