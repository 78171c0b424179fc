/** Whether the caret of a text box is on its first line as it is seen: a long line is wrapped. */
export function isOnFirstLine(box: HTMLTextAreaElement): boolean {
  const { selectionStart, selectionEnd, value } = box;
  return selectionStart === selectionEnd && fitsOneLine(box, value.slice(0, selectionStart));
}

/** Whether the caret of a text box is on its last line as it is seen. */
export function isOnLastLine(box: HTMLTextAreaElement): boolean {
  const { selectionStart, selectionEnd, value } = box;
  if (selectionStart !== selectionEnd) return false;
  if (selectionStart === value.length) return true;
  const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1);
  return !line.includes("\n") && fitsOneLine(box, line);
}

let canvas: CanvasRenderingContext2D | null | undefined;

function fitsOneLine(box: HTMLTextAreaElement, text: string): boolean {
  if (text.includes("\n")) return false;
  if (text === "") return true;
  canvas ??= document.createElement("canvas").getContext("2d");
  if (canvas === null) return false;
  const { font, paddingLeft, paddingRight } = getComputedStyle(box);
  canvas.font = font;
  const width = box.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  return canvas.measureText(text).width <= width;
}
