/** Milliseconds before progress is printed. */
const SHOWN_AFTER = 1_000;

export interface TerminalOutput {
  print(line: string): void;
  /** Runs `work`, and prints the title if it takes more than a second. */
  withProgress<T>(title: string, work: () => Promise<T>): Promise<T>;
}

/** Writes progress to standard error, so that standard output contains only the result. */
export function terminalOutput(
  say: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
): TerminalOutput {
  return {
    print: say,
    async withProgress(title, work) {
      const begun = performance.now();
      let shown = false;
      const timer = setTimeout(() => {
        shown = true;
        say(`${title} …`);
      }, SHOWN_AFTER);
      try {
        const result = await work();
        if (shown) say(`${title}: done in ${seconds(performance.now() - begun)}`);
        return result;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Formats milliseconds as `1.2 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
