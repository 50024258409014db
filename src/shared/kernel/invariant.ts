/**
 * A condition that the stored data must always meet: an SQL query that returns the rows that violate it. The test suite
 * checks all invariants after every database test; the `verify` command checks them on live data.
 */
export interface Invariant {
  /** Unique name in kebab case. */
  readonly name: string;
  /** The condition as a sentence that an operator understands. */
  readonly promise: string;
  /** SQL query without parameters. Returns one row per violation; the columns identify the record. */
  readonly breaches: string;
  /**
   * Present if the query reads the event log and stays correct after old events are archived. Other queries over the
   * event log need all events.
   */
  readonly holdsWithoutArchive?: true;
}
