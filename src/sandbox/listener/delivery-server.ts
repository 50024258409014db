import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOn, readText } from '../processes/loopback-server.js';
import type { RawDelivery } from './verify-delivery.js';

const MAX_BYTES = 64 * 1024;

export interface DeliveryServer {
  /** Where deliveries are taken. */
  readonly url: string;
  close(): Promise<void>;
}

export interface DeliveryServerOptions {
  /** A loopback address. */
  host: string;
  /** 0 for any free one. */
  port: number;
  /** Path and query; absent: any. */
  path?: string | undefined;
  /** @returns the HTTP status to answer */
  handle(received: RawDelivery): number | Promise<number>;
  /** Called with a sentence about each request that is no delivery. */
  onRefused(sentence: string): void;
}

/** @throws Error of the operating system, e.g. with code EADDRINUSE */
export async function listenForDeliveries(options: DeliveryServerOptions): Promise<DeliveryServer> {
  const { host, port, path } = options;
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    // An error here is a sender that went away in the middle.
    serve(request, response, options).catch(() => response.destroy());
  });
  const origin = await listenOn(server, host, port);
  return { url: origin + (path ?? '/'), close: () => closeServer(server) };
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { path, handle: take, onRefused: refused }: DeliveryServerOptions,
): Promise<void> {
  const refuse = (status: number, why: string) => {
    refused(`A request was answered ${status}: ${why}.`);
    response.writeHead(status).end();
  };
  if (path !== undefined && request.url !== path) return refuse(404, `deliveries are taken at ${path}`);
  if (request.method !== 'POST') return refuse(405, 'a delivery is a POST');
  const body = await readText(request, MAX_BYTES);
  if (body === undefined) return refuse(413, `its body is larger than ${MAX_BYTES / 1024} KiB`);
  response.writeHead(await take({ headers: request.headers, body })).end();
}
