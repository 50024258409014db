import { Server, request as sendRequest } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { AnswerFact } from '../facts/fact.js';
import { currentProcess, within, type ServiceProcess } from './current-process.js';
import passport from 'passport';

export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly from: string;
}

/** Others hold what no caller goes by, such as positions in PostgreSQL's log. */
const KEPT_HEADERS = [
  'x-request-id',
  'content-type',
  'retry-after',
  'idempotency-replayed',
  'set-cookie',
  'location',
];

/** Servers of processes listen on no port: callers reach them by `callProcess`. */
export function seamServers(): void {
  Server.prototype.listen = function (this: Server, ...values: unknown[]): Server {
    const process = currentProcess() as ServiceProcess;
    process.server = this;
    this.address = () => ({ address: '127.0.0.1', family: 'IPv4', port: 3_000 });
    const emit = this.emit.bind(this);
    // The bytes come from a caller's side, and what they cause belongs to the process.
    this.emit = (event: string, ...rest: unknown[]) =>
      event === 'request' ? within(process, () => emit(event, ...rest)) : emit(event, ...rest);
    const done = values.find((value) => typeof value === 'function');
    if (done !== undefined) setImmediate(done as () => void);
    return this;
  };
}

/** One HTTP/1.1 request over a connection of its own in memory. @returns `lost` where the connection broke */
export async function callProcess(process: ServiceProcess, call: HttpCall): Promise<AnswerFact | 'lost'> {
  const { server } = process;
  if (process.isDead || server === undefined) return 'lost';
  const [caller, callee] = duplexPair();
  for (const side of [caller, callee]) side.on('error', () => undefined);
  Object.assign(callee, { remoteAddress: call.from, remotePort: 40_000, remoteFamily: 'IPv4' });
  const connection = { destroy: () => caller.destroy(new Error('The process died.')) };
  process.connections.add(connection);
  try {
    within(process, () => server.emit('connection', callee));
    return await exchange(caller, call);
  } catch {
    return 'lost';
  } finally {
    process.connections.delete(connection);
    caller.destroy();
    callee.destroy();
  }
}

function exchange(connection: Duplex, call: HttpCall): Promise<AnswerFact> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({
      createConnection: () => connection,
      method: call.method,
      path: call.path,
      headers: { host: 'api.simulated.example', connection: 'close', ...call.headers },
    });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      buffer(answer).then((bytes) => {
        const headers = Object.fromEntries(
          KEPT_HEADERS.flatMap((name) =>
            answer.headers[name] === undefined ? [] : [[name, [answer.headers[name]].flat().join(', ')]],
          ),
        ) as Record<string, string>;
        resolve({ status: answer.statusCode!, headers, body: parsed(headers['content-type'], bytes) });
      }, reject);
    });
    sent.end(call.body);
  });
}

function parsed(type: string | undefined, bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  if (type === undefined || !/\bjson\b/.test(type)) return text;
  return JSON.parse(text) as unknown;
}

interface Strategies {
  use(...registered: readonly [{ name?: string }] | readonly [string, object]): unknown;
  _strategy(name: string): unknown;
}

/**
 * Strategies are registered on the one instance of passport. Each process uses those that it has registered itself: another's would
 * prove credentials on another's connections.
 */
export function seamStrategies(): void {
  const instance = passport as unknown as Strategies;
  const own = new WeakMap<object, Map<string, unknown>>();
  const use = instance.use.bind(instance);
  instance.use = (...registered) => {
    const process = currentProcess();
    const [name, strategy] = registered.length === 2 ? registered : [registered[0].name, registered[0]];
    if (process !== undefined && name !== undefined)
      own.set(process, (own.get(process) ?? new Map<string, unknown>()).set(name, strategy));
    return use(...registered);
  };
  const find = instance._strategy.bind(instance);
  instance._strategy = (name) => {
    const process = currentProcess();
    return (process === undefined ? undefined : own.get(process)?.get(name)) ?? find(name);
  };
}
