import { describe, expect, it } from '@jest/globals';
import { validateWebhookIpAddresses, parseWebhookUrl } from './webhook-url-rules.js';

const PRODUCTION = { allowLoopbackHttp: false };
const DEVELOPMENT = { allowLoopbackHttp: true };
const PUBLIC = ['93.184.215.14'];

/** Validates a webhook URL, then the addresses of its host, in the same order as a registration and an attempt. */
function ruleBroken(text: string, resolvesTo = PUBLIC, policy = PRODUCTION): string | null {
  const url = parseWebhookUrl(text, policy);
  if (!(url instanceof URL)) return url.rule;
  return validateWebhookIpAddresses(url, resolvesTo, policy)?.rule ?? null;
}

describe('The URL of a webhook', () => {
  it.each([
    ['loopback', '127.0.0.1 127.0.0.2 127.255.255.254 127.0.0.1.'],
    ['loopback, shortened', '127.1 127.0.1'],
    ['loopback, as one number', '2130706433 0x7f000001 0X7F000001 017700000001'],
    ['loopback, in octal or hexadecimal parts', '0x7f.0.0.1 0177.0.0.1 00000177.0.0.1 0177.0x0.0.01 0X7F.1'],
    ['loopback, percent-encoded', '%31%32%37.0.0.1 127%2e0%2e0%2e1 %EF%BC%91%EF%BC%92%EF%BC%97.0.0.1'],
    [
      'loopback, in other digits and dots',
      '127。0。0。1 127．0．0．1 １２７.0.0.1 ①②⑦.0.0.1 ¹²⁷.0.0.1 𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    ],
    ['this machine or network', '0.0.0.0 0 0x0 0.1.2.3'],
    ['private', '10.0.0.1 012.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 3232235777'],
    ['link-local, such as cloud metadata', '169.254.1.1 169.254.169.254 0xa9fea9fe 2852039166 169.254.43518'],
    ['metadata in the public space', '168.63.129.16 100.100.100.200 192.0.0.192'],
    ['shared by carriers', '100.64.0.1 100.127.255.255'],
    ['documentation or benchmarks', '192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255'],
    ['relays, multicast or reserved', '192.88.99.1 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255'],
    ['IPv6 loopback', '[::1] [0:0:0:0:0:0:0:1] [::0001] [::0.0.0.1] [::]'],
    ['IPv4 mapped into IPv6', '[::ffff:127.0.0.1] [::FFFF:7F00:1] [::ffff:93.184.215.14] [::ffff:0:7f00:1]'],
    ['IPv4 inside IPv6', '[::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001::1]'],
    ['ISATAP', '[2606:2800::5efe:10.0.0.1] [2606:2800::200:5efe:7f00:1] [fe80::5efe:127.0.0.1]'],
    ['IPv6 documentation or benchmarks', '[2001:db8::1] [3fff::1] [2001:2::1] [2001:10::1] [2001:20::1]'],
    ['IPv6 for protocols', '[2001:1::1] [100::1] [5f00::1] [ff02::1] [4000::1]'],
    ['IPv6 private', '[fc00::1] [fdff:ffff::1] [fd00:ec2::254] [fe80::1] [febf::1] [fec0::1]'],
    [
      'names of this machine',
      'localhost LOCALHOST ⓛⓞⓒⓐⓛⓗⓞⓢⓣ %6cocalhost localhost. api.localhost ip6-localhost',
    ],
    ['names of a site', 'intranet metadata metadata.google.internal kubernetes.default.svc.cluster.local'],
    ['names of a home or company', 'printer.local router.home.arpa nas.lan wiki.corp localhost.localdomain'],
    ['names with a trailing dot', 'shop.example.'],
  ])('is rejected if the host is not public: %s: %s', (_, hosts) => {
    for (const host of hosts.split(' '))
      expect([host, ruleBroken(`https://${host}:8443/`)]).toEqual([host, 'public_address']);
  });

  it.each([
    ['https', 'http://shop.example/'],
    ['https', 'ftp://127.0.0.1/'],
    ['url', 'file:///etc/passwd'],
    ['url', 'shop.example/hooks'],
    ['url', '//127.0.0.1/'],
    ['url', 'https:/127.0.0.1/'],
    ['url', 'https:\\\\127.0.0.1/'],
    ['url', 'https://shop.example\\@127.0.0.1/'],
    ['url', 'https://shop.example%40127.0.0.1/'],
    ['url', 'https://127.0.0.1%00.shop.example/'],
    ['url', 'https://shop.example/\u0000'],
    ['url', 'https://shop.example/a b'],
    ['url', 'https://127.0.\u00ad0.1/'],
    ['url', 'https://127.0.\t0.1/'],
    ['url', ' https://127.0.0.1/'],
    ['url', 'https://[::1%25lo]/'],
    ['url', 'https://[127.0.0.1]/'],
    ['url', 'https://127.0.0.256/'],
    ['url', 'https://4294967297/'],
    ['url', 'https://٧.0.0.1/'],
    ['no_credentials', 'https://shop.example:443@127.0.0.1/'],
    ['no_credentials', 'https://@shop.example/'],
    ['public_address', 'https://127.0.0.1#@shop.example/'],
    ['public_address', 'https://127.0.0.1?@shop.example/'],
    ['max_length', `https://shop.example/${'a'.repeat(2028)}`],
  ])('is rejected by the rule %s: %j', (rule, text) => {
    expect(ruleBroken(text)).toBe(rule);
  });

  it.each([
    'https://shop.example:8443/hooks?tenant=1&x=@y',
    'HTTPS://SHOP.EXAMPLE/Hooks',
    'https://пример.example/ñ',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    `https://shop.example/${'a'.repeat(2027)}`,
  ])('is accepted if the host is public: %s', (text) => {
    expect(ruleBroken(text)).toBeNull();
  });
});

describe('The list of addresses of a host', () => {
  it.each([
    [['93.184.215.14', '10.0.0.1']],
    [['2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::1']],
    [['::ffff:127.0.0.1']],
    [['fe80::1%eth0']],
    [['93.184.215.14%eth0']],
    [['not an address']],
  ])('makes the host not public if one of them is not: %j', (addresses) => {
    expect(ruleBroken('https://shop.example/', addresses)).toBe('public_address');
  });

  it('makes the host not resolvable if there are none', () => {
    expect(ruleBroken('https://shop.example/', [])).toBe('resolvable');
    expect(ruleBroken('http://shop.example/', [], DEVELOPMENT)).toBe('https');
  });
});

describe('The loopback rule for development', () => {
  it.each([
    ['http://127.0.0.1:4000/', ['127.0.0.1'], null],
    ['http://localhost:4000/', ['127.0.0.1', '::1'], null],
    ['https://localhost/', ['127.0.0.1'], null],
    ['https://shop.example/', PUBLIC, null],
    ['http://shop.example/', PUBLIC, 'https'],
    ['http://shop.example/', ['127.0.0.1', '93.184.215.14'], 'https'],
    ['https://10.0.0.1/', PUBLIC, 'public_address'],
    ['https://localhost/', ['10.0.0.1'], 'public_address'],
    ['https://[::ffff:127.0.0.1]/', PUBLIC, 'public_address'],
    ['https://intranet/', ['127.0.0.1'], 'public_address'],
  ])('checks the addresses of the host: %s at %j breaks the rule %s', (text, addresses, rule) => {
    expect(ruleBroken(text, addresses, DEVELOPMENT)).toBe(rule);
  });
});
