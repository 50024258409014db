/** A whole number from 0 on in plain ASCII digits; NaN for any other text, such as `1e1`, `0x1`, `1.0`, ` 1`, `+1` or `01`. */
export function readWholeNumber(text: string): number {
  return /^(?:0|[1-9][0-9]{0,14})$/.test(text) ? Number(text) : NaN;
}
