import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { NaspipClaims, NaspipPayload } from './naspip-payload.js';
import { NaspipSigner } from './naspip-signer.js';
import { NaspipTokenInvalid, type NaspipTokenProblem } from './naspip-token-invalid.js';
import {
  decodeNaspipToken,
  encodeNaspipToken,
  keyLookupIn,
  MAX_NASPIP_TOKEN_LENGTH,
  verifyNaspipToken,
} from './naspip-token.js';
import { generatePaserkKeyPair, secretKeyFromPaserk } from './paserk.js';
import { parseV4Public, signV4Public } from './paseto-v4-public.js';

const now = new Date('2026-01-01T12:00:00.000Z');
const later = new Date('2026-01-01T12:08:00.000Z');
const pair = generatePaserkKeyPair();
const kep = '2027-01-01T00:00:00.000Z';
const keys = keyLookupIn({ 'issuer-one': { 'key-one': { publicKey: pair.publicKey, kep } } });
const assertion = Buffer.from(pair.publicKey);

const claims = { exp: later.toISOString(), iat: now.toISOString(), kid: 'key-one', kep, kis: 'issuer-one' };
const payment = {
  id: 'p1',
  address: '0xabc',
  uniqueAssetId: 'nethereum_t0xdef',
  isOpen: false,
  amount: '1.5',
  expiresAt: later,
};
const tokenWith = (changed: NaspipClaims, payload: NaspipPayload = { payment }) =>
  encodeNaspipToken({ ...claims, ...changed }, payload, secretKeyFromPaserk(pair.secretKey), assertion);
const token = tokenWith({});
const paseto = token.split(';')[3]!;

function refusal(act: () => unknown): NaspipTokenProblem | 'accepted' {
  try {
    act();
    return 'accepted';
  } catch (error) {
    if (error instanceof NaspipTokenInvalid) return error.reason;
    throw error;
  }
}
const refusalOf = (text: string, at = now, lookup = keys) =>
  refusal(() => verifyNaspipToken(text, lookup, at));

describe('Verifying a NASPIP token', () => {
  it('accepts a complete token in its validity period', () => {
    expect(verifyNaspipToken(token, keys, now)).toStrictEqual({
      issuer: 'issuer-one',
      keyId: 'key-one',
      claims,
      payload: { payment },
      issuedAt: now,
      expiresAt: later,
      keyExpiresAt: new Date(kep),
    });
  });

  it('rejects a token from the moment of its expiry', () => {
    expect(refusalOf(token, new Date(later.getTime() - 1))).toBe('accepted');
    expect(refusalOf(token, later)).toBe('token_expired');
  });

  it('rejects an expired key, by the token or by the publisher', () => {
    const published = keyLookupIn({
      'issuer-one': { 'key-one': { publicKey: pair.publicKey, kep: now.toISOString() } },
    });

    expect(refusalOf(tokenWith({ kep: now.toISOString() }))).toBe('key_expired');
    expect(refusalOf(token, now, published)).toBe('key_expired');
  });

  it('tolerates a clock difference of exactly a minute', () => {
    const ahead = (ms: number) => new Date(now.getTime() + ms).toISOString();

    expect(refusalOf(tokenWith({ iat: ahead(60_000) }))).toBe('accepted');
    expect(refusalOf(tokenWith({ iat: ahead(60_001) }))).toBe('issued_in_future');
    expect(refusalOf(tokenWith({ nbf: ahead(60_001) }))).toBe('not_yet_valid');
  });

  it.each(['exp', 'iat', 'kep'] as const)('rejects a missing or imprecise time: %s', (name) => {
    for (const time of ['', '2099-01-01', '2099-01-01T00:00:00', '2099-13-01T00:00:00Z', 'tomorrow'])
      expect(refusalOf(tokenWith({ [name]: time }))).toBe('claim_malformed');
  });

  it('rejects another key, issuer or key id', () => {
    const stranger = keyLookupIn({
      'issuer-one': { 'key-one': { publicKey: generatePaserkKeyPair().publicKey, kep } },
    });
    const everyone = () => ({ publicKey: pair.publicKey, kep });

    expect(refusalOf(token, now, stranger)).toBe('signature_invalid');
    expect(refusalOf(token.replace('issuer-one', 'issuer-two'))).toBe('key_unknown');
    expect(refusalOf(token.replace('key-one', 'key-two'))).toBe('key_unknown');
    expect(refusalOf(token.replace('issuer-one', 'issuer-two'), now, everyone)).toBe('key_issuer_mismatch');
    expect(refusalOf(token.replace('key-one', 'key-two'), now, everyone)).toBe('key_id_mismatch');
    expect(refusalOf(token.replace('issuer-one', '__proto__').replace('key-one', 'toString'))).toBe(
      'key_unknown',
    );
    expect(refusalOf(token, now, () => ({ publicKey: 'k4.public.AA', kep }))).toBe('key_malformed');
  });

  it('rejects a signature that does not cover the public key', () => {
    const { message } = parseV4Public(paseto)!;
    const uncovered = signV4Public(message, secretKeyFromPaserk(pair.secretKey));

    expect(refusalOf(`naspip;issuer-one;key-one;${uncovered}`)).toBe('signature_invalid');
  });

  it('rejects a changed byte of message or signature, and any other spelling', () => {
    const body = Buffer.from(paseto.slice('v4.public.'.length), 'base64url');
    for (let at = 0; at < body.length; at += 7) {
      const changed = Buffer.from(body);
      changed[at]! ^= 1 << (at % 8);

      const text = `naspip;issuer-one;key-one;v4.public.${changed.toString('base64url')}`;
      expect(refusalOf(text)).toBe('signature_invalid');
    }
    for (let at = 0; at < token.length; at += 7) {
      const other = token[at] === 'A' ? 'B' : 'A';
      expect(refusalOf(token.slice(0, at) + other + token.slice(at + 1))).not.toBe('accepted');
      expect(refusalOf(token.slice(0, at))).not.toBe('accepted');
    }
    expect(refusalOf(token.slice(0, -1))).not.toBe('accepted');
  });

  it.each<[string, Partial<typeof payment> & { minAmount?: string; maxAmount?: string }, NaspipTokenProblem]>(
    [
      ['no amount', { amount: '' }, 'amount_invalid'],
      ['an amount of nothing', { amount: '0.000' }, 'amount_invalid'],
      ['a negative amount', { amount: '-1' }, 'amount_invalid'],
      ['a float notation', { amount: '1e3' }, 'amount_invalid'],
      ['an open amount without bounds', { isOpen: true }, 'amount_invalid'],
      ['only one bound', { isOpen: true, minAmount: '1' }, 'amount_invalid'],
      ['crossed bounds', { isOpen: true, minAmount: '10', maxAmount: '9.99' }, 'amount_invalid'],
      ['no address', { address: '' }, 'payment_incomplete'],
      ['no id', { id: '' }, 'payment_incomplete'],
      ['a bare symbol for an asset', { uniqueAssetId: 'USDC' }, 'payment_incomplete'],
      ['its time over', { expiresAt: now }, 'payment_expired'],
      ['no expiry', { expiresAt: new Date(0) }, 'payment_expired'],
      ['a life beyond the token', { expiresAt: new Date(later.getTime() + 1) }, 'payment_outlives_token'],
    ],
  )('rejects a payment with %s', (_, changed, reason) => {
    expect(refusalOf(tokenWith({}, { payment: { ...payment, ...changed } }))).toBe(reason);
  });

  it('accepts an open amount with both limits', () => {
    const open = { ...payment, amount: undefined, isOpen: true, minAmount: '0', maxAmount: '10' };

    const { payload } = verifyNaspipToken(tokenWith({}, { payment: open }), keys, now);

    expect(payload).toEqual({ payment: open });
    expect(payload).not.toHaveProperty('payment.amount');
  });

  it('rejects a URL without HTTP', () => {
    for (const url of ['', 'javascript:alert(1)', 'ftp://host/', 'https://', 'https://a b/']) {
      expect(refusalOf(tokenWith({}, { url }))).toBe('url_invalid');
    }
    expect(refusalOf(tokenWith({}, { url: 'http://127.0.0.1:8080/pay?id=1' }))).toBe('accepted');
  });
});

