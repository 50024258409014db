import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import {
  openAuthorizations,
  RESERVED,
  type Signing,
} from '#contexts/payments/testing/authorizations/open-authorizations.js';
import { DOLLAR, EURO, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { newId } from '#shared/kernel/ids.js';
import { SponsoringStatisticsQuery } from './sponsoring-statistics.js';

const LIMIT = 10n * RESERVED;
const LIMITS = { perPayment: LIMIT, perOrganizationAndDay: LIMIT, perDay: LIMIT };

let world: Signing;
beforeEach(async () => void (world = await openAuthorizations()));
afterEach(() => world.close());

async function stored(session: CheckoutView, { asset = DOLLAR, nonce = '' } = {}) {
  const { authorization, signature } = await world.signed(session, nonce === '' ? {} : { nonce });
  const to = session.selected!.address.toLowerCase();
  const authorized = {
    ...{ id: newId<string>(), paymentRequestId: session.id, accountId: session.accountId },
    ...{ organizationId: session.organizationId, uniqueAssetId: asset.uniqueAssetId, reservedCost: RESERVED },
    ...{ network: NETWORK, token: asset.token, signature, authorization: { ...authorization, to } },
  };
  await world.database.run(() => world.authorizations.store(authorized, LIMITS));
  return authorized;
}

const usedAt = async () =>
  (await world.database.query<{ at: Date | null }>('SELECT used_at AS at FROM payments.authorizations'))[0]!
    .at;

describe('A stored authorization', () => {
  it('takes precedence over one of another request with the same nonce', async () => {
    const [other, own] = [await world.asked(), await world.asked()];
    const first = await stored(other);
    const { nonce } = first.authorization;
    const second = await stored(own, { asset: EURO, nonce });

    const found = (session: CheckoutView) => world.authorizations.find(first, session.id);

    expect([(await found(other))!.id, (await found(own))!.id]).toEqual([first.id, second.id]);
  });

  it('keeps the time when its nonce was first reported as used', async () => {
    const { id } = await stored(await world.asked());
    const putOff = (isUsed: boolean) => world.authorizations.postpone(id, { seconds: 0, isUsed });
    await putOff(true);
    const first = await usedAt();
    await world.platform.advance(30);
    await putOff(true);
    const second = await usedAt();
    await putOff(false);

    expect(first).toBeInstanceOf(Date);
    expect([second, await usedAt()]).toEqual([first, null]);
  });

  it('counts as read past its use one minute after its nonce was used', async () => {
    const { id } = await stored(await world.asked());
    await world.authorizations.postpone(id, { seconds: 0, isUsed: true });
    const at = await usedAt();
    const undone = new Error('undone');
    const isReadPast: boolean[] = [];

    const tried = world.database.run(async () => {
      for (const seconds of [59, 61]) {
        await world.database.query(
          'UPDATE payments.chain_cursors SET final_number = head_number, final_time = $1::timestamptz + make_interval(secs => $2)',
          [at, seconds],
        );
        isReadPast.push((await world.authorizations.listDue(NETWORK, 10))[0]!.isReadPastUse);
      }
      throw undone;
    });

    await expect(tried).rejects.toBe(undone);
    expect(isReadPast).toEqual([false, true]);
  });

  it('is matched with the first matching transfer after it was stored', async () => {
    const session = await world.asked();
    await world.carriedOut(session);
    await world.platform.advance(5);
    const authorization = await stored(session);
    const before = await world.authorizations.findTransferByThirdParty(authorization as never);
    await world.carriedOut(session);
    await world.carriedOut(session);
    const transfers = await world.database.query<{ hash: string }>(
      'SELECT transaction_hash AS hash FROM payments.transfers ORDER BY block_number',
    );

    const found = await world.authorizations.findTransferByThirdParty(authorization as never);

    expect([before, found?.transactionHash, transfers.length]).toEqual([null, transfers[1]!.hash, 3]);
  });

  it('does not end once a nonce is reserved for it, even while it is queued', async () => {
    const { id } = await stored(await world.asked());
    const failure = { reason: 'ended' as const, says: 'The checkout has ended.' };
    const undone = new Error('undone');
    let hasEnded: boolean | undefined;

    const tried = world.database.run(async () => {
      await world.database.query(
        `INSERT INTO networks.sendings (id, network, sender, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose, key)
         VALUES ($1, $2, $3, 0, $3, '', 0, 1, 1, 'authorized_transfer', 'gas')`,
        [id, NETWORK, `0x${'ab'.repeat(20)}`],
      );
      const ending = { transactionHash: null, gasCost: 0n, failure };
      hasEnded = await world.authorizations.end({ id, state: 'queued' }, ending);
      throw undone;
    });

    await expect(tried).rejects.toBe(undone);
    expect(hasEnded).toBe(false);
  });

  it('is shown to operators with the reason why the oldest one is held', async () => {
    const first = await stored(await world.asked());
    await world.platform.advance(60);
    const second = await stored(await world.asked());
    for (const { id } of [second, first])
      await world.authorizations.postpone(id, { seconds: 0, held: id === first.id ? 'first' : 'second' });

    const figures = await new SponsoringStatisticsQuery(world.database).readByNetwork();

    expect(figures.find(({ network }) => network === NETWORK)).toMatchObject({ held: 'first', queued: 2 });
  });
});

describe('A network', () => {
  it('is read past every block up to its final block, and no further', async () => {
    await world.becomesFinal();
    const [{ number } = { number: 0 }] = await world.database.query<{ number: number }>(
      'SELECT final_number AS number FROM payments.chain_cursors WHERE network = $1',
      [NETWORK],
    );

    expect(await world.authorizations.isFinalBlockRead(NETWORK, number)).toBe(true);
    expect(await world.authorizations.isFinalBlockRead(NETWORK, number + 1)).toBe(false);
  });
});
