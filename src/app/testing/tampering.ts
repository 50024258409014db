/** Somebody who has the database in hand could do this; these invariants show it. */
export interface Tampering {
  readonly name: string;
  /** SQL that runs with triggers off, on the world of `audited-world.ts`. */
  readonly sql: string;
  /** Names of all invariants that report it. */
  readonly reportedBy: readonly string[];
}

/** The request of that reference, in SQL. */
export const requestWith = (reference: string) =>
  `(SELECT id FROM payments.payment_requests WHERE reference_id = '${reference}')`;

/** An address of somebody else, in SQL. */
export const OTHER = `'0x00000000000000000000000000000000000000ff'`;
