// Jest reporter: what each kind of test took, so that a run whose price grows says so itself.
const SLOWEST = 5;

export default class TimeByKind {
  onRunComplete(_, { testResults, numPassedTests, numFailedTests, numPendingTests }) {
    process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped\n`);
    if (testResults.length < 2) return;
    const kinds = new Map();
    for (const { displayName, perfStats, testResults: tests } of testResults) {
      const kind = kinds.get(displayName?.name) ?? { files: 0, tests: 0, seconds: 0, inTests: 0 };
      kind.files += 1;
      kind.tests += tests.length;
      kind.seconds += perfStats.runtime / 1_000;
      kind.inTests += tests.reduce((sum, { duration }) => sum + (duration ?? 0), 0) / 1_000;
      kinds.set(displayName?.name, kind);
    }
    const rows = [...kinds].sort(([, a], [, b]) => b.seconds - a.seconds);
    const lines = rows.map(
      ([name, { files, tests, seconds, inTests }]) =>
        `  ${String(name).padEnd(9)}${cell(files)}${cell(tests)}${cell(seconds)}${cell(seconds - inTests)}`,
    );
    const slowest = testResults
      .toSorted((a, b) => b.perfStats.runtime - a.perfStats.runtime)
      .slice(0, SLOWEST);
    process.stderr.write(
      `\n${['  kind     ', ...['files', 'tests', 'seconds', 'set-up'].map((head) => head.padStart(9))].join('')}\n` +
        `${lines.join('\n')}\nSlowest:\n` +
        slowest
          .map(({ perfStats, testFilePath }) => `${cell(perfStats.runtime / 1_000)}  ${testFilePath}\n`)
          .join('') +
        `Random cases: SEED=${process.env['SEED'] ?? process.env['RUN_SEED'] ?? 1} selects them again.\n`,
    );
  }
}

function cell(value) {
  return value.toFixed(0).padStart(9);
}
