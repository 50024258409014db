import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { X402Payment } from '../../domain/authorizations/x402-payment.js';
import { openAuthorizations, PAYER, type Signing } from '../../testing/authorizations/open-authorizations.js';
import { DOLLAR, ETHER, EURO, NETWORK } from '../../testing/requests/collecting-world.js';
import { refusal } from '../../testing/requests/open-payments.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { OfferByX402 } from './offer-by-x402.js';
import { PayByX402 } from './pay-by-x402.js';

let world: Signing;
let session: CheckoutView;
let payment: X402Payment;
beforeEach(async () => {
  world = await openAuthorizations();
  session = await world.asked();
  payment = await signed();
});
afterEach(() => world.close());

/** Another process's copy of the use case. */
function paying(): PayByX402 {
  const { queries, tokens, catalogue, urls, authorizations, platform } = world;
  const offer = new OfferByX402(queries, world.selecting(), tokens, catalogue, urls, authorizations);
  return new PayByX402(offer, world.submitting(), authorizations, platform.clock);
}
const pay = (sent = payment, option?: string) =>
  paying().execute({ sessionId: session.sessionId, option, maySelect: true }, sent);

/** The payer signs for what is asked for. */
async function signed(): Promise<X402Payment> {
  const choice = { sessionId: session.sessionId, option: undefined, maySelect: true };
  const asked = await paying().execute(choice, undefined);
  if (!('required' in asked)) throw new Error('Nothing is asked for.');
  const [accepted] = asked.required.accepts;
  const { authorization, signature } = await world.signed(session);
  return {
    ...{ resourceUrl: asked.required.resource.url, accepted: accepted! },
    ...{ authorization: { ...authorization, to: accepted!.payTo.toLowerCase() }, signature },
  };
}

/** The rules that are not met. */
async function rules(sent: X402Payment): Promise<string[]> {
  const answer = await pay(sent);
  return 'errors' in answer ? answer.errors.map(({ rule }) => rule) : [];
}

/** The worker sends it, and the watcher sees it. */
async function becomesSeen(): Promise<void> {
  const { id } = (await world.stored())[0]!;
  await world.look();
  const block = await world.carriedOut(session, id);
  await world.sender.becomes(id, 'mined', block);
  await world.look();
}

describe('A payment by x402 that was taken before', () => {
  beforeEach(() => pay());

  it('is answered without a node, and whatever option its URL names', async () => {
    await becomesSeen();
    world.tokens.isAway = true;
    const answers = [await pay(), await pay(payment, EURO.uniqueAssetId), await pay(payment, 'none')];

    for (const answer of answers)
      expect(answer).toMatchObject({
        isSeen: true,
        receipt: { network: 'eip155:1', payer: expect.stringMatching(new RegExp(PAYER, 'i')) },
      });
    expect(await world.stored()).toHaveLength(1);
  });

  it.each<[string, Partial<X402Payment['accepted']>]>([
    ['network', { network: 'eip155:2' }],
    ['asset', { asset: ETHER.token }],
    ['pay_to', { payTo: DOLLAR.token }],
    ['scheme', { scheme: 'upto' }],
  ])('is refused where it is said to be for another %s', async (rule, accepted) => {
    const sent = { ...payment, accepted: { ...payment.accepted, ...accepted } };

    expect(await rules(sent)).toContain(rule);
  });

  it('is refused where its URL is another one’s, or another address was signed', async () => {
    const { authorization } = payment;

    expect(await rules({ ...payment, resourceUrl: 'https://api.example/' })).toContain('resource');
    expect(await rules({ ...payment, authorization: { ...authorization, to: PAYER } })).toContain('pay_to');
  });

  it('is refused with its reason where it has failed, though the checkout goes on', async () => {
    world.catalogue.sponsor(NETWORK);
    await world.look();

    expect(await rules(payment)).toEqual(['ended']);
  });

  it('asks for no other payment where it has failed and the checkout has ended', async () => {
    await world.platform.advance(481);
    await world.look();
    world.tokens.isAway = true;

    expect((await refusal(pay())).message).toContain('has ended');
  });
});
