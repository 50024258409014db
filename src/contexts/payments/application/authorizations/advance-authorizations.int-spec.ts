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
import { DOLLAR, EURO, NETWORK } from '../../testing/requests/collecting-world.js';
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
const again = () => world.submit(session, signed);

/** Somebody else has had the token carry it out. */
async function frontRun(): Promise<number> {
  world.useNonce(session, signed);
  return world.carriedOut(session);
}

describe('An authorization', () => {
  it('is sent once by the gas key, seen once the watcher has the transfer, and costs what its receipt says', async () => {
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
    expect(await again()).toEqual({ status: 'sent' });

    world.useNonce(session, signed);
    const block = await world.carriedOut(session, id);
    await world.sender.becomes(id, 'mined', block);
    expect(await again()).toEqual({ status: 'seen', transactionHash: transactionOf(id) });
    expect((await stored()).state).toBe('sent');
    await world.becomesFinal();
    await world.sender.becomes(id, 'final', block, 777n);
    await world.look();

    expect(await stored()).toMatchObject({
      state: 'seen',
      gasCost: 777n,
      transactionHash: transactionOf(id),
    });
    expect(await again()).toEqual({ status: 'seen', transactionHash: transactionOf(id) });
    expect((await world.session(session))!.status).toBe('completed');
    expect(world.sender.orders).toHaveLength(1);
  });

  it('has failed where its final transaction moved nothing', async () => {
    await world.look();
    const block = world.chain.mine().number;
    await world.becomesFinal();
    await world.sender.becomes(id, 'final', block, 5n);

    await world.look();

    expect(await stored()).toMatchObject({ state: 'failed', failureReason: 'not_executed', gasCost: 5n });
  });

  it.each([
    ['the session has ended', () => world.platform.advance(481), 'ended'],
    ['the operator pays for none any more', async () => world.catalogue.sponsor(NETWORK), 'ended'],
    ['the payer holds less', async () => world.tokens.hold(PAYER, -world.tokens.balanceOf(PAYER)), 'balance'],
  ])('is not sent once %s', async (_what, change, reason) => {
    await change();

    for (let looks = 1; looks <= 5; looks += 1) await world.look();

    expect(world.sender.orders).toEqual([]);
    expect(await stored()).toMatchObject({ state: 'failed', gasCost: 0n, failureReason: reason });
    expect(await refusal(again())).toMatchObject({
      code: 'authorization_refused',
      errors: [{ rule: reason }],
    });
  });

  it('is not sent once the checkout is being paid in another asset', async () => {
    const { selected, ...other } = await world.select(await world.checkout(), EURO);
    const chosen = await world.select(other, DOLLAR);
    await world.submit(chosen, await world.signed(chosen));
    world.chain.mine({ ...pay(selected!, 0, EURO.token), amount: selected!.amount / 2n });
    await world.follow();
    await world.look();

    const [, row] = await world.stored();
    expect(row).toMatchObject({ state: 'failed', gasCost: 0n, failureReason: 'ended' });
  });

  it('is not sent where it expires before it can be mined, though it was stored in time', async () => {
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

  it('that somebody else carried out first costs the gas of its own transaction, and is seen, not sent again', async () => {
    await world.look();
    await frontRun();
    const block = world.chain.mine().number;
    await world.becomesFinal();
    await world.sender.becomes(id, 'reverted', block, 333n);

    await world.look();

    expect(await stored()).toMatchObject({ state: 'seen', gasCost: 333n });
    expect(world.sender.orders).toHaveLength(1);
    expect((await world.session(session))!.status).toBe('completed');
  });

  it('that somebody else carried out before it was sent costs nothing', async () => {
    await frontRun();
    await world.look();
    expect(await stored()).toMatchObject({ state: 'queued' });
    expect(await again()).toMatchObject({ status: 'seen' });

    await world.becomesFinal();
    await world.look();

    expect(await stored()).toMatchObject({ state: 'seen', gasCost: 0n });
    expect(world.sender.orders).toEqual([]);
  });

  it('has failed where its transaction was reverted, as soon as its block was read for good', async () => {
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

  it.each(['foreign', 'cancelled'] as const)('is not sent again where its nonce was %s', async (state) => {
    await world.look();
    await world.sender.becomes(id, state, 1, state === 'cancelled' ? 21n : null);

    await world.look();
    await world.look();

    const gasCost = state === 'cancelled' ? 21n : 0n;
    expect(await stored()).toMatchObject({ state: 'failed', failureReason: 'not_executed', gasCost });
    expect(world.sender.orders).toHaveLength(1);
  });

  it('whose nonce the payer cancelled has failed once the network was read past that', async () => {
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

  it('is sent once by two workers at once', async () => {
    await world.platform.advance(4);

    await Promise.all([world.advancing().execute(NETWORK), world.advancing().execute(NETWORK)]);

    expect(world.sender.orders).toHaveLength(1);
    expect(await stored()).toMatchObject({ state: 'sent' });
  });

  it('is sent once, whichever statement its worker dies at', async () => {
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
        .execute(NETWORK)
        .catch(() => undefined);
      world.database.beforeStatement = () => undefined;
      if (!died) break;
    }
    await world.look();

    const sendings = await world.platform.database.query('SELECT id FROM networks.sendings');
    expect([sendings, (await stored()).state]).toEqual([[{ id }], 'sent']);
  });
});
