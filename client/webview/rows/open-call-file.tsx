import { isRecord } from "../../../shared/json-record.ts";
import { fileReference } from "../../common/files/file-reference.ts";
import { fileTarget } from "../state/file-targets.ts";
import { fileTargetText } from "../text/file-target-text.ts";
import { Icon } from "../ui/icon.tsx";

/** Opens the file that a call names; nothing where there is no such file in the workspace. */
export function OpenCallFile({ input }: { readonly input: unknown }) {
  const text = fileOfCall(input);
  const reference = text === undefined ? undefined : fileReference(text);
  const target = reference === undefined ? undefined : fileTarget(reference.path);
  if (reference === undefined || target?.kind !== "file") return null;
  const label = `Open ${fileTargetText(reference, target)}`;
  return (
    <button type="button" class="icon-button open-call-file" title={label} aria-label={label} data-file={text}>
      <Icon name="go-to-file" />
    </button>
  );
}

/** The file that a call reads or writes, with the lines that it reads. */
function fileOfCall(input: unknown): string | undefined {
  if (!isRecord(input) || typeof input["path"] !== "string") return undefined;
  const { path, from, to } = input;
  if (typeof from !== "number") return path;
  return `${path}:${from}${typeof to === "number" ? `-${to}` : ""}`;
}