describe('Text that is no NASPIP token', () => {
  const inside = (bytes: Uint8Array) =>
    `naspip;issuer-one;key-one;${signV4Public(bytes, secretKeyFromPaserk(pair.secretKey), { implicitAssertion: assertion })}`;

  it.each<[string, string, NaspipTokenProblem]>([
    ['nothing', '', 'token_malformed'],
    ['another prefix', token.replace('naspip', 'naspap'), 'token_malformed'],
    ['a fifth part', `${token};x`, 'token_malformed'],
    ['a short issuer', token.replace('issuer-one', 'four'), 'key_issuer_malformed'],
    ['a long key id', token.replace('key-one', 'k'.repeat(21)), 'key_id_malformed'],
    ['a PASETO beyond ASCII', `${token}é`, 'paseto_malformed'],
    ['a footer', `${token}.AAAA`, 'paseto_malformed'],
    ['too much', token.padEnd(MAX_NASPIP_TOKEN_LENGTH + 1, 'A'), 'token_oversized'],
    ['a message that is not protobuf', inside(Buffer.from('{"iss":"x"}')), 'message_malformed'],
    ['an empty message', inside(Buffer.alloc(0)), 'payload_missing'],
    ['an instruction without payment', inside(Buffer.from([0x5a, 0])), 'payload_missing'],
    [
      'an expiry beyond time',
      inside(Buffer.from('5a0c0a0a48ffffffffffffffff7f', 'hex')),
      'message_malformed',
    ],
    ['a value that is no string', 7 as unknown as string, 'token_malformed'],
  ])('is rejected if it is malformed: %s', (_, text, reason) => {
    expect(refusal(() => decodeNaspipToken(text))).toBe(reason);
    expect(refusalOf(text)).toBe(reason);
  });

  it('causes no other kind of error if it is random bytes, signed or not', () => {
    for (let round = 0; round < 60; round += 1) {
      const bytes = createHash('shake256', { outputLength: (round * 37) % 200 })
        .update(String(round))
        .digest();

      expect(refusalOf(inside(bytes))).not.toBe('accepted');
      expect(refusalOf(bytes.toString('latin1'))).not.toBe('accepted');
    }
  });
});

describe('Decoding a NASPIP token', () => {
  it('returns every field that was signed', () => {
    const signer = new NaspipSigner({
      issuer: 'issuer-one',
      keyId: 'key-one',
      secretKey: pair.secretKey,
      keyExpiresAt: new Date(kep),
    });
    const order = {
      total: '3.00',
      coinCode: 'EUR',
      description: 'Zwei Brötchen',
      merchant: { name: 'Bäckerei', description: 'd', taxId: 't', image: 'https://x/y.png', mcc: '5462' },
      items: [{ description: 'Brötchen', amount: '3.00', coinCode: 'EUR', unitPrice: '1.50', quantity: 2 }],
    };
    const payload = {
      url: 'https://shop.example/pay',
      paymentOptions: ['nethereum_t0xdef', 'nbitcoin_tBTC'],
      order,
    };

    const signed = signer.sign({ payload, issuedAt: now, expiresAt: later });

    expect(decodeNaspipToken(signed).payload).toStrictEqual(payload);
  });
});
