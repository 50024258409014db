import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { portTaken } from '../processes/free-port.js';
import { closeServer, listenOn, readText } from '../processes/loopback-server.js';
import { InvalidMessage, type Json } from './protobuf.js';
import { TronChain, type TronChainOptions } from './tron-chain.js';
import { type TronFaults, TronHttp } from './tron-http.js';
import { TronJsonRpc } from './tron-json-rpc.js';
import { visible } from './tron-views.js';

const LOOPBACK = '127.0.0.1';
const MAX_BYTES = 4_000_000;

export interface TronFacadeOptions extends TronChainOptions {
  /** 0 for any free port. */
  readonly port: number;
}

export interface TronFacade {
  /** Below it lie `/wallet`, `/walletsolidity` and `/jsonrpc`. */
  readonly url: string;
  readonly chain: TronChain;
  /** May be changed at any time. */
  readonly faults: TronFaults;
  stop(): Promise<void>;
}

/**
 * Serves TRON's HTTP API and JSON-RPC for a chain that anvil executes.
 * @throws CannotStart if the port is in use
 */
export async function startTronFacade({ port, ...options }: TronFacadeOptions): Promise<TronFacade> {
  const chain = await TronChain.open(options);
  const faults: TronFaults = {};
  const http = new TronHttp(chain, faults);
  const rpc = new TronJsonRpc(chain, faults);
  const server = createServer();
  const url = await listenOn(server, LOOPBACK, port).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? portTaken(port, { what: 'The TRON network', setting: 'SANDBOX_TRON_PORT' })
      : error;
  });

  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url!, url);
    const body = request.method === 'POST' ? await readText(request, MAX_BYTES) : undefined;
    const [node, method = ''] = pathname.split('/').slice(1);
    if (node === 'jsonrpc') return rpc.answer(JSON.parse(body ?? ''));
    if (node !== 'wallet' && node !== 'walletsolidity') return undefined;
    const parameters = { ...Object.fromEntries(searchParams), ...(body ? (JSON.parse(body) as Json) : {}) };
    const found = await http.answer(method, parameters, node === 'walletsolidity');
    return String(parameters['visible']) === 'true' ? visible(found) : found;
  };
  server.on('request', (request, response) => {
    answer(request)
      .then((found) => (found === undefined ? send(response, 404, {}) : send(response, 200, found)))
      .catch((error: unknown) => send(response, 200, errorOf(error)));
  });
  return {
    ...{ url, chain, faults },
    stop: () => closeServer(server),
  };
}

/** The node answers errors with status 200. */
function errorOf(error: unknown): Json {
  const { message } = error as Error;
  const type =
    error instanceof InvalidMessage ? 'core.services.http.JsonFormat$ParseException' : 'json.JSONException';
  return { Error: `class org.tron.${type} : ${message}` };
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json' }).end(text);
}
