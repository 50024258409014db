import { describe, expect, it } from '@jest/globals';
import { DomainError } from '#shared/kernel/domain-error.js';
import {
  compareWithX402Terms,
  checkFullAmount,
  type X402Payment,
  type X402PaymentRequired,
} from '#contexts/payments/domain/authorizations/x402-payment.js';
import { encodeX402Header, readPaymentSignatureHeader, refuseX402Version1 } from './payment-headers.js';

const TOKEN = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const FORWARDER = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const URL = 'https://api.example/public/checkout/q6V1mT0sY3bXc8ZkLr2NwEuJhD4aGfPo/x402';
const REQUIRED: X402PaymentRequired = {
  x402Version: 2,
  error: 'PAYMENT-SIGNATURE header is required',
  resource: { url: URL, description: 'Table 7', mimeType: 'application/json' },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:84532',
      amount: '10000',
      asset: TOKEN,
      payTo: FORWARDER,
      maxTimeoutSeconds: 60,
      extra: { assetTransferMethod: 'eip3009', name: 'USDC', version: '2' },
    },
  ],
};
/** The example payload of the x402 specification, for this test's request. */
const PAYLOAD = {
  x402Version: 2,
  resource: REQUIRED.resource,
  accepted: REQUIRED.accepts[0]!,
  payload: {
    signature: `0x${'2d'.repeat(64)}1c`,
    authorization: {
      from: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
      to: FORWARDER,
      value: '10000',
      validAfter: '1740672089',
      validBefore: '1740672154',
      nonce: `0x${'F3'.repeat(32)}`,
    },
  },
};

/** Copies `PAYLOAD` with another value at a dotted path; undefined removes the field. */
function changed(path: string, value: unknown): object {
  const copy = structuredClone(PAYLOAD) as unknown as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop()!;
  const holder = names.reduce((one, name) => one[name] as Record<string, unknown>, copy);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return copy;
}

/** Returns the field and the rule of each rejected field. */
function refusalOf(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error.errors.map(({ field, rule }) => `${field} ${rule}`);
    throw error;
  }
  return [];
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const read = (payload: object): X402Payment => readPaymentSignatureHeader(encodeX402Header(payload));

describe('The header PAYMENT-SIGNATURE', () => {
  it('is read according to x402 version 2', () => {
    expect(read({ ...PAYLOAD, extensions: { other: { info: {}, schema: {} } } })).toEqual({
      resourceUrl: URL,
      accepted: { scheme: 'exact', network: 'eip155:84532', asset: TOKEN, payTo: FORWARDER, amount: '10000' },
      authorization: {
        from: '0x857b06519e91e3a54538791bdbb0e22373e36b66',
        to: FORWARDER.toLowerCase(),
        value: 10_000n,
        validAfter: 1_740_672_089n,
        validBefore: 1_740_672_154n,
        nonce: `0x${'f3'.repeat(32)}`,
      },
      signature: `0x${'2d'.repeat(64)}1c`,
    });
    expect(read(changed('resource', undefined)).resourceUrl).toBeUndefined();
  });

  it.each<[string, string, string[]]>([
    [
      'too long',
      base64(JSON.stringify({ ...PAYLOAD, extensions: { more: 'x'.repeat(8_192) } })),
      ['max_length'],
    ],
    ['no base64', JSON.stringify(PAYLOAD), ['base64']],
    ['sent twice', `${encodeX402Header(PAYLOAD)}, ${encodeX402Header(PAYLOAD)}`, ['base64']],
    ['empty', '', ['base64']],
    ['no JSON', base64('{"x402Version":2'), ['json']],
    ['no object', base64('[2]'), ['json']],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]).toString('base64'), ['json']],
  ])('is rejected if it is %s', (_, header, rules) => {
    expect(refusalOf(() => readPaymentSignatureHeader(header))).toEqual(
      rules.map((rule) => `PAYMENT-SIGNATURE ${rule}`),
    );
  });

  it('accepts up to 8 KiB of decoded content', () => {
    const rest = 8_192 - JSON.stringify({ ...PAYLOAD, extensions: '' }).length;

    expect(read({ ...PAYLOAD, extensions: 'x'.repeat(rest) }).authorization.value).toBe(10_000n);
  });

  it.each<[string, unknown, string]>([
    ['x402Version', 1, 'x402_version'],
    ['resource.url', undefined, 'required'],
    ['accepted', undefined, 'required'],
    ['accepted.scheme', 7, 'text'],
    ['accepted.asset', 'USDC', 'address'],
    ['accepted.amount', 10_000, 'uint256'],
    ['payload', null, 'object'],
    ['payload.signature', '0x', 'signature'],
    ['payload.authorization', undefined, 'required'],
    ['payload.authorization.from', `0x${'g'.repeat(40)}`, 'address'],
    ['payload.authorization.value', String(2n ** 256n), 'uint256'],
    ['payload.authorization.validAfter', '', 'uint256'],
    ['payload.authorization.nonce', `0x${'f3'.repeat(31)}`, 'nonce'],
  ])('is rejected if a field is invalid: %s is %p', (path, value, rule) => {
    expect(refusalOf(() => read(changed(path, value)))).toEqual([`PAYMENT-SIGNATURE.${path} ${rule}`]);
  });

  it('is not replaced by the header X-PAYMENT of version 1', () => {
    expect(refusalOf(() => refuseX402Version1('eyJ4NDAyVmVyc2lvbiI6MX0='))).toEqual([
      'X-PAYMENT x402_version',
    ]);
    expect(refusalOf(() => refuseX402Version1(undefined))).toEqual([]);
  });
});

describe('A payment by x402', () => {
  const differences = (payload: object) =>
    compareWithX402Terms(REQUIRED, read(payload)).map(({ field, rule }) => `${field} ${rule}`);

  it('matches the request in any spelling of addresses and with another timeout', () => {
    const spelled = changed('accepted.payTo', FORWARDER.toLowerCase());

    expect([PAYLOAD, spelled, changed('accepted.maxTimeoutSeconds', 61)].map(differences)).toEqual([
      [],
      [],
      [],
    ]);
  });

  it.each<[string, unknown, string]>([
    ['resource.url', URL.replace('q6V1', 'Q6V1'), 'resource'],
    ['accepted.scheme', 'upto', 'scheme'],
    ['accepted.network', 'eip155:8453', 'network'],
    ['accepted.asset', FORWARDER, 'asset'],
    ['accepted.payTo', TOKEN, 'pay_to'],
    ['payload.authorization.to', TOKEN, 'pay_to'],
    ['payload.authorization.value', '10001', 'amount'],
    ['payload.authorization.value', '9999', 'amount'],
  ])('does not match the request if a field differs: %s is %p', (path, value, rule) => {
    expect(differences(changed(path, value))).toEqual([`PAYMENT-SIGNATURE.${path} ${rule}`]);
  });

  it('is rejected if the signed value is not the accepted amount or is less than the remaining amount', () => {
    const value = 'PAYMENT-SIGNATURE.payload.authorization.value amount';
    const { accepted, payload } = PAYLOAD;
    const authorization = { ...payload.authorization, value: '9999' };
    const less = {
      ...PAYLOAD,
      accepted: { ...accepted, amount: '9999' },
      payload: { ...payload, authorization },
    };
    const short = checkFullAmount(REQUIRED, read(less)).map(({ field, rule }) => `${field} ${rule}`);

    expect(differences(changed('accepted.amount', '10001'))).toEqual([value]);
    expect([differences(less), short, checkFullAmount(REQUIRED, read(PAYLOAD))]).toEqual([[], [value], []]);
  });
});
