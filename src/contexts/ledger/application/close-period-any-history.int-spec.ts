import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '#shared/kernel/domain-event.js';
import { newId } from '#shared/kernel/ids.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { nextToClose } from '../domain/periods/closing-rule.js';
import { laterPeriod, type Period } from '../domain/periods/period.js';
import { AnyMoney } from '../testing/any-money.js';
import { USDC } from '../testing/movements.js';
import type { TestLedger } from '../testing/open-ledger.js';
import { heldBy, openMonth, type OpenMonth } from '../testing/open-month.js';

/** Few enough that the records of each range are read by several statements. */
const BATCH = 3;

describe('The books of months, read in small batches', () => {
  let world: OpenMonth;
  let ledger: TestLedger;
  let books: OpenMonth['books'];
  let next: Period;
  beforeAll(async () => {
    world = await openMonth(BATCH);
    ({ ledger, books, next } = world);
  });
  afterAll(() => world.close());

  it('agree after any history with closes in between', async () => {
    const random = new SeededRandom(7);
    const money = new AnyMoney(random);
    const { owner } = money;
    const apply = async (events: readonly DomainEvent[]) => {
      await ledger.publish(events);
      const published = events.map((event) => ({
        ...{ ...event, id: newId<string>() },
        occurredAt: new Date(`${laterPeriod(next, -random.whole(0, 4))}-01T00:00:00Z`),
      }));
      await ledger.counted.run(() => ledger.subscriber.apply(published));
    };
    for (let step = 0; step < 30; step += 1) {
      await apply(money.step());
      const state = await books.list.books(owner.organizationId);
      const ended = state && nextToClose(state);
      if (ended && random.chance(0.1)) await books.closePeriod.execute(books.act(owner, ended));
      if (state?.lastClosed && random.chance(0.05))
        await books.closePeriod.reopen(books.act(owner, state.lastClosed));
    }
    await apply(money.ending());

    const files = await Promise.all(
      [4, 3, 2, 1, 0].map((months) => books.journalFile(owner, laterPeriod(next, -months))),
    );
    const [{ count }] = (await ledger.database.query<{ count: number }>(
      'SELECT count(*) FROM ledger.entries WHERE organization_id = $1',
      [owner.organizationId],
    )) as [{ count: number }];
    expect(files.flat()).toHaveLength(count);
    expect(await books.journalFileOfAccount(owner, next)).toEqual(files.at(-1));
    expect(await books.statementsOfAccount(owner, next)).toEqual(await books.statements(owner, next));
    const closing = (await world.shown(owner, next)).USDC!.at(-1)!;
    expect(closing).toBe(files.reduce((sum, file) => sum + heldBy(file, USDC), 0));
  });
});
