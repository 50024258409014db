import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  openAuthorizations,
  RESERVED,
  type Signing,
} from '../../testing/authorizations/open-authorizations.js';
import { DOLLAR, EURO, NETWORK, OTHER_DOLLAR } from '../../testing/requests/collecting-world.js';
import { pay, refusal } from '../../testing/requests/open-payments.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { OfferByX402 } from './offer-by-x402.js';

let world: Signing;
let session: CheckoutView;
beforeEach(async () => {
  world = await openAuthorizations({ perPayment: RESERVED, perOrganizationAndDay: RESERVED });
  session = await world.checkout();
});
afterEach(() => world.close());

async function offer(option?: string) {
  const { queries, tokens, catalogue, urls, authorizations, platform } = world;
  const offering = new OfferByX402(queries, world.selecting(), tokens, catalogue, urls, authorizations);
  const choice = { sessionId: session.sessionId, option, maySelect: true };
  return offering.execute(choice, await platform.clock.now());
}
const selected = async () => (await world.session(session))!.selected?.uniqueAssetId;

const notSponsored = (rule: string) => ({ code: 'not_sponsored', errors: [{ rule }] });
const spendAll = async () => {
  const other = await world.asked();
  await world.submit(other, await world.signed(other));
};
const refusals: readonly (readonly [string, () => unknown, string, object])[] = [
  ['takes no signatures', () => undefined, EURO.uniqueAssetId, notSponsored('asset')],
  [
    'is on a network without gas',
    () => world.catalogue.sponsor(NETWORK),
    DOLLAR.uniqueAssetId,
    notSponsored('network'),
  ],
  ['has no gas left', spendAll, DOLLAR.uniqueAssetId, notSponsored('per_organization_and_day')],
  [
    'is on a network whose node is away',
    () => (world.tokens.isAway = true),
    DOLLAR.uniqueAssetId,
    { code: 'unavailable' },
  ],
  ['is no option', () => undefined, 'none', { code: 'validation_failed' }],
];

describe('An asset that x402 asks for', () => {
  it('is selected in place of another one', async () => {
    await world.select(session, EURO);

    expect((await offer(DOLLAR.uniqueAssetId.toLowerCase())).asset).toEqual(DOLLAR);
    expect(await selected()).toBe(DOLLAR.uniqueAssetId);
  });

  it.each(refusals)('is not selected where it %s', async (_what, change, option, expected) => {
    await change();

    expect(await refusal(offer(option))).toMatchObject(expected);
    expect(await selected()).toBeUndefined();
  });

  it.each(refusals)(
    'leaves the one that is selected where it %s',
    async (_what, change, option, expected) => {
      await world.select(session, OTHER_DOLLAR);
      await change();

      expect(await refusal(offer(option))).toMatchObject(expected);
      expect(await selected()).toBe(OTHER_DOLLAR.uniqueAssetId);
    },
  );

  it('is refused for the payment that is under way, before it is for what it takes', async () => {
    session = await world.select(session, DOLLAR);
    const half = session.selected!.amount / 2n;
    await world.submit(session, await world.signed(session, { value: half }));
    expect((await refusal(offer(EURO.uniqueAssetId))).message).toContain('by signature is in progress');

    world.chain.mine({ ...pay(session.selected!, 0), amount: half });
    await world.follow();

    expect(await refusal(offer(EURO.uniqueAssetId))).toMatchObject({
      code: 'state_conflict',
      message: expect.stringContaining('A payment has already been detected'),
    });
    expect(await selected()).toBe(DOLLAR.uniqueAssetId);
  });
});
