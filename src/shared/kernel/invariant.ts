/**
 * A condition that the stored data must always meet: an SQL query that returns the rows that violate it. The test suite
 * checks all invariants after every database test; the `verify` command checks them on live data.
 */
export interface Invariant {
  /** Kebab-case, unique. */
  readonly name: string;
  /** A sentence that an operator understands. */
  readonly promise: string;
  /** Returns one row per violation; the columns identify the record. No parameters. */
  readonly breaches: string;
  /**
   * Reads the event log and holds even if older events are archived. Other invariants over the log need the complete log.
   */
  readonly holdsWithoutArchive?: true;
}
