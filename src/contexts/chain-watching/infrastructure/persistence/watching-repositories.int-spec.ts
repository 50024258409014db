import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { eventually } from '#test/support/eventually.js';
import type { RequestsWithFinalizedTransfers } from '../../contract/recorded-transfers.js';
import type { Cursor, CursorMove } from '../../domain/cursor.js';
import { DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { newId } from '#shared/kernel/ids.js';
import { ChainAuditQueries } from '#contexts/payments/infrastructure/audit/persistence/chain-audit-queries.js';
import { PostgresChainAuditResults } from '#contexts/payments/infrastructure/audit/persistence/chain-audits.js';
import { PostgresNativeBalances } from '#contexts/payments/infrastructure/evaluation/postgres-native-balances.js';
import { PostgresRecordedTransfers } from '#contexts/payments/infrastructure/evaluation/postgres-recorded-transfers.js';
import { PostgresSettlementHolds } from '#contexts/payments/infrastructure/evaluation/postgres-settlement-holds.js';
import { PostgresWatchingStates } from './postgres-watching-states.js';
import { RecordedPayouts } from './recorded-payouts.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close('any'));

const query = <Row extends object>(text: string, values: unknown[] = []) =>
  payments.platform.database.query<Row>(text, values);
const cursor = async () => (await payments.watched.cursor(NETWORK))!;

describe('The cursor of a network', () => {
  async function step(from: Cursor, fields: Partial<CursorMove>): Promise<void> {
    const same = {
      finalNumber: from.finalNumber,
      tagged: { safe: null, finalized: null },
      disagreement: from.disagreement,
      maxLagSeconds: 60,
    };
    const known = { balancesKnownAt: null, balanceRound: null, pendingReadAt: null };
    await payments.database.run(() =>
      payments.watched.advance(NETWORK, { from, blocks: [], ...same, ...known, ...fields }, payments.epoch),
    );
  }
  const since = async () =>
    (await query<{ since: Date | null }>('SELECT disagrees_since AS since FROM payments.chain_cursors'))[0]!
      .since;

  it('keeps the start of a disagreement across iterations and reasons until the endpoints agree', async () => {
    await step(await cursor(), { disagreement: 'about block 3' });
    const began = await since();
    await step(await cursor(), { disagreement: 'about block 4' });
    const overTurns = await since();
    await payments.database.run(() =>
      payments.watched.recordDisagreement(NETWORK, 'about block 5', payments.epoch),
    );
    const overWords = await since();
    await step(await cursor(), { disagreement: null });

    expect(began).toBeInstanceOf(Date);
    expect([overTurns, overWords, await since()]).toEqual([began, began, null]);
  });

  it('resets the balance scan when it moves back', async () => {
    payments.chain.mineEmpty(2);
    await payments.follow();
    const { head } = await cursor();
    const target = (await payments.watched.block(NETWORK, head.number - 1))!;
    const earlier = new Date(target.time.getTime() - 1_000);

    for (const [known, after] of [
      [head.time, target.time],
      [earlier, earlier],
    ] as const)
      await payments.database
        .run(async () => {
          await payments.database.queryInTransaction(
            `UPDATE payments.chain_cursors SET balances_compared_at = $1, balance_round_to = $2, balance_round_began_at = $1`,
            [known, newId()],
          );
          await payments.watched.rewind(NETWORK, await cursor(), target, payments.epoch);
          expect(await cursor()).toMatchObject({ balancesKnownAt: after, balanceRound: null });
          throw new Error('undone');
        })
        .catch((error: Error) => expect(error.message).toBe('undone'));
  });
});

describe('The list of recorded transfers of a network', () => {
  it('includes the first block even if it alone exceeds the limit', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1), pay(request, 1));
    await payments.follow();
    const { number } = (await cursor()).head;
    const transfers = new PostgresRecordedTransfers(payments.database);
    const last = (from: number, limit: number) => transfers.lastBlockWithin(NETWORK, from, number + 5, limit);

    expect([await last(number, 1), await last(number - 1, 1), await last(number, 2)]).toEqual([
      number,
      number - 1,
      number + 5,
    ]);
  });
});

describe('The scan of all balances', () => {
  it('starts one day after the previous scan started, however long that scan took', async () => {
    const balances = new PostgresNativeBalances(payments.database);
    const sweepTo = (address: string | null) =>
      payments.database.run(() => balances.recordDailyComparison(NETWORK, address));
    const isDue = async () => (await balances.nextForDailyComparison(NETWORK, 'coin', 10)) !== null;

    await sweepTo('0x1');
    await payments.platform.advance(86_000);
    await sweepTo(null);
    const tooEarly = await isDue();
    await payments.platform.advance(400);

    expect([tooEarly, await isDue()]).toEqual([false, true]);
  });
});

describe('The list of audits of a chain', () => {
  it('contains the latest completed audit', async () => {
    for (const [days, addresses] of [
      [2, 7],
      [1, 8],
      [3, 6],
    ])
      await query(
        `INSERT INTO payments.chain_audits (network, began_at, ended_at, block_number, block_hash, seed, stage, position, addresses,
           transfers, tokens, custody_tries, held, findings)
         SELECT $1, now - make_interval(days => $2), now, 1, '0x1', 's', 'ended', '', $3, 0, 0, 0, '{}', '[]' FROM platform.now() AS now`,
        [NETWORK, days, addresses],
      );

    expect(await new PostgresChainAuditResults(payments.database).latest()).toMatchObject([{ addresses: 8 }]);
  });
});

