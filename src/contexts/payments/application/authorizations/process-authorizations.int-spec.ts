import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutView } from '../requests/payment-request-view.js';
import type { SubmittedAuthorization } from './submit-authorization.js';
import {
  openAuthorizations,
  PAYER,
  RESERVED,
  type Signing,
} from '../../testing/authorizations/open-authorizations.js';
import { transactionOf } from '../../testing/authorizations/stored-sender.js';
import { NETWORK } from '../../testing/requests/collecting-world.js';
import { pay, refusal } from '../../testing/requests/open-payments.js';

let world: Signing;
let session: CheckoutView;
let signed: SubmittedAuthorization;
let id: string;
beforeEach(async () => {
  world = await openAuthorizations();
  session = await world.asked();
  signed = await world.signed(session);
  await world.submit(session, signed);
  id = (await world.stored())[0]!.id;
});
afterEach(() => world.close());

const stored = async () => (await world.stored())[0]!;
const submitAgain = () => world.submit(session, signed);

async function executeByThirdParty(): Promise<number> {
  world.useNonce(session, signed);
  return world.carriedOut(session);
}

describe('An authorization', () => {
  it('is sent once by the gas key, is seen once the watcher records it, and costs what its receipt says', async () => {
    await world.look();
    await world.look();
    expect(world.sender.orders).toMatchObject([
      {
        id,
        network: NETWORK,
        key: 'gas',
        purpose: 'authorized_transfer',
        reservationCeiling: RESERVED / 60_000n,
      },
    ]);
    expect(await submitAgain()).toEqual({ status: 'sent' });

    world.useNonce(session, signed);
    const block = await world.carriedOut(session, id);
    await world.sender.becomes(id, 'mined', block);
    expect(await submitAgain()).toEqual({ status: 'seen', transactionHash: transactionOf(id) });
    expect((await stored()).state).toBe('sent');
    await world.becomesFinal();
    await world.sender.becomes(id, 'final', block, 777n);
    await world.look();

    expect(await stored()).toMatchObject({
      state: 'seen',
      gasCost: 777n,
      transactionHash: transactionOf(id),
    });
    expect(await submitAgain()).toEqual({ status: 'seen', transactionHash: transactionOf(id) });
    expect((await world.session(session))!.status).toBe('completed');
    expect(world.sender.orders).toHaveLength(1);
  });

  it.each([
    ['the session has ended', () => world.platform.advance(481), 'ended'],
    [
      'the payer holds too little',
      async () => world.tokens.hold(PAYER, -world.tokens.balanceOf(PAYER)),
      'balance',
    ],
  ])('is not sent if %s', async (_what, change, reason) => {
    await change();

    for (let looks = 1; looks <= 5; looks += 1) await world.look();

    expect(world.sender.orders).toEqual([]);
    expect(await stored()).toMatchObject({ state: 'failed', gasCost: 0n, failureReason: reason });
    expect(await refusal(submitAgain())).toMatchObject({
      code: 'authorization_refused',
      errors: [{ rule: reason }],
    });
  });

  it('is not sent if it expires before it can be mined', async () => {
    const now = BigInt(Math.floor((await world.platform.clock.now()).getTime() / 1_000));
    const short = await world.asked();
    await world.submit(short, await world.signed(short, { validBefore: now + 60n }));
    world.sender.refusal = 'The key holds too little.';
    await world.look();

    await world.platform.advance(60);
    world.sender.refusal = null;
    await world.look();

    expect((await world.stored()).map(({ state, failureReason }) => [state, failureReason])).toEqual([
      ['sent', null],
      ['failed', 'time'],
    ]);
  });

  it('is seen if another sender executed it first, and costs the gas of the reverted transaction', async () => {
    await world.look();
    await executeByThirdParty();
    const block = world.chain.mine().number;
    await world.becomesFinal();
    await world.sender.becomes(id, 'reverted', block, 333n);

    await world.look();

    expect(await stored()).toMatchObject({ state: 'seen', gasCost: 333n });
    expect(world.sender.orders).toHaveLength(1);
    expect((await world.session(session))!.status).toBe('completed');
  });

  it('is seen at no cost if another sender executed it before it was sent, even after the session ended', async () => {
    await executeByThirdParty();
    await world.look();
    expect(await stored()).toMatchObject({ state: 'queued' });
    expect(await submitAgain()).toMatchObject({ status: 'seen' });
    await world.platform.advance(481);
    await world.look();

    await world.becomesFinal();
    await world.look();

    expect(await stored()).toMatchObject({ state: 'seen', gasCost: 0n });
    expect(world.sender.orders).toEqual([]);
  });

  it('fails after a reverted transaction once that block is final', async () => {
    await world.look();
    const block = world.chain.mine().number;
    await world.sender.becomes(id, 'reverted', block, 333n);
    world.useNonce(session, signed);
    await world.look();
    expect((await stored()).state).toBe('sent');

    await world.becomesFinal();
    await world.look();

    expect(await stored()).toMatchObject({ state: 'failed', failureReason: 'not_executed', gasCost: 333n });
  });

  it.each(['foreign', 'cancelled'] as const)(
    'is not sent again if its nonce was used by something else: %s',
    async (state) => {
      await world.look();
      await world.sender.becomes(id, state, 1, state === 'cancelled' ? 21n : null);

      await world.look();
      await world.look();

      const gasCost = state === 'cancelled' ? 21n : 0n;
      expect(await stored()).toMatchObject({ state: 'failed', failureReason: 'not_executed', gasCost });
      expect(world.sender.orders).toHaveLength(1);
    },
  );

  it('fails once the network is read past the block in which the payer cancelled its nonce', async () => {
    world.useNonce(session, signed);
    await world.look();
    const shown = await world.platform.clock.now();
    world.chain.mineBeyond(new Date(shown.getTime() + 60_000));
    await world.follow();
    await world.look();
    expect((await stored()).state).toBe('queued');

    await world.becomesFinal();
    await world.look();

    expect(await stored()).toMatchObject({ state: 'failed', failureReason: 'used', gasCost: 0n });
  });

  it('waits until its transfer is final, even if the network was read past the use of its nonce', async () => {
    world.useNonce(session, signed);
    await world.look();
    const used = await world.platform.clock.now();
    world.chain.mineBeyond(new Date(used.getTime() + 60_000));
    await world.becomesFinal();
    await world.carriedOut(session);
    await world.look();
    expect((await stored()).state).toBe('queued');

    await world.becomesFinal();
    await world.look();

    expect(await stored()).toMatchObject({ state: 'seen', gasCost: 0n });
  });

  it('is sent once by two concurrent workers', async () => {
    await world.platform.advance(4);

    await Promise.all([world.advancing().process(NETWORK), world.advancing().process(NETWORK)]);

    expect(world.sender.orders).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'sent' });
  });

  it('is sent once, whichever statement its worker is killed at', async () => {
    await world.platform.advance(4);
    for (let at = 1; ; at += 1) {
      const from = world.database.statements.length;
      let died = false;
      world.database.beforeStatement = (number) => {
        if (number < from + at) return;
        died = true;
        throw new Error('killed');
      };
      await world
        .advancing()
        .process(NETWORK)
        .catch(() => undefined);
      world.database.beforeStatement = () => undefined;
      if (!died) break;
    }
    await world.look();

    const sendings = await world.platform.database.query('SELECT id FROM networks.sendings');
    expect([sendings, (await stored()).state]).toEqual([[{ id }], 'sent']);
  });
});

