/** Standard output has events alone, one a line, as JSON. */
export function sayEvent(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
