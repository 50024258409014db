import { pbkdf2 } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DnsHostResolver } from './dns-host-resolver.js';

const A = 1;
const AAAA = 28;
const NAME_ERROR = 3;

type Records = Record<number, number[][]>;

let server: Socket;
let asked: string[];
let opened: number;
let zone: Map<string, Records>;
let resolver: DnsHostResolver;

/** A name server (RFC 1035) that is silent on the names it does not have, and denies those it has no records of. */
beforeEach(async () => {
  asked = [];
  opened = 0;
  zone = new Map();
  server = createSocket('udp4', (question, { port, address }) => {
    const labels: string[] = [];
    let end = 12;
    for (; question[end] !== 0; end += question[end]! + 1) {
      labels.push(question.toString('latin1', end + 1, end + 1 + question[end]!));
    }
    const type = question.readUInt16BE(end + 1);
    asked.push(labels.join('.'));
    const records = zone.get(labels.join('.'))?.[type];
    if (records === undefined) return;
    const head = Buffer.from(question.subarray(0, end + 5));
    head.writeUInt16BE(0x8180 | (records.length === 0 ? NAME_ERROR : 0), 2);
    head.writeUInt16BE(records.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = records.map((data) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
    );
    server.send(Buffer.concat([head, ...answers]), port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  resolver = new (class extends DnsHostResolver {
    protected override resolver(): dns.Resolver {
      opened += 1;
      const own = super.resolver();
      own.setServers([`127.0.0.1:${server.address().port}`]);
      return own;
    }
  })();
});
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

describe('Looking a host up', () => {
  it('answers all its addresses, IPv4 first', async () => {
    const inner = [0x26, 6, ...Array<number>(13).fill(0), 1];
    zone.set('shop.example', { [A]: [[93, 184, 215, 14], [10, 0, 0, 7]], [AAAA]: [inner] }); // prettier-ignore

    expect(await resolver.addresses('shop.example')).toEqual(['93.184.215.14', '10.0.0.7', '2606::1']);
  });

  it('answers nothing for a name that does not exist', async () => {
    zone.set('gone.example', { [A]: [], [AAAA]: [] });

    expect(await resolver.addresses('gone.example')).toEqual([]);
  });

  it('takes what was answered when the rest is not, in little more than a second', async () => {
    zone.set('half.example', { [A]: [[93, 184, 215, 14]] });
    const begun = performance.now();

    expect(await resolver.addresses('half.example')).toEqual(['93.184.215.14']);
    expect(performance.now() - begun).toBeLessThan(1_450);
  });

  it('asks once for callers that come meanwhile, and anew for one that comes later', async () => {
    zone.set('shop.example', { [A]: [[93, 184, 215, 14]], [AAAA]: [] });

    await Promise.all([resolver.addresses('shop.example'), resolver.addresses('shop.example')]);
    expect(asked).toHaveLength(2);
    await resolver.addresses('shop.example');

    expect(asked).toHaveLength(4);
  });

  it('keeps no thread busy while a name server is silent', async () => {
    const lookups = Array.from({ length: 300 }, (_, n) => resolver.addresses(`silent-${n}.example`));
    const begun = performance.now();

    await promisify(pbkdf2)('password', 'salt', 1, 32, 'sha256');

    expect(performance.now() - begun).toBeLessThan(500);
    expect(opened).toBe(256);
    expect((await Promise.all(lookups)).flat()).toEqual([]);
    expect(opened).toBe(300);
  });
});
