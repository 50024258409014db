/**
 * Something that must always be true of the stored data, as one SQL query that returns the rows that break it.
 * The test suite runs all of them after every database test; the `verify` command runs them on live data.
 */
export interface Invariant {
  /** Kebab-case, unique. */
  readonly name: string;
  /** The promise, as a sentence an operator understands. */
  readonly promise: string;
  /** Returns one row per breach; the columns name the record. No parameters. */
  readonly breaches: string;
  /** It reads the event log, and holds while older events are archived too: any other that reads the log needs all of it. */
  readonly holdsWithoutArchive?: true;
}