describe('An audit of a chain', () => {
  it('samples no transfer that a reorganization removed', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1));
    await payments.follow();
    payments.chain.removeNewestBlocks(1);
    payments.chain.mine(pay(request, 2));
    payments.chain.mineEmpty(3);
    await payments.follow();
    const { number, hash } = (await cursor()).head;

    const drawn = await new ChainAuditQueries(payments.database).listTransfers(
      { network: NETWORK, number, hash },
      'seed',
      '',
      10,
    );

    expect(drawn.map(({ amount }) => amount)).toEqual([20_000n]);
  });
});

describe('The marking of transfers as final', () => {
  it('waits for the lock of the request before it locks transfers', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    await payments.follow();
    payments.chain.mineEmpty(2);
    const operator = new pg.Client({ connectionString: payments.platform.url });
    await operator.connect();
    await operator.query('BEGIN');
    await operator.query('SELECT 1 FROM payments.payment_requests WHERE id = $1 FOR UPDATE', [request.id]);

    const turn = payments.turn().catch((error: unknown) => error);
    await eventually(
      () =>
        query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        ),
      ({ length }) => length > 0,
    );
    await operator.query('UPDATE payments.transfers SET counted = counted WHERE payment_request_id = $1', [
      request.id,
    ]);
    await operator.query('COMMIT');
    await operator.end();

    expect(await turn).not.toBeInstanceOf(Error);
    expect((await payments.read(request)).status).toBe('completed');
  });

  it('marks the oldest transfers first and returns their requests', async () => {
    const [first, second] = [await payments.request(), await payments.request()];
    payments.chain.mine(pay(first, 100), pay(first, 100));
    payments.chain.mine(pay(second, 100));
    payments.chain.mine(pay(second, 100));
    await payments.turn();
    const transfers = new PostgresRecordedTransfers(payments.database);
    const number = (await payments.watched.cursor(NETWORK))!.head.number;
    const newest = { number, time: payments.chain.tip.time, safe: number, finalized: number };

    const answers: RequestsWithFinalizedTransfers[] = [];
    await expect(
      payments.database.run(async () => {
        for (let turn = 0; turn < 3; turn += 1) answers.push(await transfers.finalize(NETWORK, newest, 3));
        throw new Error('undone');
      }),
    ).rejects.toThrow('undone');

    expect(answers).toEqual([
      { requests: expect.arrayContaining([first.id, second.id]), more: true },
      { requests: [second.id], more: false },
      { requests: [], more: false },
    ]);
  });
});

describe('The finality of payouts', () => {
  it('reports after each full batch that more may follow', async () => {
    const { address: to } = await payments.request();
    payments.chain.mine({ to, amount: 5n, token: DOLLAR.token, kind: 'payout' });
    await payments.turn();
    const payouts = new RecordedPayouts(payments.database, payments.platform.eventLog);
    const { head } = await cursor();
    const finalize = () => payments.database.run(() => payouts.finalize(NETWORK, head.number, 1, head.time));

    expect([await finalize(), await finalize()]).toEqual([true, false]);
  });
});

describe('The store of settlement holds', () => {
  async function held(count: number): Promise<string[]> {
    const request = await payments.request();
    payments.chain.mine(...Array.from({ length: count }, () => pay(request, 1)));
    await payments.follow();
    const rows = await query<{ id: string }>(
      `INSERT INTO payments.settlement_holds (id, network, address, tag, payment_request_id, organization_id, account_id, transfer_id, held_at)
       SELECT gen_random_uuid(), network, to_address, to_tag, payment_request_id, organization_id, account_id, id, '2026-01-01Z'
       FROM payments.transfers RETURNING id`,
    );
    return rows.map(({ id }) => id).sort();
  }

  it('lists holds in a stable order across pages, including holds of the same moment', async () => {
    const ids = await held(6);
    const holds = new PostgresSettlementHolds(payments.database);
    const pages = [1, 2, 3].map((page) => holds.list(false, { page, pageSize: 2 }));

    expect((await Promise.all(pages)).flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
  });

  it('keeps the first release of a hold', async () => {
    const [id] = await held(1);
    const holds = new PostgresSettlementHolds(payments.database);
    const at = new Date('2026-02-01T00:00:00.000Z');
    await holds.release(id!, { at, by: 'anna', reason: 'checked' });

    const again = await holds.release(id!, { at: new Date(), by: 'eve', reason: 'other' });

    expect(again).toMatchObject({
      kind: 'already_released',
      hold: { releasedBy: 'anna', releaseReason: 'checked' },
    });
  });
});

describe('The state of watching after a release of a lease', () => {
  it('keeps the latest iteration', () => {
    const states = new PostgresWatchingStates(payments.database);
    states.cache([{ network: null, sinceTurn: 1 } as never]);

    const { secondsSinceTurn } = states.cache([{ network: null, sinceTurn: 500 } as never]);

    expect(secondsSinceTurn).toBeLessThan(60);
  });
});
