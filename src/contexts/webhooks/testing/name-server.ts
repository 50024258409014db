import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DnsHostResolver } from '../infrastructure/endpoints/dns/dns-host-resolver.js';

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const NAME_ERROR = 3;
const TRUNCATED = 0x0200;
/** The maximum of an answer by UDP; a longer one goes by TCP. */
const MAX_BY_UDP = 1_232;

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
  /** Answers by UDP only say that there is more. */
  readonly truncated?: boolean;
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

/** A name server (RFC 1035) by UDP and TCP on 127.0.0.1. Names it does not have do not exist. */
export class NameServer {
  /** Questions, in order, those that got no answer too. */
  readonly asked: { name: string; type: number }[] = [];
  private readonly zone = new Map<string, (timesAsked: number) => Records>();
  private readonly udp: UdpSocket = createSocket('udp4');
  private readonly tcp: Server = createServer();

  async start(): Promise<this> {
    this.tcp.on('connection', (socket) => {
      socket.on('error', () => undefined);
      let received: Buffer = Buffer.alloc(0);
      socket.on('data', (bytes) => {
        received = Buffer.concat([received, bytes]);
        while (received.length > 2 && received.length >= 2 + received.readUInt16BE(0)) {
          const answer = this.answer(received.subarray(2), Infinity);
          received = received.subarray(2 + received.readUInt16BE(0));
          if (answer !== null) socket.write(Buffer.concat([lengthOf(answer), answer]));
        }
      });
    });
    this.udp.on('message', (question, { port, address }) => {
      const answer = this.answer(question, MAX_BY_UDP);
      if (answer !== null) this.udp.send(answer, port, address);
    });
    await this.listen();
    return this;
  }

  /** Listens by TCP and UDP on one port. The system chooses it free for TCP; for UDP another program may have it. */
  private async listen(triesLeft = 10): Promise<void> {
    await once(this.tcp.listen(0, '127.0.0.1'), 'listening');
    try {
      await once(this.udp.bind(this.port, '127.0.0.1'), 'listening');
    } catch (error) {
      if (triesLeft === 0) throw error;
      await new Promise((resolve) => this.tcp.close(resolve));
      await this.listen(triesLeft - 1);
    }
  }

  /** States the records of a name from now on. A name that begins with `*.` stands for all below it. */
  state(name: string, records: Records | ((timesAsked: number) => Records)): void {
    this.zone.set(name, typeof records === 'function' ? records : () => records);
  }

  resolver(): OwnResolver {
    return new OwnResolver(`127.0.0.1:${this.port}`);
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.udp.close(resolve));
    await new Promise((resolve) => this.tcp.close(resolve));
  }

  private get port(): number {
    return (this.tcp.address() as AddressInfo).port;
  }

  private answer(question: Buffer, most: number): Buffer | null {
    const { name, type, end } = readQuestion(question);
    const timesAsked = this.asked.filter((other) => other.name === name && other.type === type).length;
    this.asked.push({ name, type });
    const first = this.find(name)?.(timesAsked);
    const answers: Buffer[] = [];
    let records = first;
    let owner = name;
    for (; records?.CNAME !== undefined; records = this.find(owner)?.(timesAsked)) {
      answers.push(record(owner, TYPES.CNAME, records.ttl, encodeName(records.CNAME)));
      owner = records.CNAME;
    }
    const found = type === TYPES.A ? records?.A : records?.AAAA;
    if (found === 'silence') return null;
    for (const address of found ?? [])
      answers.push(record(owner, type, records?.ttl, Buffer.from(ipaddr.parse(address).toByteArray())));
    const head = Buffer.from(question.subarray(0, end));
    const size = answers.reduce((sum, { length }) => sum + length, end);
    const isTruncated = most !== Infinity && (first?.truncated === true || size > most);
    head.writeUInt16BE(0x8180 | (isTruncated ? TRUNCATED : 0) | (first === undefined ? NAME_ERROR : 0), 2);
    head.writeUInt16BE(isTruncated ? 0 : answers.length, 6);
    head.writeUInt32BE(0, 8);
    return isTruncated ? head : Buffer.concat([head, ...answers]);
  }

  private find(name: string): ((timesAsked: number) => Records) | undefined {
    let found = this.zone.get(name);
    for (let rest = name; found === undefined && rest.includes('.');) {
      rest = rest.slice(rest.indexOf('.') + 1);
      found = this.zone.get(`*.${rest}`);
    }
    return found;
  }
}

function lengthOf(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return length;
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
