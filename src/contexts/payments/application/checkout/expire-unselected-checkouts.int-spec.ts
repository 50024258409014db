import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR } from '../../testing/requests/collecting-world.js';
import { openCheckouts, type Checkouts } from '../../testing/checkout/open-checkouts.js';

let checkouts: Checkouts;
beforeEach(async () => {
  checkouts = await openCheckouts();
});
afterEach(async () => {
  await checkouts.close();
});

describe('A checkout whose payer chooses nothing', () => {
  it('expires by the clock, not before its end, though no network is read', async () => {
    const checkout = await checkouts.checkout();

    await checkouts.platform.advance(475);
    await checkouts.expireUnselected.execute();
    const before = await checkouts.session(checkout);
    await checkouts.platform.advance(6);
    const more = await checkouts.expireUnselected.execute();

    expect([before!.status, more]).toEqual(['pending', false]);
    expect((await checkouts.session(checkout))!.status).toBe('expired');
    expect(await checkouts.told(checkout)).toEqual(['pending', 'expired']);
  });

  it('expires once when many look at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => checkouts.checkout()));
    await checkouts.platform.advance(481);

    await Promise.all(Array.from({ length: 6 }, () => checkouts.expireUnselected.execute()));

    for (const checkout of all) expect(await checkouts.told(checkout)).toEqual(['pending', 'expired']);
  });

  it('is left alone once an asset is selected', async () => {
    const checkout = await checkouts.checkout();
    await checkouts.select(checkout, DOLLAR);
    await checkouts.platform.advance(481);

    await checkouts.expireUnselected.execute();

    expect((await checkouts.session(checkout))!.status).toBe('created');
  });

  it('is either selected or expired when both are tried in its last moment', async () => {
    const [checkout, now] = [await checkouts.checkout(), await checkouts.platform.clock.now()];
    await checkouts.platform.advance((checkout.expiresAt.getTime() - now.getTime()) / 1_000 - 0.05);

    const tried = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => checkouts.select(checkout, DOLLAR)),
      ...Array.from({ length: 10 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 10));
        await checkouts.expireUnselected.execute();
      }),
    ]);

    await checkouts.expireUnselected.execute();
    const selected = tried.slice(0, 10).some(({ status }) => status === 'fulfilled');
    const session = await checkouts.session(checkout);
    expect(session!.status).toBe(selected ? 'created' : 'expired');
    expect(await checkouts.told(checkout)).toEqual(['pending', session!.status]);
  });
});