const states = async () =>
  (await world.stored())
    .filter(({ paymentRequestId }) => paymentRequestId === session.id)
    .map(({ state, failureReason }) => [state, failureReason]);

/** Sends this amount in a normal transfer of the payer, which the watcher reads. */
async function payByTransfer(amount: bigint): Promise<void> {
  world.chain.mine({ ...pay(session.selected!, 0), amount });
  await world.follow();
}

describe('An authorization whose transfer is delayed', () => {
  it('waits while the sender is ahead of the watcher', async () => {
    await world.look();
    const block = world.chain.tip.number + 1;
    await world.sender.becomes(id, 'final', block, 5n);
    await world.look();
    expect((await stored()).state).toBe('sent');
    expect(await world.submit(session, signed)).toEqual({
      status: 'sent',
      transactionHash: transactionOf(id),
    });

    await world.carriedOut(session, id);
    await world.look();

    expect(await stored()).toMatchObject({ state: 'seen', gasCost: 5n });
  });

  it('is seen if the watcher reads its block during the check', async () => {
    await world.look();
    await world.sender.becomes(id, 'final', world.chain.tip.number + 1, 5n);
    const isReadPast = world.authorizations.isFinalBlockRead.bind(world.authorizations);
    const transferIn = world.authorizations.findTransferIn.bind(world.authorizations);
    let reading: Promise<void> | undefined;
    const read = () => (reading ??= world.carriedOut(session, id).then(() => world.becomesFinal()));
    world.authorizations.findTransferIn = (...of) => transferIn(...of).finally(read);
    world.authorizations.isFinalBlockRead = (...of) => isReadPast(...of).finally(read);

    await world.look();
    await world.look();

    expect(await states()).toEqual([['seen', null]]);
  });

  it('waits while no node answers, or the gas key cannot send', async () => {
    world.tokens.isAway = true;
    await world.look();
    expect(await stored()).toMatchObject({ state: 'queued', held: expect.stringContaining('away') });
    world.tokens.isAway = false;
    world.sender.refusal = 'The key holds too little.';
    await world.look();
    expect(await stored()).toMatchObject({ state: 'queued', held: 'The key holds too little.' });
    world.sender.refusal = null;

    await world.look();

    expect(await stored()).toMatchObject({ state: 'sent', held: null });
  });

  it('is not sent after the payer transferred the amount by hand', async () => {
    world.sender.refusal = 'The key holds too little.';
    await world.look();
    await payByTransfer(session.selected!.amount);
    world.sender.refusal = null;

    await world.look();

    expect((await world.session(session))!.status).toBe('processing');
    expect([await states(), world.sender.orders]).toEqual([[['failed', 'ended']], []]);
  });

  it('is not sent if the payer transfers the amount by hand during the simulation', async () => {
    const plan = world.tokens.plan.bind(world.tokens);
    world.tokens.plan = async (each) => {
      await payByTransfer(session.selected!.amount);
      return plan(each);
    };

    await world.look();
    expect([await states(), world.sender.orders]).toEqual([[['queued', null]], []]);

    await world.look();
    expect([await states(), world.sender.orders]).toEqual([[['failed', 'ended']], []]);
  });

  it('is not sent while an earlier authorization may pay the remaining amount', async () => {
    session = await world.asked();
    const half = session.selected!.amount / 2n;
    await world.submit(session, await world.signed(session, { value: half }));
    await world.look();
    await world.submit(session, await world.signed(session, { value: half }));
    await payByTransfer(half);

    await world.look();
    expect(await states()).toEqual([
      ['sent', null],
      ['queued', null],
    ]);

    await payByTransfer(half);
    await world.look();
    expect(await states()).toEqual([
      ['sent', null],
      ['failed', 'ended'],
    ]);
  });

  it('is due while it is queued before one that was sent, which is checked less often once it is mined', async () => {
    await world.look();
    const block = await world.carriedOut(session, id);
    await world.sender.becomes(id, 'mined', block);
    await world.look();
    await world.platform.advance(4);
    expect(await world.authorizations.listDue(NETWORK, 1)).toEqual([]);
    await world.platform.advance(2);
    const other = await world.asked();
    await world.submit(other, await world.signed(other));

    const due = await world.authorizations.listDue(NETWORK, 2);

    expect(due.map(({ state }) => state)).toEqual(['queued', 'sent']);
  });
});
