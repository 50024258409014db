import type { Database } from '#shared/platform/database/database.js';
import { FollowSources } from '../application/follow-sources.js';
import { PostMovements } from '../application/post-movements.js';
import { PostgresJournal } from '../infrastructure/persistence/postgres-journal.js';
import { LedgerSubscriber } from '../infrastructure/subscribers/ledger-subscriber.js';

/** The ledger's subscriber as the worker has it. */
export function bookkeeper(database: Database): LedgerSubscriber {
  const journal = new PostgresJournal(database);
  return new LedgerSubscriber(new PostMovements(journal), new FollowSources(journal));
}
