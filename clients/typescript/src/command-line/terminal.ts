/** Standard output has events alone, one a line, as JSON. */
export function printEvent(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

export function printLine(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
