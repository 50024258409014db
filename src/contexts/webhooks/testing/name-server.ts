import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import ipaddr from 'ipaddr.js';
import { DnsHostResolver } from '../infrastructure/endpoints/dns/dns-host-resolver.js';

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const NAME_ERROR = 3;

/** A name server of this process answers at last, on however busy a machine. */
const PATIENT_MS = 60_000;

/** The records of a name. A type that is left out has none. */
export interface Records {
  readonly A?: readonly string[] | 'silence';
  readonly AAAA?: readonly string[] | 'silence';
  /** Answered with all that this other name has. */
  readonly CNAME?: string;
  /** Seconds; 60 by default. */
  readonly ttl?: number;
}

/** A resolver that asks one name server, once and with patience, and what it took. */
export class OwnResolver extends DnsHostResolver {
  /** Resolvers opened: one per lookup. */
  opened = 0;

  constructor(private readonly server: string) {
    super();
  }

  protected override resolver(): dns.Resolver {
    this.opened += 1;
    const own = new dns.Resolver({ timeout: PATIENT_MS, maxTimeout: PATIENT_MS, tries: 1 });
    own.setServers([this.server]);
    return own;
  }
}

/** A name server (RFC 1035) on a UDP port of 127.0.0.1. Names it does not have do not exist. */
export class NameServer {
  /** Questions, in order, including those without an answer. */
  readonly asked: { name: string; type: number }[] = [];
  private readonly zone = new Map<string, (timesAsked: number) => Records>();
  private readonly udp = createSocket('udp4');

  async start(): Promise<this> {
    this.udp.on('message', (question, { port, address }) => {
      const answer = this.answer(question);
      if (answer !== null) this.udp.send(answer, port, address);
    });
    await once(this.udp.bind(0, '127.0.0.1'), 'listening');
    return this;
  }

  /** Sets the records of a name. */
  state(name: string, records: Records | ((timesAsked: number) => Records)): void {
    this.zone.set(name, typeof records === 'function' ? records : () => records);
  }

  resolver(): OwnResolver {
    return new OwnResolver(`127.0.0.1:${this.udp.address().port}`);
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
      answers.push(record(owner, TYPES.CNAME, records.ttl, encodeName(records.CNAME)));
      owner = records.CNAME;
    }
    const found = type === TYPES.A ? records?.A : records?.AAAA;
    if (found === 'silence') return null;
    for (const address of found ?? [])
      answers.push(record(owner, type, records?.ttl, Buffer.from(ipaddr.parse(address).toByteArray())));
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

function record(owner: string, type: number, ttl: number | undefined, data: Buffer): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(1, 2);
  head.writeUInt32BE(ttl ?? 60, 4);
  head.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(owner), head, data]);
}
