import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import { ALWAYS, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { NaspipPaymentTokens } from './naspip-payment-tokens.js';
import { PaymentsSettings } from '../../application/requests/payments-settings.js';

const NOON = new Date('2026-01-31T12:00:00.000Z');
const later = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);

function tokensOf(issuer: string, keyId: string, secretKey = generatePaserkKeyPair().secretKey) {
  const key = { id: keyId, secretKey, signsFrom: ALWAYS, endsAt: later(86_400) };
  const keys = new SigningKeyRing([key]);
  return new NaspipPaymentTokens(new PaymentsSettings(480, 1_000, { issuer, keys }));
}
const request = {
  id: newId(),
  organizationId: newId(),
  accountId: newId(),
  pointOfSaleId: newId(),
  type: 'fixed',
  status: 'created',
  fulfilled: false,
  createdAt: NOON,
  expiresAt: later(480),
  network: 'sandbox',
  currency: 'USDX',
  uniqueAssetId: 'nsandbox_tUSDX',
  decimals: 6,
  amount: 12_500_000n,
  address: `0x${'ab'.repeat(20)}`,
} as const;
const merchant = { name: 'Corner Coffee' };

const ours = tokensOf('pay.example', 'key-2026');
const token = ours.issue(request as never, merchant);
const read = (text: string, at = later(60)) => ours.read(text, at);

function ruleOf(text: string, at?: Date): unknown {
  try {
    return read(text, at);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    expect([error.code, error.errors.map(({ field }) => field)]).toEqual(['validation_failed', ['token']]);
    return error.errors[0]!.rule;
  }
}

/** With one character of the signed part changed. */
function changed(text: string, from: number): string {
  const at = text.length - from;
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}

describe('Reading a payment token', () => {
  it('answers claims and payload of a token of this service', () => {
    expect(read(token)).toMatchObject({
      claims: { kis: 'pay.example', kid: 'key-2026', exp: request.expiresAt.toISOString() },
      payload: {
        payment: { id: request.id, address: request.address, amount: '12.5', isOpen: false },
        order: { total: '12.5', coinCode: 'USDX', merchant },
      },
    });
  });

  it('answers the URL payload of a checkout’s token', () => {
    const checkout = {
      url: 'https://api.example/public/checkout/s/payment',
      amount: '12.5',
      coinCode: 'EUR',
      paymentOptions: ['nsandbox_tUSDX'],
      createdAt: NOON,
      expiresAt: later(480),
    };

    const { payload } = read(ours.issueForCheckout(checkout, merchant));

    expect(payload).toMatchObject({ url: checkout.url, paymentOptions: checkout.paymentOptions });
  });

  it.each([
    ['nothing', '', 'token_malformed'],
    ['a control character', 'naspip;\0', 'token_malformed'],
    ['a wallet link', `https://wallet.example/?naspip_token=${token}`, 'token_malformed'],
    ['a short issuer', token.replace('pay.example', 'pay'), 'key_issuer_malformed'],
    ['a long key id', token.replace('key-2026', 'k'.repeat(21)), 'key_id_malformed'],
    ['PASETO of another version', token.replace('v4.public', 'v3.public'), 'paseto_malformed'],
    ['PASETO with a footer', `${token}.AAAA`, 'paseto_malformed'],
    ['too long a token', token + 'A'.repeat(16_384), 'token_oversized'],
    ['a changed signature', changed(token, 20), 'signature_invalid'],
    ['a changed message', changed(token, 150), 'signature_invalid'],
    [
      'another issuer',
      tokensOf('other.example', 'key-2026').issue(request as never, merchant),
      'key_unknown',
    ],
    ['a name of Object.prototype', token.replace('pay.example', 'constructor'), 'key_unknown'],
    ['another key id', token.replace('key-2026', 'key-2025'), 'key_unknown'],
    [
      'a stranger’s key of our name',
      tokensOf('pay.example', 'key-2026').issue(request as never, merchant),
      'signature_invalid',
    ],
  ])('refuses %s', (_, text, rule) => {
    expect(ruleOf(text)).toBe(rule);
  });

  it.each([
    ['expired', later(480), 'token_expired'],
    ['issued in the future', later(-61), 'issued_in_future'],
  ])('refuses one that is %s', (_, at, rule) => {
    expect(ruleOf(token, at)).toBe(rule);
  });
});
