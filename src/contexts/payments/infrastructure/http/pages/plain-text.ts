/** Embeddings, overrides and isolates: a name must not turn round the sentence it stands in. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Somebody else's words without characters that change the direction of the text around them. */
export function plainText(text: string): string {
  return text.replace(DIRECTION_CONTROLS, '');
}

/** The same for use within a sentence, in whatever direction it is written itself. */
export function isolated(text: string): string {
  return `\u2068${plainText(text)}\u2069`;
}
