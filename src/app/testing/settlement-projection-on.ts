import type { TestPlatform } from '#test/support/open-database.js';
import { FollowMoney } from '#contexts/settlement/application/settling/follow-money.js';
import { PostgresSettlements } from '#contexts/settlement/infrastructure/settling/persistence/postgres-settlements.js';
import { SettlementProjection } from '#contexts/settlement/infrastructure/settling/subscribers/settlement-projection.js';

/** The projection that settlement makes of the events in a test's database. */
export function settlementProjectionOn({ clock, database, eventLog }: TestPlatform): SettlementProjection {
  return new SettlementProjection(new FollowMoney(clock, new PostgresSettlements(database, eventLog)));
}
