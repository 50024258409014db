import { Logger } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '#shared/kernel/ids.js';
import type { PaymentRequestToSign } from '../../application/requests/payment-request-view.js';
import { ALWAYS, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import { decode, keysOf, verify } from '#shared/naspip/naspip-token.js';
import { PaymentsSettings, type NaspipKey } from '../../application/requests/payments-settings.js';
import { NaspipPaymentTokens } from './naspip-payment-tokens.js';
import { generatePaserkKeyPair } from '#shared/naspip/paserk.js';

const keyExpiresAt = new Date('2027-01-01T00:00:00.000Z');
const before = (seconds: number) => new Date(keyExpiresAt.getTime() - seconds * 1_000);

const keyOf = (id: string, signsFrom: Date, endsAt = keyExpiresAt): NaspipKey => ({
  id,
  secretKey: generatePaserkKeyPair().secretKey,
  signsFrom,
  endsAt,
});
const tokensOf = (keys: SigningKeyRing<NaspipKey>) =>
  new NaspipPaymentTokens(new PaymentsSettings(480, 1_000, { issuer: 'pay.example', keys }));
const tokens = () => tokensOf(new SigningKeyRing([keyOf('key-1', ALWAYS)]));

const request = (createdAt: Date): PaymentRequestToSign => ({
  id: newId(),
  organizationId: newId(),
  accountId: newId(),
  pointOfSaleId: newId(),
  type: 'fixed',
  status: 'created',
  fulfilled: false,
  network: 'sandbox',
  uniqueAssetId: 'nsandbox_t0xabc',
  currency: 'USDX',
  decimals: 6,
  amount: 10n,
  address: '0xabc',
  createdAt,
  expiresAt: new Date(createdAt.getTime() + 480_000),
});

afterEach(() => Logger.overrideLogger(['error', 'warn', 'log']));

describe('Payment tokens while their key is replaced', () => {
  const change = before(86_400);
  const at = (seconds: number) => new Date(change.getTime() + seconds * 1_000);
  const [old, next] = [keyOf('key-old', ALWAYS), keyOf('key-new', change)];
  const signedBy = (token: string) => decode(token).keyId;

  it('are signed by the new one from its time on, and verify against the published keys before and after', () => {
    const ring = new SigningKeyRing([old]);
    const signing = tokensOf(ring);
    const first = signing.issue(request(at(-600)), { name: 'Shop' });
    ring.replace([old, next]);
    const published = keysOf(signing.publicKeys());
    const [second, third] = [-1, 0].map((seconds) => signing.issue(request(at(seconds)), { name: 'Shop' }));

    expect([first, second!, third!].map(signedBy)).toEqual(['key-old', 'key-old', 'key-new']);
    expect(Object.keys(signing.publicKeys()['pay.example']!)).toEqual(['key-new', 'key-old']);
    expect(verify(first, published, at(-300)).payload).toHaveProperty('payment');
    expect(verify(second!, published, at(400)).payload).toHaveProperty('payment');
    expect(verify(third!, published, at(400)).payload).toHaveProperty('payment');
    expect(signing.read(second!, at(400)).keyId).toBe('key-old');
  });

  it('are the same for the same request after it', () => {
    const signing = tokensOf(new SigningKeyRing([old, next]));
    const again = request(at(-5));

    expect(signing.issue(again, { name: 'Shop' })).toBe(
      tokensOf(new SigningKeyRing([old])).issue(again, { name: 'Shop' }),
    );
  });

  it('are refused once their key was taken away, and what was asked before is signed by another', () => {
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

describe('Payment tokens near the end of their key', () => {
  it('are issued as long as they do not outlive it', () => {
    expect(tokens().issue(request(before(480)), { name: 'Shop' })).toMatch(/^naspip;/);
  });

  it('are unavailable afterwards, which the operator reads once', () => {
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
