import { DnsHostResolver } from './dns-host-resolver.js';
import ipaddr from 'ipaddr.js';
import { once } from 'node:events';
import { promises as dns } from 'node:dns';
import { createSocket } from 'node:dgram';
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldTimers } from '#test/support/held-timers.js';

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const NAME_ERROR = 3;

/** DNS timeout for tests, long enough for a response of a local name server on a busy machine. */
const LONG_DNS_TIMEOUT_MS = 60_000;

/** The DNS records of a name. An omitted type has no records. */
interface DnsRecords {
  readonly A?: readonly string[] | 'silence';
  readonly AAAA?: readonly string[] | 'silence';
  /** Alias: the name server returns the records of this canonical name. */
  readonly CNAME?: string;
  /** Time to live in seconds. Default: 60. */
  readonly ttl?: number;
}

/** A resolver that queries one name server, once and with a long timeout, and counts its lookups. */
class CountingResolver extends DnsHostResolver {
  /** Number of DNS resolvers opened, one per lookup. */
  opened = 0;

  constructor(private readonly server: string) {
    super();
  }

  protected override createResolver(): dns.Resolver {
    this.opened += 1;
    const own = new dns.Resolver({ timeout: LONG_DNS_TIMEOUT_MS, maxTimeout: LONG_DNS_TIMEOUT_MS, tries: 1 });
    own.setServers([this.server]);
    return own;
  }
}

/** A name server (RFC 1035) on a UDP port of 127.0.0.1. It reports every other name as nonexistent. */
class NameServer {
  /** Queries received, in order, including those that it did not answer. */
  readonly asked: { name: string; type: number }[] = [];
  private readonly zone = new Map<string, (timesAsked: number) => DnsRecords>();
  private readonly udp = createSocket('udp4');

  async start(): Promise<this> {
    this.udp.on('message', (question, { port, address }) => {
      const answer = this.answer(question);
      if (answer !== null) this.udp.send(answer, port, address);
    });
    await once(this.udp.bind(0, '127.0.0.1'), 'listening');
    return this;
  }

  /** Sets the DNS records of a name. */
  state(name: string, records: DnsRecords | ((timesAsked: number) => DnsRecords)): void {
    this.zone.set(name, typeof records === 'function' ? records : () => records);
  }

  resolver(): CountingResolver {
    return new CountingResolver(`127.0.0.1:${this.udp.address().port}`);
  }

  close(): Promise<void> {
    return new Promise<void>((resolve) => this.udp.close(resolve));
  }

  private answer(question: Buffer): Buffer | null {
    const { name, type, end } = readQuestion(question);
    const timesAsked = this.asked.filter((other) => other.name === name && other.type === type).length;
    this.asked.push({ name, type });
    const isKnown = this.zone.has(name);
    const answers: Buffer[] = [];
    let owner = name;
    let records = this.zone.get(name)?.(timesAsked);
    for (; records?.CNAME !== undefined; records = this.zone.get(owner)?.(timesAsked)) {
      answers.push(encodeRecord(owner, TYPES.CNAME, records.ttl, encodeName(records.CNAME)));
      owner = records.CNAME;
    }
    const found = type === TYPES.A ? records?.A : records?.AAAA;
    if (found === 'silence') return null;
    for (const address of found ?? [])
      answers.push(encodeRecord(owner, type, records?.ttl, Buffer.from(ipaddr.parse(address).toByteArray())));
    const head = Buffer.from(question.subarray(0, end));
    head.writeUInt16BE(0x8180 | (isKnown ? 0 : NAME_ERROR), 2);
    head.writeUInt16BE(answers.length, 6);
    head.writeUInt32BE(0, 8);
    return Buffer.concat([head, ...answers]);
  }
}

function readQuestion(question: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (; question[at] !== 0; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
  return { name: labels.join('.').toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 };
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function encodeRecord(owner: string, type: number, ttl: number | undefined, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(ttl ?? 60, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(owner), head, data]);
}

let server: NameServer;
let resolver: CountingResolver;
let timers: HeldTimers;

beforeEach(async () => {
  timers = new HeldTimers();
  server = await new NameServer().start();
  resolver = server.resolver();
});
afterEach(async () => {
  timers.release();
  await server.close();
});

/** Maximum duration of a DNS lookup, in milliseconds. */
const LOOKUP_DEADLINE_MS = 1_200;

describe('The lookup of a host', () => {
  it('returns all addresses, IPv4 first', async () => {
    server.state('shop.example', { A: ['93.184.215.14', '10.0.0.7'], AAAA: ['2606::1'] });

    expect(await resolver.addresses('shop.example')).toEqual(['93.184.215.14', '10.0.0.7', '2606::1']);
  });

  it('returns nothing for an unknown name', async () => {
    expect(await resolver.addresses('gone.example')).toEqual([]);
  });

  it('returns a partial answer after 1.2 seconds', async () => {
    let isOver = false;
    server.state('half.example', { A: ['93.184.215.14'], AAAA: 'silence' });

    const found = resolver.addresses('half.example').finally(() => (isOver = true));
    // Once this later lookup has ended, the responses to the earlier lookup have arrived too.
    await resolver.addresses('gone.example');
    await timers.pass(LOOKUP_DEADLINE_MS - 1);
    const wasOver = isOver;
    await timers.pass(1);

    expect([wasOver, await found]).toEqual([false, ['93.184.215.14']]);
  });

  it('follows aliases', async () => {
    server.state('shop.example', { CNAME: 'shop.hosting.example' });
    server.state('shop.hosting.example', { CNAME: 'node-7.hosting.example' });
    server.state('node-7.hosting.example', { A: ['93.184.215.14'], AAAA: ['::1'] });

    expect(await resolver.addresses('shop.example')).toEqual(['93.184.215.14', '::1']);
  });

  it('is shared by concurrent callers, and repeated for later ones despite the TTL', async () => {
    server.state('shop.example', { A: ['93.184.215.14'], ttl: 86_400 });

    await Promise.all([resolver.addresses('shop.example'), resolver.addresses('shop.example')]);
    expect(server.asked).toHaveLength(2);
    await resolver.addresses('shop.example');

    expect(server.asked).toHaveLength(4);
  });

  it('blocks no thread while a name server is silent', async () => {
    const hosts = Array.from({ length: 300 }, (_, n) => `${n}.silent.example`);
    for (const host of hosts) server.state(host, { A: 'silence', AAAA: 'silence' });
    const lookups = hosts.map((host) => resolver.addresses(host));

    await promisify(pbkdf2)('password', 'salt', 1, 32, 'sha256');

    expect(resolver.opened).toBe(256);
    await timers.pass(LOOKUP_DEADLINE_MS);
    await timers.untilAsked(LOOKUP_DEADLINE_MS, 300);
    await timers.pass(LOOKUP_DEADLINE_MS);
    expect((await Promise.all(lookups)).flat()).toEqual([]);
    expect(resolver.opened).toBe(300);
  });
});
