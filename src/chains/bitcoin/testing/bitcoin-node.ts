import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refusal, RpcServer, type RpcRequest } from '#contexts/networks/testing/stub-node.js';
import type { BitcoinChain } from './bitcoin-chain.js';
import { type NodeFaults, type NodeProgram, answersOf } from './bitcoin-calls.js';

const CREDENTIALS = 'payments:of-a-test';
const BTCD_MOST_CLIENTS = 10;

/**
 * A simulated Bitcoin Core or btcd node over HTTP. Both have the same chain and mempool, but differ in the form of
 * their answers.
 */
export class BitcoinNode extends RpcServer {
  readonly faults: NodeFaults = {};
  isSilent = false;
  private readonly answers: Readonly<Record<string, (...params: never[]) => unknown>>;
  private underWay = 0;

  constructor(
    readonly chain: BitcoinChain,
    private readonly program: NodeProgram = 'core',
  ) {
    super();
    this.answers = answersOf(chain, this.faults, program);
  }

  /** @returns the URL with user name and password; requests without them are rejected */
  override async start(): Promise<string> {
    return (await super.start()).replace('//', `//${CREDENTIALS}@`);
  }

  protected override async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.program === 'btcd') {
      response.setHeader('connection', 'close');
      this.underWay += 1;
      response.once('close', () => (this.underWay -= 1));
    }
    const authorization = `Basic ${Buffer.from(CREDENTIALS).toString('base64')}`;
    if (incoming.headers.authorization !== authorization) return void response.writeHead(401).end();
    const { requests, isBatch } = await this.read(incoming);
    if (this.underWay > BTCD_MOST_CLIENTS)
      return void response.writeHead(503).end('503 Too busy.  Try again later.\n');
    this.note(requests);
    if (this.isSilent) return;
    const answers = requests.map((request) => this.answerTo(request));
    const [{ error }] = answers as [{ error: { code: number } | null }];
    // Bitcoin Core up to version 27 reports the error of a single call by this HTTP status.
    if (this.program === 'core' && !isBatch && error !== null)
      response.statusCode = error.code === -32_601 ? 404 : 500;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isBatch ? answers : answers[0]));
  }

  private answerTo({ id, method, params }: RpcRequest): { error: { code: number; message: string } | null } {
    const version = this.program === 'btcd' && { jsonrpc: '2.0' };
    try {
      const answer = this.faults.missing?.has(method) ? undefined : this.answers[method];
      if (answer === undefined) throw new Refusal(-32_601, 'Method not found');
      const result = answer(...(params as never[]));
      const lie = this.faults.lies?.[method];
      return {
        ...version,
        result: lie === undefined ? result : lie(result as never, params),
        error: null,
        id,
      } as never;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ...version, result: null, error: { code: error.code, message: error.message }, id } as never;
    }
  }
}
