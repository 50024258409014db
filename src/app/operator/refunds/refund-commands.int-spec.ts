import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CancelFloatWithdrawal } from '#contexts/settlement/application/refunds/floats/cancel-float-withdrawal.js';
import { CancelRefund } from '#contexts/settlement/application/refunds/cancel-refund.js';
import { RefundQueries } from '#contexts/settlement/infrastructure/refunds/persistence/refund-queries.js';
import { AllotRefundFloat } from '#contexts/settlement/application/refunds/floats/allot-refund-float.js';
import { OpenOrganizationFloat } from '#contexts/settlement/application/refunds/floats/open-organization-float.js';
import { SetRefundLimitBasis } from '#contexts/settlement/application/refunds/set-refund-limit-basis.js';
import { SetRefundLimit } from '#contexts/settlement/application/refunds/set-refund-limit.js';
import { ShowRefundFloats } from '#contexts/settlement/application/refunds/floats/show-refund-floats.js';
import { WithdrawRefundFloat } from '#contexts/settlement/application/refunds/floats/withdraw-refund-float.js';
import { RefundLimits } from '#contexts/settlement/infrastructure/refunds/persistence/refund-limits.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { NETWORK, RefundsWorld, SETTLED_TO } from '#contexts/settlement/testing/refunds/refunds-world.js';
import { Database } from '#shared/platform/database/database.js';
import { runCommand } from '../testing/run-command.js';

let world: RefundsWorld;
let operator: (...words: string[]) => Promise<{ status: number; json: unknown; err: string }>;
beforeAll(async () => {
  world = await RefundsWorld.open();
  const { floats, payouts, setLimit, limits, withdraw, allot, setBasis, cancel, cancelWithdrawal, listed } =
    world.process();
  const parts = new Map<unknown, object>([
    [Database, world.platform.database],
    [OpenOrganizationFloat, new OpenOrganizationFloat(world.catalogue, floats, world.chain.sender)],
    [ShowRefundFloats, new ShowRefundFloats(floats, payouts, world.catalogue, limits)],
    [SetRefundLimit, setLimit],
    [AllotRefundFloat, allot],
    [SetRefundLimitBasis, setBasis],
    [RefundLimits, limits],
    [WithdrawRefundFloat, withdraw],
    [CancelRefund, cancel],
    [CancelFloatWithdrawal, cancelWithdrawal],
    [RefundQueries, listed],
    [NetworkCatalogue, world.catalogue],
  ]);
  operator = async (...words) => {
    const { status, out, err } = await runCommand(parts, [...words, '--json']);
    return { status, json: out === '' ? null : JSON.parse(out), err };
  };
});
afterAll(() => world.close());

const withdraw = (amount: string) =>
  operator('float withdraw', world.organizationId, NETWORK, world.token.uniqueAssetId, amount, '--yes');

describe('An operator', () => {
  it('sees the address of a refund float before the first refund, and its holdings later', async () => {
    const opened = await operator('float', 'open', world.organizationId, NETWORK);
    const again = await operator('float', 'open', world.organizationId, NETWORK);
    const address = await world.fund(30_000_000n, 1_000_000n);

    expect(again).toEqual(opened);
    expect((opened.json as { address: string }).address.toLowerCase()).toBe(address);
    expect((await operator('float', 'status', '--organization', world.organizationId)).json).toMatchObject([
      {
        network: NETWORK,
        holdings: expect.arrayContaining([expect.objectContaining({ currency: 'USDT', available: '30' })]),
      },
    ]);
  });

  it('withdraws from a refund float only to the settlement address, which the audit log records', async () => {
    const { json } = await withdraw('5');

    expect(json).toMatchObject({ currency: 'USDT', amount: '5' });
    expect((json as { to: string }).to.toLowerCase()).toBe(SETTLED_TO);
    const refused = await withdraw('26');
    expect([refused.status, refused.err]).toEqual([1, expect.stringContaining('lacks 1 USDT')]);
    const audited = await world.rows(`SELECT actor, after ->> 'amount' AS amount FROM identity.audit_log
      WHERE action = 'refund_float.withdrawn'`);
    expect(audited).toEqual([{ actor: expect.stringContaining('operator'), amount: '5000000' }]);
  });

  it('cancels a withdrawal that has no nonce yet, which frees its amount, and no other', async () => {
    const withdrawn = async () => ((await withdraw('1')).json as { id: string }).id;
    await world.turn();
    const before = (await world.holding(world.token.token)).reserved;
    const free = await withdrawn();
    const ended = await operator('float', 'cancel', free, '--yes');
    const after = (await world.holding(world.token.token)).reserved;
    const held = await withdrawn();
    world.chain.hold = 'The key is held.';
    const whileHeld = await operator('float', 'cancel', held, '--yes');
    world.chain.hold = null;
    await world.turn();
    const sent = await operator('float', 'cancel', held, '--yes');

    expect([ended.status, ended.json, after]).toEqual([0, { id: free, status: 'failed' }, before]);
    expect(whileHeld.err).toContain('The key is held.');
    expect([sent.status, sent.err]).toEqual([1, expect.stringContaining('has a nonce')]);
    const log = `SELECT subject_id FROM identity.audit_log WHERE action = 'refund_float.withdrawal_cancelled'`;
    expect(await world.rows(log)).toEqual([{ subjectId: free }]);
  });

  it('sets, replaces and lists the limits of refunds', async () => {
    const set = (...rest: string[]) =>
      operator(
        ...['refund-limits', 'set', '--organization', world.organizationId, '--account', world.accountId],
        ...['--asset', world.token.uniqueAssetId, ...rest],
      );

    await set('--per-day', '100', '--automatic-below', '2.5');
    expect((await set('--per-day', '50')).json).toMatchObject({ per_day: '50', automatic_below: '0' });

    const { json } = await operator('refund-limits', 'list', '--organization', world.organizationId);
    expect(json).toMatchObject([{ account_id: world.accountId, per_day: '50', automatic_below: '0' }]);
    expect((await set('--per-day', '1e3')).status).toBe(1);
  });

  it('sets and sees the allotment and the refund basis', async () => {
    const allotted = await operator(
      ...['float', 'allot', world.organizationId, world.accountId, world.token.uniqueAssetId, '12.5'],
    );
    const unknown = await operator('float', 'basis', world.accountId, 'received');
    const other = await operator('float', 'basis', world.organizationId, 'anything');
    const { json } = await operator('float', 'basis', world.organizationId, 'received');

    expect(allotted.json).toMatchObject({ account_id: world.accountId, allotted: '12.5', left: '12.5' });
    expect([unknown.err, other.err]).toEqual([
      expect.stringContaining('No such organization'),
      expect.stringContaining('must be one of topped_up, received'),
    ]);
    expect(json).toMatchObject({ refund_basis: 'received' });
    const shown = await operator('float', 'status', '--organization', world.organizationId);
    expect(shown.json).toMatchObject([
      { refund_basis: 'received', allotments: [{ account_id: world.accountId, used: '0', left: '12.5' }] },
    ]);
  });
});
