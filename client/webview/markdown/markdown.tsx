import { useLayoutEffect, useRef } from "preact/hooks";
import { wrapCode } from "../state/code-wrap.ts";
import { knownFiles } from "../state/file-targets.ts";
import { highlighting } from "./code-highlighter.ts";
import { MarkdownView } from "./markdown-view.ts";

/** A Markdown text. Preact does not manage its nodes, so that a growing text changes only its end. */
export function Markdown({ text, growing }: { readonly text: string; readonly growing: boolean }) {
  const root = useRef<HTMLDivElement>(null);
  const view = useRef<MarkdownView | null>(null);
  const [highlight, files, wrap] = [highlighting.loaded, knownFiles.value, wrapCode.value];
  useLayoutEffect(() => {
    if (root.current === null) return;
    view.current ??= new MarkdownView(root.current);
    view.current.update(text, growing);
  }, [text, growing]);
  useLayoutEffect(() => view.current?.refresh(), [highlight, files, wrap]);
  return <div class={wrap ? "markdown is-wrapped" : "markdown"} ref={root} />;
}
