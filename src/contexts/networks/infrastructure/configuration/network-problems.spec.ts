import { describe, expect, it } from '@jest/globals';
import { sampleNetwork } from '../../testing/sample-configuration.js';
import { networkProblemsInDevelopment, networkProblemsInProduction } from './network-problems.js';
import { parseNetworksConfiguration } from './parse-networks-configuration.js';

const TWO = ['https://one.example/KEY', 'https://two.example/KEY'];
const networks = (changes: object) =>
  parseNetworksConfiguration([sampleNetwork({ rpc_urls: TWO, ...changes })]);
const [ENDPOINTS, CONFIRMATIONS] = [
  'networks[0].rpc_urls: must name at least two endpoints outside development, unless "single_endpoint" is "accepted".',
  'networks[0].finality.confirmations: must be at least two outside development, unless "single_confirmation" is "accepted".',
];
const PLAIN = 'http://127.0.0.1:8545';
const PLAIN_PROBLEM =
  'networks[0].rpc_urls[0]: must be an https URL outside development, unless "plain_endpoint" is "accepted".';
const https = (at: number) => `networks[0].rpc_urls[${at}]: must be an https URL outside development.`;

describe('A network outside development', () => {
  it.each<[string, object, string[]]>([
    ['with two endpoints and three confirmations', {}, []],
    ['that is final by its chain', { finality: 'finalized' }, []],
    ['with an endpoint over http', { rpc_urls: [TWO[0], 'http://two.example'] }, [https(1)]],
    ['with one over http on this machine', { rpc_urls: [PLAIN, TWO[1]] }, [PLAIN_PROBLEM]],
    [
      'with a private and a public one over http, accepted',
      { rpc_urls: ['http://[fd00::1]:8332', 'http://two.example'], plain_endpoint: 'accepted' },
      [https(1)],
    ],
    ['with one endpoint', { rpc_urls: [TWO[0]] }, [ENDPOINTS]],
    ['with one endpoint, accepted', { rpc_urls: [TWO[0]], single_endpoint: 'accepted' }, []],
    ['with one confirmation', { finality: { confirmations: 1 } }, [CONFIRMATIONS]],
    [
      'with one confirmation, accepted',
      { finality: { confirmations: 1 }, single_confirmation: 'accepted' },
      [],
    ],
  ])(
    'needs https, two endpoints and several confirmations, or accepts the risk: one %s',
    (_, changes, problems) => {
      expect(networkProblemsInProduction(networks(changes))).toEqual(problems);
    },
  );
});

describe('A network in development', () => {
  it.each(['http://localhost:8545', 'http://[::1]:1'])('accepts one endpoint at %s', (url) => {
    expect(
      networkProblemsInDevelopment(networks({ rpc_urls: [url], finality: { confirmations: 1 } })),
    ).toEqual([]);
  });

  it.each(['http://10.0.0.1:8545', 'http://127.0.0.1.example'])(
    'rejects http to another machine without quoting the URL: %s',
    (url) => {
      expect(networkProblemsInDevelopment(networks({ rpc_urls: [TWO[0], url] }))).toEqual([
        'networks[0].rpc_urls[1]: must be an https URL, or http to this machine.',
      ]);
    },
  );
});

describe('An accepted risk of a network', () => {
  it.each<[object, string]>([
    [
      { single_endpoint: 'accepted' },
      'networks[0].single_endpoint: is allowed only if rpc_urls names one endpoint',
    ],
    [
      { single_confirmation: 'accepted' },
      'networks[0].single_confirmation: is allowed only if finality is one confirmation',
    ],
    ...[TWO, ['http://8.8.8.8', 'http://localhost.example']].map((rpc_urls): [object, string] => [
      { rpc_urls, plain_endpoint: 'accepted' },
      'networks[0].plain_endpoint: is allowed only if rpc_urls names a private address by http',
    ]),
    [
      { rpc_urls: [TWO[0]], single_endpoint: true },
      'networks[0].single_endpoint: must be "accepted" or omitted',
    ],
  ])('is refused if there is no such risk, or with another value: %j', (changes, message) => {
    expect(() => networks(changes)).toThrow(message);
  });
});
