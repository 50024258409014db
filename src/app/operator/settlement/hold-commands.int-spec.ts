import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SettlementHolds } from '#contexts/payments/application/evaluation/settlement-holds.js';
import { ReleaseSettlementHold } from '#contexts/payments/application/evaluation/release-settlement-hold.js';
import {
  PostgresSettlementHolds,
  PostgresNetworkRemovalBlockers,
} from '#contexts/payments/infrastructure/evaluation/postgres-settlement-holds.js';
import { NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { Database } from '#shared/platform/database/database.js';
import { runCommand } from '../testing/run-command.js';

const DEPTH = 4;
const ABSENT = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e8f';
let payments: Payments;
beforeEach(async () => {
  payments = await openPayments(DEPTH);
  await payments.follow();
});
afterEach(() => payments.close());

async function run(...words: string[]) {
  const holds = new PostgresSettlementHolds(payments.platform.database);
  const parts = new Map<unknown, object>([
    [Database, payments.platform.database],
    [SettlementHolds, holds],
    [ReleaseSettlementHold, new ReleaseSettlementHold(payments.platform.clock, holds)],
  ]);
  const { status, out, err } = await runCommand(parts, [...words, '--json']);
  return { status, answer: JSON.parse(out || err) as Record<string, unknown> };
}

/** Creates a payment request whose credited transfer is removed by a reorganization deeper than finality. */
async function reversed() {
  const request = await payments.request();
  payments.chain.mine(pay(request, 1000));
  payments.chain.mineEmpty(DEPTH);
  await payments.follow();
  payments.chain.removeNewestBlocks(DEPTH + 1);
  payments.chain.mineEmpty(DEPTH + 2);
  await payments.follow();
  return request;
}

const held = async () => (await run('hold', 'list')).answer['data'] as Record<string, string>[];
const heldAddresses = async () =>
  (await new PostgresNetworkRemovalBlockers(payments.platform.database).readByNetwork()).map(
    ({ network, ...due }) => ({
      network,
      ...due,
    }),
  );

describe('A settlement hold', () => {
  it('is listed until an operator releases it with a reason', async () => {
    const request = await reversed();

    const before = await held();
    const counted = await heldAddresses();
    const released = await run('hold release --yes --reason', ' seen with the merchant ', before[0]!['id']!);
    const after = await held();
    const all = await run('hold', 'list', '--all');

    expect(before).toMatchObject([
      {
        network: NETWORK,
        address: request.address.toLowerCase(),
        payment_request_id: request.id,
        released_at: null,
      },
    ]);
    expect(counted).toEqual([{ network: NETWORK, openRequests: 0, heldAddresses: 1 }]);
    expect(released).toMatchObject({
      status: 0,
      answer: {
        released_at: expect.stringMatching(/Z$/),
        released_by: expect.stringMatching(/^operator /),
        release_reason: 'seen with the merchant',
      },
    });
    expect(after).toEqual([]);
    expect(all.answer['data']).toMatchObject([{ release_reason: 'seen with the merchant' }]);
    expect(await payments.platform.database.query('SELECT * FROM payments.public_settlement_holds')).toEqual(
      [],
    );
  });

  it('is released once by concurrent commands', async () => {
    await reversed();
    const [hold] = await held();

    const both = await Promise.all(
      ['one', 'two'].map((reason) => run('hold', 'release', hold!['id']!, '--yes', '--reason', reason)),
    );

    expect(both.map(({ status }) => status).sort()).toEqual([0, 1]);
    const refused = both.find(({ status }) => status === 1)!;
    expect(refused.answer).toMatchObject({
      code: 'state_conflict',
      message: expect.stringMatching(/^The hold was already released by operator .*: (one|two)$/),
    });
    const kept = (await run('hold', 'list', '--all')).answer['data'] as Record<string, string>[];
    expect(String(refused.answer['message'])).toContain(kept[0]!['release_reason']);
  });

  it.each([
    ['of no such id', ABSENT, 'why', 'not_found'],
    ['for a reason that draws on the terminal', ABSENT, 'a\u001b[31m', 'validation_failed'],
  ])('cannot be released by an invalid command: %s', async (_, id, reason, code) => {
    expect(await run('hold', 'release', id, '--yes', '--reason', reason)).toMatchObject({
      status: 1,
      answer: { code },
    });
  });
});
