import { toEventSelector } from 'viem';
import { Random } from '#test/simulation/random.js';
import { hex, resultOf, type Ask, type Misbehaviour, type RpcCall } from './rpc-wire.js';

/** The fields of the wire, as far as they are spoilt here. */
interface Log {
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly logIndex: string;
  readonly removed: boolean;
}

export function gaps(seed: number): Misbehaviour {
  const random = new Random(seed);
  return spoilt('gaps', (logs) => {
    const left = random.whole(0, logs.length - 1);
    return logs.filter((_, at) => at !== left && random.chance(0.5));
  });
}

export function noLogs(): Misbehaviour {
  return spoilt('noLogs', () => []);
}

export function repeats(): Misbehaviour {
  return spoilt('repeats', (logs) => logs.flatMap((log) => [log, log]));
}

/** Shows the logs backwards, between those of blocks that were reorganized away, marked as such. */
export function removedLogs(): Misbehaviour {
  return spoilt('removedLogs', (logs) =>
    logs.toReversed().flatMap((log) => [{ ...log, blockHash: turned(log.blockHash), removed: true }, log]),
  );
}

export function wrongBlock(): Misbehaviour {
  return spoilt('wrongBlock', (logs) => logs.map((log) => ({ ...log, blockHash: turned(log.blockHash) })));
}

export interface InventedTransfer {
  readonly token: string;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** In a block that the chain really has. */
  readonly blockNumber: number;
  readonly transactionHash: string;
}

/** Shows a transfer that never was: its log, its receipt, and a bloom that allows it. */
export function invents(invented: InventedTransfer): Misbehaviour {
  return {
    name: 'invents',
    async answer(call, ask) {
      if (call.method === 'eth_getTransactionReceipt' && call.params[0] === invented.transactionHash)
        return { result: await inventedReceipt(invented, ask) };
      const answer = await ask(call);
      if ('error' in answer || answer.result === null) return answer;
      const { result } = answer;
      if (call.method === 'eth_getLogs' && (await covers(call, invented.blockNumber, ask)))
        return { result: [...(result as Log[]), await inventedLog(invented, ask)] };
      if (!call.method.startsWith('eth_getBlock')) return answer;
      if (call.method === 'eth_getBlockReceipts') {
        const at = (result as { blockNumber: string }[])[0]?.blockNumber ?? call.params[0];
        if (at !== hex(invented.blockNumber)) return answer;
        return { result: [...(result as object[]), await inventedReceipt(invented, ask)] };
      }
      if ((result as { number: string }).number !== hex(invented.blockNumber)) return answer;
      return { result: { ...(result as object), logsBloom: FULL_BLOOM } };
    },
  };
}

const TRANSFER_TOPIC = toEventSelector('Transfer(address,address,uint256)');
const FULL_BLOOM = `0x${'ff'.repeat(256)}`;
/** Behind all that the block really has. */
const INVENTED_INDEX = hex(200);

function spoilt(name: string, spoil: (logs: readonly Log[]) => readonly Log[]): Misbehaviour {
  return {
    name,
    methods: ['eth_getLogs'],
    async answer(call, ask) {
      const answer = await ask(call);
      if ('error' in answer || (answer.result as Log[]).length === 0) return answer;
      return { result: spoil(answer.result as Log[]) };
    },
  };
}

function turned(hash: string): string {
  return `0x${[...hash.slice(2)].toReversed().join('')}`;
}

async function covers(call: RpcCall, number: number, ask: Ask): Promise<boolean> {
  const filter = call.params[0] as Record<string, string | undefined>;
  if (filter['blockHash'] !== undefined) return filter['blockHash'] === (await blockAt(number, ask))?.hash;
  const to = filter['toBlock'];
  const isBelow = to === undefined || !to.startsWith('0x') || number <= Number(to);
  return Number(filter['fromBlock'] ?? '0x0') <= number && isBelow && (await blockAt(number, ask)) !== null;
}

function blockAt(number: number, ask: Ask): Promise<{ hash: string } | null> {
  return resultOf(ask, 'eth_getBlockByNumber', [hex(number), false]);
}

async function inventedLog(invented: InventedTransfer, ask: Ask): Promise<object> {
  const { token, from, to, amount, blockNumber, transactionHash } = invented;
  return {
    address: token.toLowerCase(),
    topics: [TRANSFER_TOPIC, inTopic(from), inTopic(to)],
    data: `0x${amount.toString(16).padStart(64, '0')}`,
    blockHash: (await blockAt(blockNumber, ask))!.hash,
    blockNumber: hex(blockNumber),
    transactionHash,
    transactionIndex: INVENTED_INDEX,
    logIndex: INVENTED_INDEX,
    removed: false,
  };
}

async function inventedReceipt(invented: InventedTransfer, ask: Ask): Promise<object> {
  const log = (await inventedLog(invented, ask)) as { blockHash: string };
  const { transactionHash, from, token, blockNumber } = invented;
  return {
    transactionHash,
    transactionIndex: INVENTED_INDEX,
    blockHash: log.blockHash,
    blockNumber: hex(blockNumber),
    from: from.toLowerCase(),
    to: token.toLowerCase(),
    status: '0x1',
    logs: [log],
    logsBloom: FULL_BLOOM,
  };
}

const inTopic = (address: string) => `0x${'0'.repeat(24)}${address.slice(2).toLowerCase()}`;
