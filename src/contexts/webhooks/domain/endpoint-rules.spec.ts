import { describe, expect, it } from '@jest/globals';
import { judgeAddresses, readEndpoint } from './endpoint-rules.js';

const PRODUCTION = { allowLoopbackHttp: false };
const DEVELOPMENT = { allowLoopbackHttp: true };

/** As at saving and at each attempt: the text first, then what its host resolves to. */
function ruleBroken(text: string, resolvesTo: string[], policy = PRODUCTION): string | null {
  const url = readEndpoint(text, policy);
  if (!(url instanceof URL)) return url.rule;
  return judgeAddresses(url, resolvesTo, policy)?.rule ?? null;
}

const PUBLIC = ['93.184.215.14'];

describe('Where a webhook may not point', () => {
  it.each([
    // Literal addresses, in every spelling that URL parsers take for them.
    'https://127.0.0.1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://127.255.255.254/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7f.0.0.1/',
    'https://0X7F.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://127。0。0。1/',
    'https://127.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://0.0.0.0/',
    'https://0/',
    'https://0.1.2.3/',
    'https://10.0.0.1/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://3232235777/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0xa9fea9fe/',
    'https://100.64.0.1/',
    'https://100.100.100.200/',
    'https://192.0.0.192/',
    'https://192.0.2.1/',
    'https://198.51.100.1/',
    'https://203.0.113.1/',
    'https://198.18.0.1/',
    'https://192.88.99.1/',
    'https://224.0.0.1/',
    'https://239.255.255.250/',
    'https://240.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::ffff:93.184.215.14]/',
    'https://[::ffff:0:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[64:ff9b:1::1]/',
    'https://[2002:7f00:1::]/',
    'https://[2002:a9fe:a9fe::1]/',
    'https://[2001::1]/',
    'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
    'https://[2001:db8::1]/',
    'https://[2001:10::1]/',
    'https://[2001:20::1]/',
    'https://[3fff::1]/',
    'https://[2606:2800::5efe:10.0.0.1]/',
    'https://[2606:2800::200:5efe:7f00:1]/',
    'https://[100::1]/',
    'https://[5f00::1]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[fec0::1]/',
    'https://[ff02::1]/',
    'https://[4000::1]/',
    // Names that mean this machine or site.
    'https://localhost/',
    'https://LOCALHOST:8443/',
    'https://localhost./',
    'https://api.localhost/',
    'https://localhost.localdomain/',
    'https://intranet/',
    'https://metadata/',
    'https://metadata.google.internal/',
    'https://printer.local/',
    'https://router.home.arpa/',
    'https://shop.example./',
  ])('refuses %s', (text) => {
    expect(ruleBroken(text, PUBLIC)).toBe('public_address');
  });

  it.each([
    [['127.0.0.1']],
    [['93.184.215.14', '10.0.0.1']],
    [['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1']],
    [['::ffff:10.0.0.1']],
    [['64:ff9b::a00:1']],
    [['169.254.169.254']],
    [['fe80::1%eth0']],
    [['not an address']],
  ])('refuses a name when any of its addresses is inner: %j', (addresses) => {
    expect(ruleBroken('https://shop.example/', addresses)).toBe('public_address');
  });

  it('refuses a name without addresses as not resolvable', () => {
    expect(ruleBroken('https://shop.example/', [])).toBe('resolvable');
  });
});

describe('How a webhook URL must be written', () => {
  it.each([
    ['http://shop.example/', 'https'],
    ['ftp://shop.example/', 'https'],
    ['file:///etc/passwd', 'url'],
    ['javascript:alert(1)', 'url'],
    ['shop.example/hooks', 'url'],
    ['//shop.example/', 'url'],
    ['https:/shop.example/', 'url'],
    ['https:\\\\shop.example/', 'url'],
    ['https://shop.example\\@127.0.0.1/', 'url'],
    ['https:///shop.example/', 'url'],
    ['https://', 'url'],
    ['', 'url'],
    [' https://shop.example/', 'url'],
    ['https://shop.example/a b', 'url'],
    ['https://sh\top.example/', 'url'],
    ['https://shop.example/\u0000', 'url'],
    ['https://shop.example/\ud800', 'url'],
    ['https://shop.example:65536/', 'url'],
    ['https://[::1/', 'url'],
    ['https://256.1.1.1/', 'url'],
    ['https://a@shop.example/', 'no_credentials'],
    ['https://a:b@shop.example/', 'no_credentials'],
    ['https://@shop.example/', 'no_credentials'],
    ['https://shop.example@127.0.0.1/', 'no_credentials'],
    [`https://shop.example/${'a'.repeat(2028)}`, 'max_length'],
  ])('refuses %j by the rule %s', (text, rule) => {
    expect(ruleBroken(text, PUBLIC)).toBe(rule);
  });

  it.each([
    'https://shop.example',
    'https://shop.example:8443/hooks?tenant=1&x=@y',
    'HTTPS://SHOP.EXAMPLE/Hooks',
    'https://пример.example/ñ',
    'https://93.184.215.14:1/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    `https://shop.example/${'a'.repeat(2027)}`,
  ])('takes %s', (text) => {
    expect(ruleBroken(text, PUBLIC)).toBeNull();
  });
});

describe('In development', () => {
  it.each([
    ['http://127.0.0.1:4000/', ['127.0.0.1']],
    ['http://[::1]:4000/', ['::1']],
    ['http://localhost:4000/', ['127.0.0.1', '::1']],
    ['https://localhost/', ['127.0.0.1']],
    ['https://shop.example/', PUBLIC],
  ])('takes %s at %j', (text, addresses) => {
    expect(ruleBroken(text, addresses, DEVELOPMENT)).toBeNull();
  });

  it.each([
    ['http://shop.example/', PUBLIC, 'https'],
    ['http://shop.example/', ['127.0.0.1', '93.184.215.14'], 'https'],
    ['http://93.184.215.14/', PUBLIC, 'https'],
    ['http://10.0.0.1/', PUBLIC, 'https'],
    ['https://10.0.0.1/', PUBLIC, 'public_address'],
    ['https://localhost/', ['10.0.0.1'], 'public_address'],
    ['https://[::ffff:127.0.0.1]/', PUBLIC, 'public_address'],
    ['https://intranet/', ['127.0.0.1'], 'public_address'],
  ])('still refuses %s at %j', (text, addresses, rule) => {
    expect(ruleBroken(text, addresses, DEVELOPMENT)).toBe(rule);
  });
});
