/** Tokens per image: OpenAI's count for a medium-sized image in high detail. */
export const IMAGE_TOKENS = 800;

/** Characters per token in Latin script, code or JSON: 4 in English prose, 3 in dense code. */
const PER_TOKEN = 3.5;

/**
 * Estimates the tokens of a text. Tokenizers differ from model to model and are megabytes in size, so this counts
 * characters: 3.5 ASCII characters per token, and one token for each other UTF-16 unit, as in Chinese, Japanese and emoji.
 * The estimate is rather too high than too low.
 */
export function textTokens(text: string): number {
  let ascii = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 128) ascii++;
  return Math.ceil(ascii / PER_TOKEN) + (text.length - ascii);
}
