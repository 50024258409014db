import type { Hex } from 'viem';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { SandboxNetwork, SandboxPayer } from '../folder/sandbox-folder.js';
import { portTaken } from '../processes/free-port.js';
import { closeServer, listenOn, readText } from '../processes/loopback-server.js';
import { PayerWallet } from './payer-wallet.js';
import { PaymentQueue } from './payment-queue.js';
import type { SandboxBitcoin } from '../bitcoin/sandbox-bitcoin.js';
import { readBlockRequest } from '../chain/block-requests.js';
import { TOKEN_ABI } from '../chain/test-tokens.js';
import type { SandboxTron } from '../tron/sandbox-tron.js';
import { evmAddress } from '../tron/tron-address.js';
import { TronWallet } from '../tron/tron-wallet.js';
import {
  InvalidPayment,
  readOutputPayment,
  readPayment,
  readTronPayment,
  readWalletRequest,
  type OutputPayment,
  type TokenPayment,
  type TronPayment,
} from './read-payment.js';
import { WalletRequests } from './wallet-requests.js';

export interface WalletServer {
  /**
   * Accepts `POST /payments`, `POST /requests` from pages (EIP-1193), and `POST /blocks` if the sandbox has Bitcoin or TRON.
   */
  readonly url: string;
  stop(): Promise<void>;
}

export interface SandboxBitcoinNetwork {
  readonly network: SandboxNetwork;
  readonly chain: SandboxBitcoin;
}

export interface SandboxTronChain {
  readonly network: SandboxNetwork;
  readonly chain: SandboxTron;
}

export interface WalletServerOptions {
  network: SandboxNetwork;
  payer: SandboxPayer;
  bitcoin?: SandboxBitcoinNetwork | undefined;
  tron?: SandboxTronChain | undefined;
  /** 0 for any free port. */
  port: number;
  portSetting: string;
  /** Prints a message about an abandoned payment. */
  say: (sentence: string) => void;
}

const LOOPBACK = '127.0.0.1';
const MAX_BYTES = 4_096;
const PATHS = ['/payments', '/requests', '/blocks'];

/**
 * The key stays in this process.
 * @throws CannotStart if the port is in use
 */
export async function startWalletServer(options: WalletServerOptions): Promise<WalletServer> {
  const { network, payer, bitcoin, tron, port, portSetting, say } = options;
  const server = createServer();
  const url = await listenOn(server, LOOPBACK, port).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? portTaken(port, { what: 'The wallet', setting: portSetting }) : error;
  });
  const queue = tokenQueue(new PayerWallet(network.rpc_url, payer), say);
  const outputs = bitcoin && outputQueue(bitcoin.chain, say);
  const transfers = tron && tronQueue(tron, payer, say);
  const requests = new WalletRequests(network, payer);
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    if (request.url === '/payments') {
      const output = bitcoin && readOutputPayment(body, bitcoin.network);
      const transfer = tron && readTronPayment(body, tron.network);
      if (output !== undefined) outputs!.add(output);
      else if (transfer !== undefined) transfers!.add(transfer);
      else queue.add(readPayment(body, network));
      return answer(response, 202, { accepted: true });
    }
    if (request.url === '/blocks')
      return answer(
        response,
        200,
        await readBlockRequest(body, { bitcoin: bitcoin?.chain, tron: tron?.chain })(),
      );
    const { method, params } = readWalletRequest(body);
    answer(response, 200, await requests.answer(method, params));
  };
  server.on('request', (request, response) => {
    take(request, response).catch((error: unknown) => refuse(response, error));
  });
  return {
    url,
    async stop() {
      await Promise.all([closeServer(server), queue.stop(), outputs?.stop(), transfers?.stop()]);
    },
  };
}

function tokenQueue(wallet: PayerWallet, say: (sentence: string) => void): PaymentQueue<TokenPayment> {
  const send = ({ token, to, amount }: TokenPayment) => wallet.send(token, to, amount);
  const isDone = (hash: string) => wallet.isMined(hash as Hex);
  return new PaymentQueue({ send, isDone, chainTime: () => wallet.chainTime() }, say);
}

/** A payment is done once the node has it, because a second payment would not be mined sooner. */
function outputQueue(
  { wallet, chainTime }: SandboxBitcoin,
  say: (sentence: string) => void,
): PaymentQueue<OutputPayment> {
  const send = async ({ script, amount }: OutputPayment) => (await wallet.send([{ script, amount }])).txid;
  return new PaymentQueue({ send, isDone: (txid) => wallet.isHeld(txid), chainTime }, say);
}

/** A payment is done once the network has accepted it: the next block includes it. */
function tronQueue(
  { network, chain }: SandboxTronChain,
  payer: SandboxPayer,
  say: (sentence: string) => void,
): PaymentQueue<TronPayment> {
  const wallet = new TronWallet(network.rpc_url, payer.private_key.slice(2));
  const send = ({ token, to, amount }: TronPayment) =>
    wallet.call(token, TOKEN_ABI, 'transfer', [evmAddress(to), amount]);
  return new PaymentQueue({ send, isDone: () => Promise.resolve(true), chainTime: chain.chainTime }, say);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  if (request.method !== 'POST' || !PATHS.includes(request.url ?? '')) {
    throw new InvalidPayment(
      'The wallet supports only POST /payments, POST /requests and POST /blocks.',
      404,
    );
  }
  // A page of another origin cannot send this type without CORS approval, so it cannot spend from this wallet.
  if (request.headers['content-type']?.split(';')[0] !== 'application/json') {
    throw new InvalidPayment('Send the payment as application/json.');
  }
  const body = await readText(request, MAX_BYTES);
  if (body === undefined) throw new InvalidPayment(`A payment must have at most ${MAX_BYTES} bytes.`);
  return body;
}

function refuse(response: ServerResponse, error: unknown): void {
  // Any other error is a connection that closed in the middle of its request.
  if (error instanceof InvalidPayment) answer(response, error.httpStatus, { message: error.message });
  else response.destroy();
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
