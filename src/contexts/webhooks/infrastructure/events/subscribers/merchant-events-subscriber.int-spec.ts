import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import { anAccount, statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';

const account = anAccount();
const scope = { organizationId: account.organizationId, accountId: account.accountId };

let platform: TestPlatform;
let fixture: ReturnType<typeof webhooksFixture>;

beforeEach(async () => {
  platform = await openTestDatabase();
  fixture = webhooksFixture(platform);
});
afterEach(() => platform.close());

const append = (...events: ReturnType<typeof statusChanged>[]) =>
  platform.database.run(() => platform.eventLog.append(events));
const recorded = () =>
  fixture.rows<{ id: string; body: string }>('SELECT id, body FROM webhooks.events ORDER BY number');

describe('Recording merchants’ events', () => {
  it('begins with the beginning of the log, whatever was read for deliveries, and takes merchant events alone', async () => {
    const { id } = await fixture.register(account, 'https://shop.example/hooks');
    const statuses = ['pending', 'processing', 'completed', 'underpaid', 'overpaid', 'expired'] as const;
    await fixture.happen(
      ...statuses.map((status) => statusChanged(account, { status, referenceId: 'Ñ/"😀' })),
    );
    await platform.database.run(async () => {
      await platform.database.query('SET LOCAL session_replication_role = replica');
      await platform.database.query('DELETE FROM webhooks.events');
      await platform.database.query(
        `DELETE FROM platform.subscriber_positions WHERE subscriber = 'merchant_events'`,
      );
    });

    await fixture.happen();

    expect((await recorded()).map(({ body }) => body)).toHaveLength(4);
    expect(await recorded()).toEqual(
      await fixture.rows(
        `SELECT d.event_id AS id, d.body FROM webhooks.deliveries d JOIN platform.events e ON e.id = d.event_id
         WHERE d.webhook_id = $1 ORDER BY e.transaction_id, e.position`,
        [id],
      ),
    );
  });

  it('records an event once, also when it is applied again, and cannot be rewritten', async () => {
    await fixture.happen(statusChanged(account), statusChanged(account));
    const before = await recorded();

    await fixture.rows(`UPDATE platform.subscriber_positions SET transaction_id = '0', position = 0`);
    await fixture.happen();

    expect(await recorded()).toEqual(before);
    await expect(fixture.rows('DELETE FROM webhooks.events')).rejects.toThrow(/append-only/);
    await expect(fixture.rows(`UPDATE webhooks.events SET body = '{}'`)).rejects.toThrow(/append-only/);
  });

  it('shows who reads on every event once, each payment request’s in order, while others write', async () => {
    const [writers, each] = [6, 12];
    await fixture.happen();
    const workers = Array.from({ length: 3 }, () => fixture.eventsRunner());
    const read: { id: string; reference: string }[] = [];
    let reading = true;
    const turning = workers.map(async (worker) => {
      while (reading) await worker.turn();
    });
    const all = eventually(async () => {
      const after = read.at(-1)?.id;
      const page = await fixture.merchantEventQueries.following({ scope, limit: 3, ...(after && { after }) });
      for (const { id, body } of page!.events) {
        read.push({ id, reference: (JSON.parse(body) as SentBody).data.external_reference_id });
      }
      return read.length >= writers * each;
    }).finally(() => (reading = false));

    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const paymentRequest = newId<string>();
        for (let n = 0; n < each; n += 2) {
          const say = (m: number) =>
            statusChanged(
              account,
              { referenceId: `${writer}-${String(m).padStart(2, '0')}` },
              paymentRequest,
            );
          await platform.database.run(async () => {
            await platform.eventLog.append([say(n)]);
            // Others that began later commit first.
            await new Promise((resolve) => setTimeout(resolve, (writer * 7 + n * 3) % 20));
            await platform.eventLog.append([say(n + 1)]);
          });
        }
      }),
    );
    await Promise.all([all, ...turning]);

    expect(new Set(read.map(({ id }) => id)).size).toBe(writers * each);
    for (let writer = 0; writer < writers; writer += 1) {
      const own = read.map(({ reference }) => reference).filter((text) => text.startsWith(`${writer}-`));
      expect(own).toEqual([...own].sort());
    }
    expect(read.map(({ id }) => id)).toEqual((await recorded()).map(({ id }) => id));
  });

  it('is done with the position or not at all', async () => {
    await append(statusChanged(account));
    await fixture.happen();
    await append(statusChanged(account));
    const before = await fixture.rows('SELECT * FROM platform.subscriber_positions ORDER BY subscriber');
    const { record } = fixture.merchantEvents;
    fixture.merchantEvents.record = async (events) => {
      await record.call(fixture.merchantEvents, events);
      const [row] = await platform.database.query<{ id: number }>('SELECT pg_backend_pid() AS id');
      await platform.dataSource.query('SELECT pg_terminate_backend($1)', [row!.id]);
      await platform.database.query('SELECT 1');
    };

    await expect(fixture.happen()).rejects.toThrow();
    fixture.merchantEvents.record = record;
    const rows = await recorded();
    const [events] = (
      await fixture.rows<object>(
        `SELECT * FROM platform.subscriber_positions WHERE subscriber = 'merchant_events'`,
      )
    ).values();
    await fixture.happen();

    expect(rows).toHaveLength(1);
    expect(before).toContainEqual(events);
    expect(await recorded()).toHaveLength(2);
  });
});

interface SentBody {
  data: { external_reference_id: string };
}
