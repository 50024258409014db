import type { Movement } from '../domain/movement.js';
import type { FollowedEvent } from '../infrastructure/subscribers/followed-events.js';
import { openLedger, type TestLedger } from './open-ledger.js';

export interface TamperedLedger extends TestLedger {
  /** Changes rows as somebody with the database in hand could: triggers are off, checks are not. */
  tamper(sql: string): Promise<void>;
}

/** A ledger that has posted these movements and then followed these sources, a minute ago. */
export async function openTamperedLedger(
  movements: readonly Movement[],
  sources: readonly FollowedEvent[] = [],
): Promise<TamperedLedger> {
  const ledger = await openLedger();
  await ledger.happen(movements);
  await ledger.post(movements);
  await ledger.publish(sources);
  await ledger.follow(sources);
  await ledger.advance(61);
  return {
    ...ledger,
    tamper: (sql) =>
      ledger.database.run(async () => {
        await ledger.database.query('SET LOCAL session_replication_role = replica');
        await ledger.database.query(sql);
      }),
  };
}
