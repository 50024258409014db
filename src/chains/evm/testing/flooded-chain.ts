import {
  block,
  FROM,
  hex,
  inTopic,
  log,
  transaction,
  wordOf,
  OTHER_HASH,
} from '#contexts/networks/testing/stub-answers.js';
import { type RpcRequest, Refusal, type StubNode } from '#contexts/networks/testing/stub-node.js';
import { keccak_256 } from '@noble/hashes/sha3';
import { hexToBytes } from '@noble/hashes/utils';
import {
  NetworksSettings,
  type RpcClientOptions,
} from '#contexts/networks/infrastructure/networks-settings.js';
import { TRANSFER_TOPIC } from '../../ethereum-rpc/log-answers.js';
import { nodeLayer } from './node-layer.js';
import { SAMPLE_TOKEN, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';

/** Error message with which providers reject a query whose answer would be too large. */
export const ANSWER_TOO_LARGE_MESSAGE = 'query returned more than 10000 results';

export type StubLog = ReturnType<typeof log>;

interface Filter {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly address?: readonly string[];
  readonly topics?: readonly unknown[];
}

/** Maximum number of logs in any one answer of a node. The node rejects queries that exceed it. */
export interface Caps {
  readonly eth_getLogs?: number;
  readonly eth_getBlockReceipts?: number;
}

const FIRST_BLOCK = 10;
const hashAt = (number: number) => wordOf(0xb10c_0000 + number);

/**
 * Blocks 10 to `head` of a stub node, one of which contains many logs, two per transaction. All answers about the block
 * are derived from these logs.
 */
export class FloodedChain {
  caps: Caps = {};
  readonly lacks = new Set<string>();
  spoils: (method: string, logs: StubLog[]) => StubLog[] = (_, logs) => logs;

  constructor(
    node: StubNode,
    readonly flooded: number,
    readonly logs: readonly StubLog[],
    private readonly changes: object = {},
    head = flooded,
  ) {
    const at = (number: number, full = false) =>
      number > head || number < FIRST_BLOCK ? null : this.blockAt(number, full);
    const answers: Record<string, (params: unknown[]) => unknown> = {
      eth_getBlockByNumber: ([asked, full]) => at(asked === 'latest' ? head : Number(asked), full === true),
      eth_getBlockByHash: ([hash, full]) => at(Number(BigInt(hash as string)) - 0xb10c_0000, full === true),
      eth_getLogs: ([filter]) => this.found(filter as Filter),
      eth_getBlockReceipts: ([number]) => this.blockReceipts(Number(number)),
      eth_getTransactionReceipt: ([hash]) => this.receipt(hash as string, 'eth_getTransactionReceipt'),
      eth_getTransactionByBlockHashAndIndex: ([, index]) => this.transactions()[Number(index)] ?? null,
    };
    for (const [method, answer] of Object.entries(answers))
      node.answers(method, ({ params }: RpcRequest) => {
        if (this.lacks.has(method)) throw new Refusal(-32_601, `the method ${method} does not exist`);
        return answer(params);
      });
  }

  get hash(): string {
    return hashAt(this.flooded);
  }

  private blockAt(number: number, full: boolean): object {
    const isFlooded = number === this.flooded;
    const transactions = isFlooded ? this.transactions() : [];
    return block({
      number: hex(number),
      hash: hashAt(number),
      parentHash: hashAt(number - 1),
      transactions: full ? transactions : transactions.map(({ hash }) => hash),
      logsBloom: isFlooded ? inHex(bloomOf(valuesOf(this.logs))) : `0x${'00'.repeat(256)}`,
      ...(isFlooded && this.changes),
    });
  }

  private transactions() {
    return Array.from({ length: Math.ceil(this.logs.length / 2) }, (_, i) =>
      transaction(i, { blockHash: this.hash }),
    );
  }

  private found({ blockHash, fromBlock, toBlock, address, topics = [[]] }: Filter): StubLog[] {
    const isAsked =
      blockHash === this.hash || (Number(fromBlock) <= this.flooded && this.flooded <= Number(toBlock));
    if (!isAsked) return [];
    const events = [topics[0]].flat();
    const found = this.logs.filter(
      (each) =>
        (address === undefined || [address].flat().includes(each.address)) &&
        (events.length === 0 || events.includes(each.topics[0])),
    );
    return this.capped('eth_getLogs', found);
  }

  private blockReceipts(number: number): object[] {
    if (number !== this.flooded) return [];
    this.capped('eth_getBlockReceipts', [...this.logs]);
    return this.transactions().map(({ hash }) => this.receipt(hash, 'eth_getBlockReceipts'));
  }

  private receipt(hash: string, method: string): object {
    const logs = this.logs.filter(({ transactionHash }) => transactionHash === hash);
    return {
      transactionHash: hash,
      blockHash: this.hash,
      blockNumber: hex(this.flooded),
      status: '0x1',
      logs: this.spoils(method, logs),
    };
  }

  private capped(method: keyof Caps, logs: StubLog[]): StubLog[] {
    if (logs.length > (this.caps[method] ?? Infinity)) throw new Refusal(-32_005, ANSWER_TOO_LARGE_MESSAGE);
    return this.spoils(method, logs);
  }
}

/** Creates `count` transfers in block `number`. `each` makes them different. */
export function createTransferLogs(number: number, count: number, each: (i: number) => object): StubLog[] {
  return Array.from({ length: count }, (_, i) =>
    log({
      blockNumber: hex(number),
      blockHash: hashAt(number),
      transactionHash: transaction(Math.floor(i / 2)).hash,
      transactionIndex: hex(Math.floor(i / 2)),
      logIndex: hex(i),
      ...each(i),
    }),
  );
}

export const addressOf = (i: number) => `0x${(0xadd0_0000 + i).toString(16).padStart(40, '0')}`;

export function topicsTo(topic: string, i: number): string[] {
  return [topic, inTopic(FROM), inTopic(addressOf(i))];
}

/** Computes the bloom filter of these addresses and topics as one large number (Yellow Paper). */
export function bloomOf(values: readonly string[]): bigint {
  return values.reduce((bloom, value) => {
    const hash = keccak_256(hexToBytes(value.slice(2)));
    const bits = [0, 2, 4].map((at) => 1n << BigInt(((hash[at]! << 8) | hash[at + 1]!) % 2048));
    return bits.reduce((set, bit) => set | bit, bloom);
  }, 0n);
}

export const valuesOf = (logs: readonly { address: string; topics: string[] }[]) =>
  logs.flatMap(({ address, topics }) => [address, ...topics]);

export const inHex = (bloom: bigint) => `0x${bloom.toString(16).padStart(512, '0')}`;

export const TOKEN = SAMPLE_TOKEN.toLowerCase();
export const OTHER_TOKEN = `0x${'b2'.repeat(20)}`;
const WANTED_LOGS = [TOKEN, OTHER_TOKEN];

export const FLOODED_BLOCK = 12;

/** Limits under which an ordinary answer holds about ten logs. */
export const LOW_LIMITS = {
  parsedBytes: 6_000,
  heldMovements: 7,
  streaming: { silenceMs: 60_000, totalMs: 60_000, elementBytes: 20_000 },
};

/** Connects to a node with two tokens and with limits that sixty logs exceed. */
export function lowLayer(url: string, limits: Partial<RpcClientOptions> = LOW_LIMITS) {
  const assets = [sampleAsset(), sampleAsset({ token: OTHER_TOKEN, symbol: 'USDC', name: 'Other' })];
  const { networks, patience } = settingsFor(url, { assets });
  return nodeLayer(new NetworksSettings(networks, { ...patience, retryAfterMs: [], ...limits }));
}

/** Creates sixty transfers of two tokens, each to another address. Every third one has the amount zero. */
export const transfers = () =>
  createTransferLogs(FLOODED_BLOCK, 60, (i) => ({
    address: WANTED_LOGS[i % 2],
    topics: topicsTo(TRANSFER_TOPIC, i),
    data: wordOf(i % 3 === 0 ? 0 : i),
  }));

/** Creates logs that do not concern the service, in a block whose bloom filter allows relevant logs. */
export const disguised = () =>
  createTransferLogs(FLOODED_BLOCK, 60, (i) => ({
    address: i % 2 === 0 ? addressOf(i) : TOKEN,
    topics: [i % 2 === 0 ? TRANSFER_TOPIC : OTHER_HASH],
  }));
