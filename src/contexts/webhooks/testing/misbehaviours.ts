import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import type { AttemptError } from '../domain/delivery/attempt.js';
import type { Certificate, Misbehaviour } from './misbehaving-receiver.js';

export interface Row extends Misbehaviour {
  readonly name: string;
  /** The error of each attempt in the log. */
  readonly error: AttemptError;
  readonly httpStatus: number | null;
  /** Attempts until it gets well, two at least; ten: too late. */
  readonly failures: number;
  /** An attempt takes its whole two seconds. */
  readonly hangs?: true;
  /** The part of an attempt that the receiver sees. */
  readonly sees: 'request' | 'connection' | 'nothing';
}

const write = (text: string) => (stream: Duplex) => void stream.write(text);
const end = (text: string) => (stream: Duplex) => void stream.end(text);
const respond = (status: string, ...headers: string[]) =>
  write([`HTTP/1.1 ${status}`, ...headers, 'Content-Length: 0', '', ''].join('\r\n'));

/** One byte every 100 ms, for ever. */
const drip = (head: string) => (stream: Duplex) => {
  stream.write(head);
  const timer = setInterval(() => stream.write('x'), 100);
  stream.once('close', () => clearInterval(timer));
};

/** Sends without end, as fast as it is read. */
const pour = (head: string, drop: string) => (stream: Duplex) => {
  stream.write(head);
  const more = () => {
    while (!stream.destroyed && stream.write(drop));
  };
  stream.on('drain', more);
  more();
};

const OK = 'HTTP/1.1 200 OK\r\n';
const LONG = `${OK}Content-Length: 1000000\r\n\r\n`;

/** @param inner where redirects lead */
export function misbehaviours(inner: string, right: Certificate, wrong: Certificate): Row[] {
  const to = `Location: ${inner}`;
  const hanging = (name: string, failures: number, part: Misbehaviour & Partial<Row>): Row => ({
    name,
    failures,
    error: 'timeout',
    httpStatus: null,
    hangs: true,
    sees: 'request',
    ...part,
  });
  const saying = (name: string, httpStatus: number, failures: number, answer: Row['answer']): Row => ({
    name,
    failures,
    error: 'http_status',
    httpStatus,
    sees: 'request',
    answer,
  });
  const broken = (name: string, failures: number, error: AttemptError, part: Partial<Row>): Row => ({
    name,
    failures,
    error,
    httpStatus: null,
    sees: 'request',
    ...part,
  });
  return [
    hanging('hangs at connect: its backlog is full', 2, { acceptsNothing: true, sees: 'nothing' }),
    hanging('hangs at TLS', 3, {
      certificate: right,
      accept: (socket: Socket) => void socket.resume(),
      sees: 'connection',
    }),
    hanging('says nothing', 2, {}),
    hanging('hangs within the status line', 2, { answer: write('HTTP/1.1 20') }),
    hanging('hangs within the headers', 3, { answer: write(`${OK}Content-Le`) }),
    hanging('hangs within the body', 3, { answer: write(`${LONG}ab`), httpStatus: 200 }),
    hanging('hangs within the body, by TLS', 2, {
      answer: write(`${LONG}ab`),
      httpStatus: 200,
      certificate: right,
    }),
    hanging('drips a header', 2, { answer: drip(`${OK}X-Drops: `) }),
    hanging('drips a body', 2, { answer: drip(LONG), httpStatus: 200 }),
    broken('pours a body', 4, 'response_too_large', {
      answer: pour(`${OK}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${'x'.repeat(65_536)}\r\n`),
      httpStatus: 200,
    }),
    broken('pours a body, by TLS', 3, 'response_too_large', {
      answer: pour(`${OK}\r\n`, 'x'.repeat(65_536)),
      httpStatus: 200,
      certificate: right,
    }),
    broken('pours headers', 2, 'response_too_large', {
      answer: pour(OK, `X-Filler: ${'x'.repeat(8_000)}\r\n`),
    }),
    broken('pours early hints', 2, 'response_too_large', {
      answer: pour('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
    }),
    broken('pours between the parts of its body', 2, 'response_too_large', {
      answer: pour(`${OK}Transfer-Encoding: chunked\r\n\r\n1;`, 'x'.repeat(65_536)),
      httpStatus: 200,
    }),
    broken('pours after its body', 2, 'response_too_large', {
      answer: pour(`${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, `X-Filler: ${'x'.repeat(8_000)}\r\n`),
      httpStatus: 200,
    }),
    broken('says more than 20 kB', 6, 'response_too_large', {
      answer: end(`${OK}Content-Length: 20001\r\n\r\n${'x'.repeat(20_001)}`),
      httpStatus: 200,
    }),
    broken('resets after the request', 5, 'connection_failed', {
      answer: (stream) => (stream as Socket).resetAndDestroy(),
    }),
    broken('resets at once', 6, 'connection_failed', {
      accept: (socket) => socket.resetAndDestroy(),
      sees: 'connection',
    }),
    broken('closes without a word', 3, 'connection_failed', { answer: end('') }),
    broken('breaks its answer off', 3, 'connection_failed', {
      answer: end(`${OK}Content-Length: 5\r\n\r\nab`),
      httpStatus: 200,
    }),
    broken('breaks its chunks off', 2, 'invalid_response', {
      answer: end(`${OK}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n`),
      httpStatus: 200,
    }),
    broken('resets an answer that would end with its connection', 2, 'connection_failed', {
      answer: (stream) => {
        stream.write(`${OK}Connection: close\r\n\r\nab`);
        setTimeout(() => (stream as Socket).resetAndDestroy(), 50);
      },
      httpStatus: 200,
    }),
    broken('speaks no HTTP', 2, 'invalid_response', { answer: end('220 mail.example ESMTP\r\n') }),
    broken('switches protocols', 2, 'connection_failed', {
      answer: write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    }),
    broken('has a certificate of another name', 5, 'tls_failed', { certificate: wrong, sees: 'connection' }),
    saying('fails', 500, 10, respond('500 Internal Server Error')),
    saying('has no content', 204, 4, write('HTTP/1.1 204 No Content\r\n\r\n')),
    saying('has moved', 301, 3, respond('301 Moved Permanently', to)),
    saying('has been found elsewhere', 302, 5, respond('302 Found', to)),
    saying('is elsewhere for now', 307, 7, respond('307 Temporary Redirect', to)),
    saying('is gone', 410, 8, respond('410 Gone')),
    saying('wants to wait for a day', 429, 9, respond('429 Too Many Requests', 'Retry-After: 86400')),
    saying('wants no wait', 503, 2, respond('503 Service Unavailable', 'Retry-After: 0')),
  ];
}
