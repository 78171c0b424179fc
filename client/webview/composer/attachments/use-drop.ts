import { useEffect, useState } from "preact/hooks";
import { MAX_ATTACHMENTS } from "../../../common/attachments.ts";
import { draftOwner, showProblem } from "../draft.ts";
import { refuse, requestAttachment, requestContent } from "./attached.ts";
import { prepareInTurn } from "./image-queue.ts";
import { isPending, nextPlace, startPending } from "./pending.ts";
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
        requestAttachment({ uris }, nameOfUri(uris[0]));
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
  const kept = [...files].slice(0, MAX_ATTACHMENTS);
  if (kept.length < files.length) showProblem(`Attach at most ${MAX_ATTACHMENTS} files to a message.`);
  for (const file of kept) {
    const place = nextPlace();
    startPending({ place, teamId, name: file.name, count: 1 });
    void attachFile(file, teamId, place);
  }
}

async function attachFile(file: File, teamId: string | null, place: number): Promise<void> {
  const { name } = file;
  if (file.size > MAX_BYTES) return refuse(place, `"${name}" is larger than 20 MB. Attach a smaller file.`);
  const image = isImage(file)
    ? await prepareInTurn(
        () => file,
        name,
        () => isPending(place),
      )
    : undefined;
  if (image !== undefined && "problem" in image) return refuse(place, image.problem);
  try {
    const content = image?.content ?? { name, data: await base64Of(file) };
    const size = image === undefined ? {} : { size: image.size };
    requestContent({ ...content, ...size }, place, teamId);
  } catch {
    refuse(place, `"${name}" cannot be read. Attach a file, not a folder.`);
  }
}

/** What a URI names, for a person. */
function nameOfUri(uri = ""): string {
  const name = uri.slice(uri.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** SVG is text, which says more to a model than its picture. */
const isImage = ({ type }: File): boolean => type.startsWith("image/") && !type.startsWith("image/svg");
