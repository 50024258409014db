import { invalidField, type DomainError } from '#shared/kernel/domain-error.js';
import {
  X402_SIGNATURE_HEADER,
  type X402Payment,
} from '#contexts/payments/domain/authorizations/x402-payment.js';

/** A payment has about 900 bytes, but signatures of contract accounts may be longer. */
const MAX_BYTES = 8_192;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

interface Rule {
  readonly rule: string;
  readonly pattern: RegExp;
  readonly message: string;
}
const TEXT: Rule = {
  rule: 'text',
  pattern: /^[^]{1,2048}$/,
  message: 'must be a string of at most 2,048 characters.',
};
const ADDRESS: Rule = {
  rule: 'address',
  pattern: /^0x[0-9a-fA-F]{40}$/,
  message: 'must be an address: 0x and 40 hexadecimal digits.',
};
const UINT256: Rule = {
  rule: 'uint256',
  pattern: /^(?:0|[1-9][0-9]{0,77})$/,
  message: 'must be a whole number below 2^256 as a string, such as "1000000".',
};
const NONCE: Rule = {
  rule: 'nonce',
  pattern: /^0x[0-9a-fA-F]{64}$/,
  message: 'must be 32 bytes: 0x and 64 hexadecimal digits.',
};
const SIGNATURE: Rule = {
  rule: 'signature',
  pattern: /^0x(?:[0-9a-fA-F]{2})+$/,
  message: 'must be bytes: 0x and hexadecimal digits.',
};

export function encodeX402Header(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** Ignores unknown fields, because clients may add some. @throws validation_failed, with the field and its rule */
export function readPaymentSignatureHeader(header: string): X402Payment {
  const payload = decodeHeader(header);
  if (payload['x402Version'] !== 2)
    throw invalidHeader('x402Version', 'x402_version', 'must be 2. Use an x402 client of version 2.');
  const [resource, accepted] = [payload['resource'], readObject(payload, 'accepted')];
  const signed = readObject(payload, 'payload');
  const authorization = readObject(signed, 'authorization', 'payload.');
  const text = (name: string, rule: Rule) => readText(authorization, name, rule, 'payload.authorization.');
  const accepts = (name: string, rule: Rule) => readText(accepted, name, rule, 'accepted.');
  return {
    resourceUrl:
      resource === undefined
        ? undefined
        : readText(readObject(payload, 'resource'), 'url', TEXT, 'resource.'),
    accepted: {
      scheme: accepts('scheme', TEXT),
      network: accepts('network', TEXT),
      asset: accepts('asset', ADDRESS),
      payTo: accepts('payTo', ADDRESS),
      amount: accepts('amount', UINT256),
    },
    authorization: {
      from: text('from', ADDRESS).toLowerCase(),
      to: text('to', ADDRESS).toLowerCase(),
      value: readInteger(text('value', UINT256), 'value'),
      validAfter: readInteger(text('validAfter', UINT256), 'validAfter'),
      validBefore: readInteger(text('validBefore', UINT256), 'validBefore'),
      nonce: text('nonce', NONCE).toLowerCase(),
    },
    signature: readText(signed, 'signature', SIGNATURE, 'payload.').toLowerCase(),
  };
}

export function refuseX402Version1(header: unknown): void {
  if (header === undefined) return;
  throw invalidField(
    'X-PAYMENT',
    'x402_version',
    `is a header of x402 version 1. Send ${X402_SIGNATURE_HEADER} of version 2 instead.`,
  );
}

function decodeHeader(header: string): Readonly<Record<string, unknown>> {
  if (header.length > Math.ceil(MAX_BYTES / 3) * 4)
    throw invalidHeader('', 'max_length', 'must be at most 8,192 bytes after decoding.');
  if (!BASE64.test(header))
    throw invalidHeader('', 'base64', 'must be base64-encoded JSON, and must be sent only once.');
  try {
    const value: unknown = JSON.parse(UTF_8.decode(Buffer.from(header, 'base64')));
    if (isObject(value)) return value;
  } catch {
    // Malformed base64 or JSON. The error is thrown below.
  }
  throw invalidHeader('', 'json', 'must be a base64-encoded JSON object in UTF-8.');
}

function readObject(
  holder: Readonly<Record<string, unknown>>,
  name: string,
  path = '',
): Readonly<Record<string, unknown>> {
  const value = holder[name];
  if (isObject(value)) return value;
  throw invalidHeader(
    path + name,
    value === undefined ? 'required' : 'object',
    'must be an object (x402 version 2, scheme exact, EIP-3009).',
  );
}

function readText(holder: Readonly<Record<string, unknown>>, name: string, rule: Rule, path: string): string {
  const value = holder[name];
  if (typeof value === 'string' && rule.pattern.test(value)) return value;
  throw invalidHeader(path + name, value === undefined ? 'required' : rule.rule, rule.message);
}

function readInteger(digits: string, name: string): bigint {
  const value = BigInt(digits);
  if (value < 2n ** 256n) return value;
  throw invalidHeader(`payload.authorization.${name}`, UINT256.rule, UINT256.message);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param path within the header's JSON; empty for the header itself */
function invalidHeader(path: string, rule: string, message: string): DomainError {
  return invalidField(
    path === '' ? X402_SIGNATURE_HEADER : `${X402_SIGNATURE_HEADER}.${path}`,
    rule,
    message,
  );
}
