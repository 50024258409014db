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
}
