import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOn, readText } from '../processes/loopback-server.js';
import { deliveryReport } from './delivery-report.js';
import { verifyDelivery, type RawDelivery } from './verify-delivery.js';

const MAX_BYTES = 64 * 1024;
/** Number of remembered ids. The least recently seen id is dropped first. */
const MAX_IDS = 10_000;

export interface DeliveryServer {
  readonly url: string;
  close(): Promise<void>;
}

export interface DeliveryServerOptions {
  /** A loopback address. */
  host: string;
  /** 0 for any free port. */
  port: number;
  /** Path and query; absent: any. */
  path?: string | undefined;
  /** @returns the HTTP status of the response */
  handle(received: RawDelivery): number | Promise<number>;
  onRefused(sentence: string): void;
}

/** @throws the operating system's error, such as EADDRINUSE */
export async function listenForDeliveries(options: DeliveryServerOptions): Promise<DeliveryServer> {
  const { host, port, path } = options;
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    // An error here means that the client disconnected.
    serve(request, response, options).catch(() => response.destroy());
  });
  const origin = await listenOn(server, host, port);
  return { url: origin + (path ?? '/'), close: () => closeServer(server) };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { path, handle, onRefused }: DeliveryServerOptions,
): Promise<void> {
  const refuse = (status: number, why: string) => {
    onRefused(`A request was answered ${status}: ${why}.`);
    response.writeHead(status).end();
  };
  if (path !== undefined && request.url !== path) return refuse(404, `deliveries are taken at ${path}`);
  if (request.method !== 'POST') return refuse(405, 'a delivery is a POST');
  const body = await readText(request, MAX_BYTES);
  if (body === undefined) return refuse(413, `its body is larger than ${MAX_BYTES / 1024} KiB`);
  response.writeHead(await handle({ headers: request.headers, body })).end();
}

export interface DeliveryHandlerOptions {
  /** HTTP status of every response. Absent: 200 for verified deliveries, 401 for others. */
  answer?: number | undefined;
  show(report: string): void;
  /** Decides whether a signature is too old (default: real time). */
  clock?: (() => Promise<Date>) | undefined;
}

export class DeliveryHandler {
  private readonly timesSeen = new Map<string, number>();
  /** Deliveries wait for the secret, which the registration returns later. */
  private readonly secrets = Promise.withResolvers<readonly string[]>();

  constructor(private readonly options: DeliveryHandlerOptions) {}

  /** Sets the secrets. Deliveries wait for this call. */
  verifyWith(secrets: readonly string[]): void {
    this.secrets.resolve(secrets);
  }

  /** @returns the HTTP status of the response */
  async handle(received: RawDelivery): Promise<number> {
    const at = (await this.options.clock?.()) ?? new Date();
    const verification = verifyDelivery(received, await this.secrets.promise, at);
    const answered = this.options.answer ?? (verification.verified ? 200 : 401);
    // Any client can claim an id, so only verified deliveries count.
    const id = verification.verified ? received.headers['webhook-id']?.toString() : undefined;
    const seenBefore = this.countEarlier(id);
    this.options.show(deliveryReport({ received, verification, at, answered, seenBefore }));
    return answered;
  }

  private countEarlier(id: string | undefined): number {
    if (id === undefined) return 0;
    const times = this.timesSeen.get(id) ?? 0;
    this.timesSeen.delete(id);
    this.timesSeen.set(id, times + 1);
    if (this.timesSeen.size > MAX_IDS) this.timesSeen.delete(this.timesSeen.keys().next().value!);
    return times;
  }
}
