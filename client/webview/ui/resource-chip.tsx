import type { Resource } from "../../../shared/contract/message.ts";
import { resourceLabel } from "../../../shared/contract/message-text.ts";
import type { Attachment } from "../../common/attachments.ts";
import { post } from "../state/editor-bridge.ts";
import { Icon, type IconName } from "./icon.tsx";

const icons: Readonly<Record<Attachment["kind"], IconName>> = {
  file: "file",
  selection: "list-selection",
  image: "file-media",
  problems: "warning",
  terminal: "terminal",
  resource: "mcp",
};

interface Props {
  readonly resource: Pick<Resource, "name" | "uri" | "lines"> & Pick<Attachment, "kind" | "server">;
  /** Follows the name where there is room; as the note, drawn and not text: their spoken form is in the label. */
  readonly detail?: string | undefined;
  /** Follows the name. */
  readonly note?: string;
  /** How the note is said. */
  readonly spokenNote?: string;
}

/** Something that is attached to a message, as a button that shows it. */
export function ResourceChip({ resource, detail, note, spokenNote }: Props) {
  const { kind, uri, lines, name, server } = resource;
  const label = resourceLabel(resource);
  const isFile = kind === "file" || kind === "selection" || kind === "image";
  const short = isFile ? label.slice(name.lastIndexOf("/") + 1) : label;
  const place = {
    ...(uri === undefined ? {} : { uri }),
    ...(lines === undefined ? {} : { lines }),
    ...(server === undefined ? {} : { server }),
  };
  return (
    <button
      type="button"
      class="surface-button resource-chip"
      title={detail === undefined ? label : `${label} · ${detail}`}
      aria-label={spokenNote === undefined ? label : `${label}, ${spokenNote}`}
      // A message that was sent does not say from which server its resources were.
      disabled={isFile ? uri === undefined : kind === "resource" && server === undefined}
      onClick={() => post({ type: "openResource", kind, ...place })}
    >
      <Icon name={icons[kind]} />
      <span class="resource-name">{short}</span>
      {detail !== undefined && <span class="resource-note resource-detail" data-note={detail} />}
      {note !== undefined && <span class="resource-note" data-note={note} />}
    </button>
  );
}
