/** Prints an event as one line of JSON. Standard output contains only events; messages go to standard error. */
export function printEvent(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

export function printMessageToStderr(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
