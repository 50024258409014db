/** The test suite checks all invariants after every database test; the `verify` command checks them on live data. */
export interface Invariant {
  readonly name: string;
  readonly promise: string;
  /** SQL query without parameters. Returns one row per violation; the columns identify the record. */
  readonly breaches: string;
  /** Present if the query reads the event log and stays correct after old events are archived. */
  readonly holdsWithoutArchive?: true;
}
