import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  openAuthorizations,
  RESERVED,
  type Signing,
  PAYER,
} from '../../testing/authorizations/open-authorizations.js';
import { DOLLAR, EURO, NETWORK, OTHER_DOLLAR, ETHER } from '../../testing/requests/collecting-world.js';
import { pay, refusal } from '../../testing/requests/open-payments.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { OfferByX402 } from './offer-by-x402.js';
import type { X402Payment } from '../../domain/authorizations/x402-payment.js';
import { PayByX402 } from './pay-by-x402.js';

const LIMITS = { perPayment: RESERVED, perOrganizationAndDay: RESERVED, perDay: 100n * RESERVED };

let world: Signing;
let session: CheckoutView;
beforeEach(async () => {
  world = await openAuthorizations(LIMITS);
  session = await world.checkout();
});
afterEach(() => world.close());

async function offer(option?: string, now?: Date) {
  const { queries, chains, catalogue, urls, authorizations, platform } = world;
  const offering = new OfferByX402(queries, world.selecting(), chains, catalogue, urls, authorizations);
  const choice = { sessionId: session.sessionId, option, maySelect: true };
  return offering.offer(choice, now ?? (await platform.clock.now()));
}
const selectedAssetId = async () => (await world.session(session))!.selected?.uniqueAssetId;

const notSponsored = (rule: string) => ({ code: 'not_sponsored', errors: [{ rule }] });

describe('An asset requested by x402', () => {
  it.each([undefined, OTHER_DOLLAR])(
    'replaces the earlier selection only once it is accepted: case %#',
    async (before) => {
      if (before !== undefined) await world.select(session, before);
      const dollar = DOLLAR.uniqueAssetId;

      expect(await refusal(offer(EURO.uniqueAssetId))).toMatchObject(notSponsored('asset'));
      expect(await refusal(offer('none'))).toMatchObject({ code: 'validation_failed' });
      world.tokens.isAway = true;
      expect(await refusal(offer(dollar))).toMatchObject({ code: 'unavailable' });
      world.tokens.isAway = false;
      const other = await world.asked();
      await world.submit(other, await world.signed(other));
      expect(await refusal(offer(dollar))).toMatchObject(notSponsored('per_organization_and_day'));
      world.catalogue.sponsor(NETWORK);
      expect(await refusal(offer(dollar))).toMatchObject(notSponsored('network'));

      expect(await selectedAssetId()).toBe(before?.uniqueAssetId);
      world.catalogue.sponsor(NETWORK, { ...LIMITS, perOrganizationAndDay: 9n * RESERVED });
      expect((await offer(dollar.toLowerCase())).asset).toEqual(DOLLAR);
      expect(await selectedAssetId()).toBe(dollar);
    },
  );

  it('is rejected while another payment is in progress or detected', async () => {
    session = await world.select(session, DOLLAR);
    const { required } = await offer(undefined, new Date(session.expiresAt.getTime() - 100_001));
    expect(required.accepts[0]!.maxTimeoutSeconds).toBe(100);
    const half = session.selected!.amount / 2n;
    await world.submit(session, await world.signed(session, { value: half }));
    expect((await refusal(offer(EURO.uniqueAssetId))).message).toContain('by signature is in progress');

    world.chain.mine({ ...pay(session.selected!, 0), amount: half });
    await world.follow();

    expect(await refusal(offer(EURO.uniqueAssetId))).toMatchObject({
      code: 'state_conflict',
      message: expect.stringContaining('A payment has already been detected'),
    });
    expect(await selectedAssetId()).toBe(DOLLAR.uniqueAssetId);
  });
});

let payment: X402Payment;

function newPayByX402(): PayByX402 {
  const { queries, chains, catalogue, urls, authorizations, platform } = world;
  const offer = new OfferByX402(queries, world.selecting(), chains, catalogue, urls, authorizations);
  return new PayByX402(offer, world.submitting(), authorizations, platform.clock);
}
const submit = (sent = payment, option?: string) =>
  newPayByX402().pay({ sessionId: session.sessionId, option, maySelect: true }, sent);

/** Signs the payment that the session requests. */
async function signOffer(): Promise<X402Payment> {
  const choice = { sessionId: session.sessionId, option: undefined, maySelect: true };
  const asked = await newPayByX402().pay(choice, undefined);
  if (!('required' in asked)) throw new Error('Nothing is asked for.');
  const [accepted] = asked.required.accepts;
  const { authorization, signature } = await world.signed(session);
  return {
    ...{ resourceUrl: asked.required.resource.url, accepted: accepted! },
    ...{ authorization: { ...authorization, to: accepted!.payTo.toLowerCase() }, signature },
  };
}

async function violatedRules(sent: X402Payment): Promise<string[]> {
  const answer = await submit(sent);
  return 'errors' in answer ? answer.errors.map(({ rule }) => rule) : [];
}

async function makeTransferSeen(): Promise<void> {
  const { id } = (await world.stored())[0]!;
  await world.look();
  const block = await world.carriedOut(session, id);
  await world.sender.becomes(id, 'mined', block);
  await world.look();
}

describe('An x402 payment that is submitted again', () => {
  beforeEach(async () => {
    session = await world.select(session, DOLLAR);
    payment = await signOffer();
    await submit();
  });

  it('is answered without a node, whatever option its URL names', async () => {
    await makeTransferSeen();
    world.tokens.isAway = true;
    const answers = [
      await submit(),
      await submit(payment, EURO.uniqueAssetId),
      await submit(payment, 'none'),
    ];

    for (const answer of answers)
      expect(answer).toMatchObject({
        isSeen: true,
        receipt: { network: 'eip155:1', payer: expect.stringMatching(new RegExp(PAYER, 'i')) },
      });
    expect(await world.stored()).toHaveLength(1);
  });

  it('is rejected for another network, asset, recipient, scheme or URL', async () => {
    const { authorization, accepted } = payment;
    for (const [rule, changed] of [
      ['network', { network: 'eip155:2' }],
      ['asset', { asset: ETHER.token }],
      ['pay_to', { payTo: DOLLAR.token }],
      ['scheme', { scheme: 'upto' }],
    ] as const)
      expect(await violatedRules({ ...payment, accepted: { ...accepted, ...changed } })).toContain(rule);

    expect(await violatedRules({ ...payment, resourceUrl: 'https://api.example/' })).toContain('resource');
    expect(await violatedRules({ ...payment, authorization: { ...authorization, to: PAYER } })).toContain(
      'pay_to',
    );
  });

  it('is rejected with its reason if it has failed', async () => {
    world.catalogue.sponsor(NETWORK);
    await world.look();

    expect(await violatedRules(payment)).toEqual(['ended']);
  });

  it('requests no other payment if it has failed and the checkout has ended', async () => {
    await world.platform.advance(481);
    await world.look();
    world.tokens.isAway = true;

    expect((await refusal(submit())).message).toContain('has ended');
  });
});
