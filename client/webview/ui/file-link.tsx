import { fileReference } from "../../common/files/file-reference.ts";
import { fileTarget } from "../state/file-targets.ts";
import { fileTargetText } from "../text/file-target-text.ts";

/** A link to a file of the workspace that a text names; the text itself where there is no such file. */
export function FileLink({ text }: { readonly text: string }) {
  const reference = fileReference(text);
  const target = reference === undefined ? undefined : fileTarget(reference.path);
  if (reference === undefined || target?.kind !== "file") return <>{text}</>;
  return (
    // biome-ignore lint/a11y/useValidAnchor: the list opens it (see `message-links.ts`), as it does links of Markdown
    <a class="link file-link" role="link" tabIndex={0} data-file={text} title={fileTargetText(reference, target)}>
      {text}
    </a>
  );
}
