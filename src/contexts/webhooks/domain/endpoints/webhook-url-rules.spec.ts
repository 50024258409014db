import { describe, expect, it } from '@jest/globals';
import { judgeAddresses, readEndpoint } from './webhook-url-rules.js';

const PRODUCTION = { allowLoopbackHttp: false };
const DEVELOPMENT = { allowLoopbackHttp: true };

/** Judges the text first, then the addresses of its host, like saving and each attempt. */
function ruleBroken(text: string, resolvesTo: string[], policy = PRODUCTION): string | null {
  const url = readEndpoint(text, policy);
  if (!(url instanceof URL)) return url.rule;
  return judgeAddresses(url, resolvesTo, policy)?.rule ?? null;
}

const PUBLIC = ['93.184.215.14'];

// Where a webhook may not point, in all spellings: see `testing/inner-addresses.ts`.
describe('The answers of a lookup', () => {
  it.each([
    [['93.184.215.14', '10.0.0.1']],
    [['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1']],
    [['fe80::1%eth0']],
    [['93.184.215.14%eth0']],
    [['not an address']],
  ])('are rejected if any is not public: %j', (addresses) => {
    expect(ruleBroken('https://shop.example/', addresses)).toBe('public_address');
  });

  it('are rejected as not resolvable if there are none', () => {
    expect(ruleBroken('https://shop.example/', [])).toBe('resolvable');
  });

  it('are reported after plain http, also if there are none', () => {
    expect(ruleBroken('http://shop.example/', [], DEVELOPMENT)).toBe('https');
  });
});

describe('How a webhook URL must be written', () => {
  it.each([
    ['http://shop.example/', 'https'],
    ['ftp://shop.example/', 'https'],
    ['javascript:alert(1)', 'url'],
    ['shop.example/hooks', 'url'],
    ['https://shop.example/\u0000', 'url'],
    ['https://a:b@shop.example/', 'no_credentials'],
    ['https://@shop.example/', 'no_credentials'],
    [`https://shop.example/${'a'.repeat(2028)}`, 'max_length'],
  ])('rejects %j by the rule %s', (text, rule) => {
    expect(ruleBroken(text, PUBLIC)).toBe(rule);
  });

  it.each([
    'https://shop.example:8443/hooks?tenant=1&x=@y',
    'HTTPS://SHOP.EXAMPLE/Hooks',
    'https://пример.example/ñ',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    `https://shop.example/${'a'.repeat(2027)}`,
  ])('accepts %s', (text) => {
    expect(ruleBroken(text, PUBLIC)).toBeNull();
  });
});

describe('In development', () => {
  it.each([
    ['http://127.0.0.1:4000/', ['127.0.0.1']],
    ['http://localhost:4000/', ['127.0.0.1', '::1']],
    ['https://localhost/', ['127.0.0.1']],
    ['https://shop.example/', PUBLIC],
  ])('accepts %s at %j', (text, addresses) => {
    expect(ruleBroken(text, addresses, DEVELOPMENT)).toBeNull();
  });

  it.each([
    ['http://shop.example/', PUBLIC, 'https'],
    ['http://shop.example/', ['127.0.0.1', '93.184.215.14'], 'https'],
    ['https://10.0.0.1/', PUBLIC, 'public_address'],
    ['https://localhost/', ['10.0.0.1'], 'public_address'],
    ['https://[::ffff:127.0.0.1]/', PUBLIC, 'public_address'],
    ['https://intranet/', ['127.0.0.1'], 'public_address'],
  ])('still rejects %s at %j', (text, addresses, rule) => {
    expect(ruleBroken(text, addresses, DEVELOPMENT)).toBe(rule);
  });
});
