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

describe('A checkout without a selected asset', () => {
  it('expires by the clock after its window, though no network is read', async () => {
    const [checkout, selected] = [await checkouts.checkout(), await checkouts.checkout()];
    await checkouts.select(selected, DOLLAR);

    await checkouts.platform.advance(475);
    await checkouts.expireUnselected.expire();
    const before = await checkouts.session(checkout);
    await checkouts.platform.advance(6);
    const more = await checkouts.expireUnselected.expire();

    expect([before!.status, more]).toEqual(['pending', false]);
    expect((await checkouts.session(checkout))!.status).toBe('expired');
    expect(await checkouts.told(checkout)).toEqual(['pending', 'expired']);
    expect((await checkouts.session(selected))!.status).toBe('created');
  });

  it('expires once when several workers check concurrently', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => checkouts.checkout()));
    await checkouts.platform.advance(481);

    await Promise.all(Array.from({ length: 6 }, () => checkouts.expireUnselected.expire()));

    for (const checkout of all) expect(await checkouts.told(checkout)).toEqual(['pending', 'expired']);
  });

  it('is either selected or expired when both are tried in its last moment', async () => {
    const [checkout, now] = [await checkouts.checkout(), await checkouts.platform.clock.now()];
    await checkouts.platform.advance((checkout.expiresAt.getTime() - now.getTime()) / 1_000 - 0.05);

    const tried = await Promise.allSettled([
      ...Array.from({ length: 10 }, () => checkouts.select(checkout, DOLLAR)),
      ...Array.from({ length: 10 }, async (_, n) => {
        await new Promise((resolve) => setTimeout(resolve, n * 10));
        await checkouts.expireUnselected.expire();
      }),
    ]);

    await checkouts.expireUnselected.expire();
    const selected = tried.slice(0, 10).some(({ status }) => status === 'fulfilled');
    const session = await checkouts.session(checkout);
    expect(session!.status).toBe(selected ? 'created' : 'expired');
    expect(await checkouts.told(checkout)).toEqual(['pending', session!.status]);
  });
});
