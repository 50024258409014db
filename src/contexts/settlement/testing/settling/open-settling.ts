import { setTimeout as pause } from 'node:timers/promises';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { MADE_UP_EVENTS, MADE_UP_SENDINGS } from '#test/support/partial-worlds.js';
import type { DomainEvent } from '#shared/kernel/domain-event.js';
import { Database } from '#shared/platform/database/database.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { FollowMoney } from '../../application/settling/follow-money.js';
import { SettlementQueries } from '../../infrastructure/settling/persistence/settlement-queries.js';
import { PostgresSettlements } from '../../infrastructure/settling/persistence/postgres-settlements.js';
import { batchInvariants } from '../../infrastructure/settling/persistence/batch-invariants.js';
import { settlementInvariants } from '../../infrastructure/settling/persistence/settlement-invariants.js';
import {
  SETTLEMENT_PROJECTION,
  SettlementProjection,
} from '../../infrastructure/settling/subscribers/settlement-projection.js';

/** The real database, telling how many statements went through it. */
export class CountedDatabase extends Database {
  statements = 0;

  override async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    this.statements += 1;
    return super.query<Row>(text, values);
  }
}

export interface TestSettling extends TestPlatform {
  readonly counted: CountedDatabase;
  readonly projection: SettlementProjection;
  readonly queries: SettlementQueries;
  /** Publishes these facts, and lets the projection read to the end of the log. */
  happen(...events: readonly DomainEvent[]): Promise<void>;
  /** Lets the projection read to the end of the log. Other tests' open transactions on the server delay reading. */
  untilRead(): Promise<void>;
  /** The waiting amounts, by address. */
  waiting(): Promise<Record<string, bigint>>;
  /** Names of the invariants of settling that do not hold. */
  breaches(): Promise<string[]>;
}

/** Payment requests, payouts and ledger transactions that nobody made for the events. */
const MADE_UP = [
  ...MADE_UP_EVENTS,
  'payouts-match-events',
  'ledger-confirmed-posted-once',
  'ledger-deposits-posted-once',
];

/** A migrated database of its own with the projection on it. */
export async function openSettling(): Promise<TestSettling> {
  const platform = await openTestDatabase();
  platform.makesUp(MADE_UP);
  const counted = new CountedDatabase(platform.dataSource);
  const settlements = new PostgresSettlements(counted, new EventLog(counted));
  const followMoney = new FollowMoney(platform.clock, settlements);
  const projection = new SettlementProjection(followMoney);
  const runner = new SubscriberRunner(platform.database, projection);
  await runner.register();
  const isBehind = async () => {
    const rows = await platform.database.query(
      `SELECT 1 FROM platform.events e JOIN platform.subscriber_positions p
       ON p.subscriber = $1 AND (e.transaction_id, e.position) > (p.transaction_id, p.position)
       WHERE e.type <> 'settlement.status_changed' LIMIT 1`,
      [SETTLEMENT_PROJECTION],
    );
    return rows.length > 0;
  };
  const untilRead = async () => {
    const deadline = Date.now() + 60_000;
    while (await isBehind()) {
      if (Date.now() > deadline) throw new Error('The projection does not get to the end of the log.');
      await runner.turn();
      await pause(5);
    }
  };
  return {
    ...platform,
    counted,
    projection,
    queries: new SettlementQueries(counted),
    untilRead,
    async happen(...events) {
      await platform.database.run(() => platform.eventLog.append(events));
      await untilRead();
    },
    async waiting() {
      const rows = await platform.database.query<{ address: string; amount: bigint }>(
        'SELECT address, amount FROM settlement.waiting ORDER BY address',
      );
      return Object.fromEntries(rows.map(({ address, amount }) => [address, amount]));
    },
    async breaches() {
      const broken: string[] = [];
      for (const { name, breaches } of [...settlementInvariants, ...batchInvariants]) {
        if (MADE_UP_SENDINGS.includes(name)) continue;
        if ((await platform.database.query<object>(breaches)).length > 0) broken.push(name);
      }
      return broken;
    },
  };
}
