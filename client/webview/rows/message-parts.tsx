import { useState } from "preact/hooks";
import type { ContentPart } from "../../../shared/contract/message.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { imageName, imageSource } from "../state/images.ts";
import { Icon } from "../ui/icon.tsx";
import { ResourceChip } from "../ui/resource-chip.tsx";

type Image = Extract<ContentPart, { type: "image" }>;

interface Props {
  readonly parts: readonly ContentPart[];
  readonly source: string;
  /** Shows text as plain text and not as Markdown. */
  readonly plain?: boolean;
}

/** A message of text and images, in their order, and below them what else is attached. */
export function MessageParts({ parts, source, plain = false }: Props) {
  const resources = parts.flatMap((part) => (part.type === "text" ? (part.resource ?? []) : []));
  return (
    <div class="message-parts">
      {parts.map((part, index) => {
        if (part.type === "image") return <MessageImage key={index} image={part} source={source} />;
        if (part.resource !== undefined) return null;
        return plain ? <div key={index}>{part.text}</div> : <Markdown key={index} text={part.text} growing={false} />;
      })}
      {resources.length > 0 && (
        <ul class="resources" aria-label="Attached">
          {resources.map((resource, index) => (
            <li key={index}>
              <ResourceChip resource={resource} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** An image of the message itself or of the team's folders. Any other is shown by name and not fetched. */
function MessageImage({ image, source }: { readonly image: Image; readonly source: string }) {
  const [broken, setBroken] = useState(false);
  const name = imageName(image);
  const src = imageSource(image);
  if (src === undefined || broken) {
    return (
      <div
        class="image-name"
        title={broken ? "The image cannot be shown." : "The image is outside the team's folders, so it is not shown."}
      >
        <Icon name="file-media" />
        <span>{name}</span>
      </div>
    );
  }
  if (src === null) return <div class="image-placeholder" role="img" aria-label={`${name}, loading`} />;
  return <img class="message-image" src={src} alt={`${name}, from ${source}`} onError={() => setBroken(true)} />;
}
