import { breachesOf } from '#test/support/broken-invariants.js';
import { openTestDatabase } from '#test/support/open-database.js';
import { MADE_UP_EVENTS, MADE_UP_SENDINGS } from '#test/support/partial-worlds.js';
import type { DomainEvent } from '#shared/kernel/domain-event.js';
import { CountedDatabase } from '#shared/platform/database/testing/counted-database.js';
import { readToEnd } from '#shared/platform/event-log/testing/log-settled.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { UpdateSettlements } from '../../application/settling/update-settlements.js';
import { SettlementQueries } from '../../infrastructure/settling/persistence/settlement-queries.js';
import { PostgresSettlements } from '../../infrastructure/settling/persistence/postgres-settlements.js';
import { batchInvariants } from '../../infrastructure/settling/persistence/batch-invariants.js';
import { settlementInvariants } from '../../infrastructure/settling/persistence/settlement-invariants.js';
import { SettlementProjection } from '../../infrastructure/settling/settlement-projection.js';

export type TestSettling = Awaited<ReturnType<typeof openSettling>>;

/** Invariants that are not checked, because the events have no payment requests, payouts or ledger transactions. */
const MADE_UP_INVARIANTS = [
  ...MADE_UP_EVENTS,
  'payouts-match-events',
  'ledger-confirmed-posted-once',
  'ledger-deposits-posted-once',
];

export async function openSettling() {
  const platform = await openTestDatabase();
  platform.makesUp(MADE_UP_INVARIANTS);
  const counted = new CountedDatabase(platform.dataSource);
  const settlements = new PostgresSettlements(counted, new EventLog(counted));
  const updateSettlements = new UpdateSettlements(platform.clock, settlements);
  const projection = new SettlementProjection(updateSettlements);
  const runner = new SubscriberRunner(platform.database, projection);
  await runner.register();
  const untilRead = () => readToEnd(platform.database, runner);
  return {
    ...platform,
    counted,
    queries: new SettlementQueries(counted),
    untilRead,
    async happen(...events: readonly DomainEvent[]): Promise<void> {
      await platform.database.run(() => platform.eventLog.append(events));
      await untilRead();
    },
    async waiting(): Promise<Record<string, bigint>> {
      const rows = await platform.database.query<{ address: string; amount: bigint }>(
        'SELECT address, amount FROM settlement.waiting ORDER BY address',
      );
      return Object.fromEntries(rows.map(({ address, amount }) => [address, amount]));
    },
    async breaches(): Promise<string[]> {
      const expected = [...settlementInvariants, ...batchInvariants];
      const checked = expected.filter(({ name }) => !MADE_UP_SENDINGS.includes(name));
      return Object.keys(await breachesOf(platform.database, checked));
    },
  };
}
