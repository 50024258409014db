import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { DomainError } from '#shared/kernel/domain-error.js';
import { newId } from '#shared/kernel/ids.js';
import type { PaymentRequestTokenFields } from '../../application/requests/payment-request-view.js';
import { SIGNS_FROM_ALWAYS, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { decodeNaspipToken, keyLookupIn, verifyNaspipToken } from '#shared/naspip/naspip-token.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';
import { PaymentsSettings, type NaspipKey } from '../../application/requests/payments-settings.js';
import { NaspipPaymentTokens } from './naspip-payment-tokens.js';

const keyExpiresAt = new Date('2027-01-01T00:00:00.000Z');
const before = (seconds: number) => new Date(keyExpiresAt.getTime() - seconds * 1_000);

const keyOf = (id: string, signsFrom: Date, endsAt = keyExpiresAt): NaspipKey => ({
  id,
  secretKey: generatePaserkKeyPair().secretKey,
  signsFrom,
  endsAt,
});
const tokensOf = (keys: SigningKeyRing<NaspipKey>, issuer = 'pay.example') =>
  new NaspipPaymentTokens(new PaymentsSettings(480, { issuer, keys }));
const tokens = () => tokensOf(new SigningKeyRing([keyOf('key-1', SIGNS_FROM_ALWAYS)]));

const request = (createdAt: Date): PaymentRequestTokenFields => ({
  id: newId(),
  organizationId: newId(),
  accountId: newId(),
  pointOfSaleId: newId(),
  type: 'fixed',
  status: 'created',
  fulfilled: false,
  network: 'sandbox',
  uniqueAssetId: 'nsandbox_tUSDX',
  currency: 'USDX',
  decimals: 6,
  amount: 12_500_000n,
  address: `0x${'ab'.repeat(20)}`,
  createdAt,
  expiresAt: new Date(createdAt.getTime() + 480_000),
});

afterEach(() => Logger.overrideLogger(['error', 'warn', 'log']));

describe('The issuer of payment tokens during a change of keys', () => {
  const change = before(86_400);
  const at = (seconds: number) => new Date(change.getTime() + seconds * 1_000);
  const [old, next] = [keyOf('key-old', SIGNS_FROM_ALWAYS), keyOf('key-new', change)];
  const signedBy = (token: string) => decodeNaspipToken(token).keyId;

  it('uses the new key from its start on and verifies tokens with both published keys', () => {
    const ring = new SigningKeyRing([old]);
    const signing = tokensOf(ring);
    const first = signing.issue(request(at(-600)), { name: 'Shop' });
    ring.replace([old, next]);
    const published = keyLookupIn(signing.publicKeys());
    const [second, third] = [-1, 0].map((seconds) => signing.issue(request(at(seconds)), { name: 'Shop' }));

    expect([first, second!, third!].map(signedBy)).toEqual(['key-old', 'key-old', 'key-new']);
    expect(Object.keys(signing.publicKeys()['pay.example']!)).toEqual(['key-new', 'key-old']);
    expect(verifyNaspipToken(first, published, at(-300)).payload).toHaveProperty('payment');
    expect(verifyNaspipToken(second!, published, at(400)).payload).toHaveProperty('payment');
    expect(verifyNaspipToken(third!, published, at(400)).payload).toHaveProperty('payment');
    expect(signing.read(second!, at(400)).keyId).toBe('key-old');
  });

  it('issues the same token for the same request', () => {
    const signing = tokensOf(new SigningKeyRing([old, next]));
    const again = request(at(-5));

    expect(signing.issue(again, { name: 'Shop' })).toBe(
      tokensOf(new SigningKeyRing([old])).issue(again, { name: 'Shop' }),
    );
  });

  it('rejects tokens of a removed key and signs again with another one', () => {
    const ring = new SigningKeyRing([old, next]);
    const signing = tokensOf(ring);
    const early = request(at(-5));
    const token = signing.issue(early, { name: 'Shop' });

    ring.replace([next]);

    const errors = [expect.objectContaining({ field: 'token', rule: 'key_unknown' })];
    expect(() => signing.read(token, at(1))).toThrow(expect.objectContaining({ errors }));
    expect(signedBy(signing.issue(early, { name: 'Shop' }))).toBe('key-new');
  });
});

describe('The issuer of payment tokens near the expiry of its key', () => {
  it('issues a token that expires no later than the key', () => {
    expect(tokens().issue(request(before(480)), { name: 'Shop' })).toMatch(/^naspip;/);
  });

  it('is unavailable after the key has expired, with one line in the log', () => {
    const errors: unknown[] = [];
    const nothing = () => undefined;
    Logger.overrideLogger({ error: (line: unknown) => errors.push(line), warn: nothing, log: nothing });
    const late = tokens();

    for (const seconds of [479, 1, -3_600]) {
      expect(() => late.issue(request(before(seconds)), { name: 'Shop' })).toThrow(
        expect.objectContaining({ kind: 'unavailable', code: 'unavailable' }),
      );
    }

    expect(errors).toEqual([
      expect.objectContaining({ key_id: 'key-1', expires_at: new Date('2027-01-01T00:00:00.000Z') }),
    ]);
  });
});

describe('A payment token that is read', () => {
  const created = request(before(86_400));
  const later = (seconds: number) => new Date(created.createdAt.getTime() + seconds * 1_000);
  const merchant = { name: 'Corner Coffee' };
  const ours = tokens();
  const token = ours.issue(created, merchant);
  const other = (issuer: string) =>
    tokensOf(new SigningKeyRing([keyOf('key-1', SIGNS_FROM_ALWAYS)]), issuer).issue(created, merchant);

  function ruleOf(text: string, at = later(60)): unknown {
    try {
      return ours.read(text, at);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      expect([error.code, error.errors.map(({ field }) => field)]).toEqual(['validation_failed', ['token']]);
      return error.errors[0]!.rule;
    }
  }

  /** Returns the token with one character of its signed part changed. */
  function changed(from: number): string {
    const at = token.length - from;
    return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
  }

  it('has the claims and the payload of the request or of the checkout', () => {
    const checkout = {
      ...{ url: 'https://api.example/public/checkout/s/payment', amount: '12.5', coinCode: 'EUR' },
      ...{ paymentOptions: ['nsandbox_tUSDX'], createdAt: created.createdAt, expiresAt: later(480) },
    };

    expect(ours.read(token, later(60))).toMatchObject({
      claims: { kis: 'pay.example', kid: 'key-1', exp: created.expiresAt.toISOString() },
      payload: {
        payment: { id: created.id, address: created.address, amount: '12.5', isOpen: false },
        order: { total: '12.5', coinCode: 'USDX', merchant },
      },
    });
    expect(ours.read(ours.issueForCheckout(checkout, merchant), later(60)).payload).toMatchObject({
      ...{ url: checkout.url, paymentOptions: checkout.paymentOptions },
    });
  });

  it.each([
    ['nothing', '', 'token_malformed'],
    ['a wallet link', `https://wallet.example/?naspip_token=${token}`, 'token_malformed'],
    ['a short issuer', token.replace('pay.example', 'pay'), 'key_issuer_malformed'],
    ['a long key id', token.replace('key-1', 'k'.repeat(21)), 'key_id_malformed'],
    ['PASETO of another version', token.replace('v4.public', 'v3.public'), 'paseto_malformed'],
    ['too long a token', token + 'A'.repeat(16_384), 'token_oversized'],
    ['a changed signature', changed(20), 'signature_invalid'],
    ['a changed message', changed(150), 'signature_invalid'],
    ['another issuer', other('other.example'), 'key_unknown'],
    ['a name of Object.prototype', token.replace('pay.example', 'constructor'), 'key_unknown'],
    ['another key id', token.replace('key-1', 'key-2'), 'key_unknown'],
    ['another key of the same name', other('pay.example'), 'signature_invalid'],
  ])('is rejected if it is malformed or changed: with %s', (_, text, rule) => {
    expect(ruleOf(text)).toBe(rule);
  });

  it('is rejected after it has expired or if it was issued in the future', () => {
    expect(ruleOf(token, later(480))).toBe('token_expired');
    expect(ruleOf(token, later(-61))).toBe('issued_in_future');
  });
});
