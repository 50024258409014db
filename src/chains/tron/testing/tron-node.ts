import type { IncomingMessage, ServerResponse } from 'node:http';
import { NILE_CHAIN_ID } from './tron-layer.js';
import { RpcServer, type RpcRequest } from '#contexts/networks/testing/stub-node.js';

/** Id of a block: its number, then a mark of its fork. */
export const blockId = (number: number, fork = 'a'): string =>
  number.toString(16).padStart(16, '0') + fork.repeat(48);

/** A node of empty blocks, except those that a test fills. Answers can be replaced by path. */
export class TronNode extends RpcServer {
  head = 40;
  solid = 21;
  readonly receipts = new Map<number, object[]>();
  /** In the newest block, by account in hex, of any token. */
  readonly balances = new Map<string, bigint>();
  /** The keys of TronGrid that requests had. */
  readonly keys = new Set<unknown>();
  readonly replaced = new Map<string, (body: Record<string, unknown>) => unknown>();

  fill(number: number, receipts: readonly object[]): void {
    this.receipts.set(
      number,
      receipts.map((receipt) => ({ blockNumber: number, ...receipt })),
    );
  }

  protected override async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { requests, isBatch } = await this.read(incoming);
    this.note(requests);
    this.keys.add(incoming.headers['tron-pro-api-key']);
    response.setHeader('content-type', 'application/json');
    const path = incoming.url!;
    if (path === '/jsonrpc') {
      const answers = requests.map(({ id, method, params }) => ({ id, result: this.result(method, params) }));
      return void response.end(JSON.stringify(isBatch ? answers : answers[0]));
    }
    const body = requests[0] as RpcRequest & Record<string, unknown>;
    response.end(JSON.stringify((this.replaced.get(path) ?? ((of) => this.answer(path, of)))(body)));
  }

  private result(method: string, [tag]: unknown[]): unknown {
    if (method === 'eth_gasPrice') return '0x64';
    if (method === 'eth_chainId') return `0x${NILE_CHAIN_ID.toString(16)}`;
    if (method === 'eth_call') {
      const account = `0x${(tag as { data: string }).data.slice(-40)}`;
      return `0x${(this.balances.get(account) ?? 0n).toString(16).padStart(64, '0')}`;
    }
    const number = tag === 'latest' ? this.head : Number(tag);
    if (number > this.head) return null;
    return {
      number: `0x${number.toString(16)}`,
      hash: `0x${blockId(number)}`,
      parentHash: `0x${blockId(Math.max(0, number - 1))}`,
      timestamp: `0x${(number * 3).toString(16)}`,
      transactions: this.receiptsOf(number).map((receipt) => `0x${(receipt as { id: string }).id}`),
    };
  }

  private answer(path: string, { num, value }: Record<string, unknown>): unknown {
    if (path === '/walletsolidity/getnowblock') return { block_header: { raw_data: { number: this.solid } } };
    if (path === '/wallet/gettransactioninfobyblocknum') return this.receiptsOf(num as number);
    if (path === '/wallet/gettransactioninfobyid')
      return [...this.receipts.values()].flat().find((each) => (each as { id: string }).id === value) ?? {};
    return {};
  }

  private receiptsOf(number: number): object[] {
    return this.receipts.get(number) ?? [];
  }
}
