import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import { GAS_KEY } from '#contexts/networks/contract/sender.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import type { SubmittedAuthorization } from './submit-authorization.js';
import { openAuthorizations, PAYER, type Signing } from '../../testing/authorizations/open-authorizations.js';
import { transactionOf } from '../../testing/authorizations/stored-sender.js';
import { payAll } from '../../testing/checkout/open-checkouts.js';
import { DOLLAR, NETWORK } from '../../testing/requests/collecting-world.js';
import { pay } from '../../testing/requests/open-payments.js';

let world: Signing;
let session: CheckoutView;
let signed: SubmittedAuthorization;
beforeEach(async () => {
  world = await openAuthorizations();
  session = await world.asked();
  signed = await world.signed(session);
});
afterEach(() => world.close());

const stored = async () => (await world.stored())[0]!;
const states = async () => (await world.stored()).map(({ state, failureReason }) => [state, failureReason]);

/** The payer sends this much by hand, and the watcher reads it. */
async function byHand(amount: bigint): Promise<void> {
  world.chain.mine({ ...pay(session.selected!, 0), amount });
  await world.follow();
}

describe('An authorization that waits', () => {
  it('waits for the watcher where the sender is ahead of it', async () => {
    await world.submit(session, signed);
    const { id } = await stored();
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

  it('is seen where the watcher reads its block while it is looked at', async () => {
    await world.submit(session, signed);
    const { id } = await stored();
    await world.look();
    await world.sender.becomes(id, 'final', world.chain.tip.number + 1, 5n);
    const isReadPast = world.authorizations.isReadPast.bind(world.authorizations);
    const transferIn = world.authorizations.transferIn.bind(world.authorizations);
    let reading: Promise<void> | undefined;
    const read = () => (reading ??= world.carriedOut(session, id).then(() => world.becomesFinal()));
    world.authorizations.transferIn = (...of) => transferIn(...of).finally(read);
    world.authorizations.isReadPast = (...of) => isReadPast(...of).finally(read);

    await world.look();
    await world.look();

    expect(await states()).toEqual([['seen', null]]);
  });

  it('waits while no node answers, and while the gas key cannot send', async () => {
    await world.submit(session, signed);
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

  it('is not sent once its payer has sent a transfer by hand', async () => {
    await world.submit(session, signed);
    world.sender.refusal = 'The key holds too little.';
    await world.look();
    await byHand(session.selected!.amount);
    world.sender.refusal = null;

    await world.look();

    expect((await world.session(session))!.status).toBe('processing');
    expect([await states(), world.sender.orders]).toEqual([[['failed', 'ended']], []]);
  });

  it('is not sent where its payer sends a transfer by hand while it is simulated', async () => {
    await world.submit(session, signed);
    const plan = world.tokens.plan.bind(world.tokens);
    world.tokens.plan = async (each) => {
      await byHand(session.selected!.amount);
      return plan(each);
    };

    await world.look();
    expect([await states(), world.sender.orders]).toEqual([[['queued', null]], []]);

    await world.look();
    expect([await states(), world.sender.orders]).toEqual([[['failed', 'ended']], []]);
  });

  it('is not sent while one that was sent may pay what is missing', async () => {
    const half = session.selected!.amount / 2n;
    await world.submit(session, await world.signed(session, { value: half }));
    await world.look();
    await world.submit(session, await world.signed(session, { value: half }));
    await byHand(half);

    await world.look();
    expect(await states()).toEqual([
      ['sent', null],
      ['queued', null],
    ]);

    await byHand(half);
    await world.look();
    expect([await states(), world.sender.orders.length]).toEqual([
      [
        ['sent', null],
        ['failed', 'ended'],
      ],
      1,
    ]);
  });

  it('that somebody else carried out is seen however late the watcher reads it, though the checkout has ended', async () => {
    await world.submit(session, signed);
    world.useNonce(session, signed);
    world.chain.mine(payAll(session, DOLLAR));
    await world.look();
    await world.platform.advance(481);
    await world.look();
    expect(await states()).toEqual([['queued', null]]);

    await world.becomesFinal();
    await world.look();

    expect(await world.stored()).toMatchObject([{ state: 'seen', gasCost: 0n }]);
  });

  it('is seen where a restore lost its sending, and the gas key’s transaction was taken up under another id', async () => {
    await world.submit(session, signed);
    const call = { ...world.callOf(session, signed), gasLimit: 60_000n };
    const [network, adopted] = [NETWORK, newId()];
    const sending = { id: adopted, network, key: GAS_KEY, purpose: 'authorized_transfer', call } as const;
    world.sender.adopts = true;
    await world.sender.send({ ...sending, reservationCeiling: 1n });
    world.useNonce(session, signed);
    const block = await world.carriedOut(session, adopted);
    await world.becomesFinal();
    await world.sender.becomes(adopted, 'final', block, 777n);

    await world.look();

    expect(await world.stored()).toMatchObject([
      { state: 'seen', gasCost: 0n, transactionHash: transactionOf(adopted) },
    ]);
  });

  it('is sent after a refusal that passes', async () => {
    await world.submit(session, signed);
    const balance = world.tokens.balanceOf(PAYER);
    world.tokens.hold(PAYER, -balance);
    for (let looks = 1; looks <= 4; looks += 1) await world.look();
    expect(await world.stored()).toMatchObject([{ state: 'queued', held: 'Memory: balance.' }]);
    world.tokens.isAway = true;
    await world.look();
    world.tokens.isAway = false;
    await world.look();

    world.tokens.hold(PAYER, balance);
    await world.look();

    expect(await states()).toEqual([['sent', null]]);
  });

  it('delays none that was sent, however many are held', async () => {
    await world.submit(session, signed);
    await world.look();
    world.sender.refusal = 'The key holds too little.';
    for (let i = 0; i < 2; i += 1) {
      const other = await world.asked();
      await world.submit(other, await world.signed(other));
    }
    await world.platform.advance(4);

    const due = await world.authorizations.due(NETWORK, 2);

    expect(due.map(({ state }) => state)).toEqual(['queued', 'sent']);
  });

  it('goes before what was sent, which is seldom looked at once it is mined', async () => {
    await world.submit(session, signed);
    await world.look();
    const [{ id } = { id: '' }] = await world.stored();
    const block = await world.carriedOut(session, id);
    await world.sender.becomes(id, 'mined', block);
    await world.look();
    await world.platform.advance(4);
    expect(await world.authorizations.due(NETWORK, 1)).toEqual([]);
    await world.platform.advance(2);
    const other = await world.asked();
    await world.submit(other, await world.signed(other));

    const due = await world.authorizations.due(NETWORK, 2);

    expect(due.map(({ state }) => state)).toEqual(['queued', 'sent']);
  });
});
