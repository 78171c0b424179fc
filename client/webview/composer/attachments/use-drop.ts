import { useEffect, useState } from "preact/hooks";
import { MAX_ATTACHMENTS } from "../../../common/attachments.ts";
import { post } from "../../state/editor-bridge.ts";
import { addProblems, draftOwner, showProblem } from "../draft.ts";
import { prepareFor } from "./image-queue.ts";
import { base64Of } from "./prepare-image.ts";

/** The largest file that is read here, in bytes. Files that VS Code names by their URIs are read by the extension. */
const MAX_BYTES = 20 * 1024 * 1024;

/**
 * Attaches what is dropped on the page: files of VS Code's own views by their URIs, files from elsewhere by their content.
 * VS Code lets a webview have a drop only while Shift is held. Returns whether something is dragged over the page.
 */
export function useDrop(): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const onDragOver = (event: DragEvent): void => {
      if (event.dataTransfer === null || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (event.dataTransfer === null || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      const uris = urisOf(event.dataTransfer);
      if (uris.length > MAX_ATTACHMENTS) showProblem(`Attach at most ${MAX_ATTACHMENTS} files to a message.`);
      else if (uris.length > 0) {
        showProblem(undefined);
        post({ type: "attach", uris });
      } else attachFiles(event.dataTransfer.files);
    };
    addEventListener("dragover", onDragOver, { signal });
    addEventListener("drop", onDrop, { signal });
    addEventListener("dragleave", (event) => event.relatedTarget === null && setOver(false), { signal });
    return () => controller.abort();
  }, []);
  return over;
}

/** Attaches pasted files, such as a screenshot; pasted text stays text. */
export function onPaste(event: ClipboardEvent): void {
  const files = event.clipboardData?.files;
  if (files === undefined || files.length === 0) return;
  event.preventDefault();
  attachFiles(files);
}

const URI_LISTS = ["application/vnd.code.uri-list", "text/uri-list"];

const hasFiles = ({ types }: DataTransfer): boolean =>
  types.includes("Files") || URI_LISTS.some((type) => types.includes(type));

/** The URIs of a drag, without comments and web addresses. */
function urisOf(data: DataTransfer): readonly string[] {
  const list = URI_LISTS.map((type) => data.getData(type)).find((text) => text !== "") ?? "";
  return list.split(/\r?\n/).filter((line) => line !== "" && !/^(?:#|https?:)/i.test(line));
}

function attachFiles(files: FileList): void {
  showProblem(undefined);
  // The user may have gone to another team when a large image is ready.
  const teamId = draftOwner();
  for (const file of files) void attachFile(file, teamId);
}

async function attachFile(file: File, teamId: string | null): Promise<void> {
  const { name } = file;
  if (file.size > MAX_BYTES) return addProblems([`"${name}" is larger than 20 MB. Attach a smaller file.`]);
  const image = isImage(file) ? await prepareFor(teamId, () => file, name) : undefined;
  if (image !== undefined && "problem" in image) return addProblems([image.problem]);
  try {
    const content = image?.content ?? { name, data: await base64Of(file) };
    const size = image === undefined ? {} : { size: image.size };
    post({ type: "attach", content: { ...content, ...size } }, teamId ?? undefined);
  } catch {
    addProblems([`"${name}" cannot be read. Attach a file, not a folder.`]);
  }
}

/** SVG is text, which says more to a model than its picture. */
const isImage = ({ type }: File): boolean => type.startsWith("image/") && !type.startsWith("image/svg");
