import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutView } from '../requests/payment-request-view.js';
import type { SubmittedAuthorization } from './submit-authorization.js';
import { openAuthorizations, type Signing } from '../../testing/authorizations/open-authorizations.js';
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

const states = async () => (await world.stored()).map(({ state, failureReason }) => [state, failureReason]);

/** The payer sends this much by hand, and the watcher reads it. */
async function byHand(amount: bigint): Promise<void> {
  world.chain.mine({ ...pay(session.selected!, 0), amount });
  await world.follow();
}

describe('An authorization that waits', () => {
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
});
