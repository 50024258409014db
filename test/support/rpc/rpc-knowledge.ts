import {
  hex,
  refusal,
  resultOf,
  type Ask,
  type Limited,
  type Misbehaviour,
  type RpcAnswer,
  type RpcCall,
} from './rpc-wire.js';

interface NumberedBlock {
  readonly number: string;
}

interface LogFilter {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
}

const BY_HASH: Readonly<Record<string, string>> = {
  eth_getBlockByHash: 'number',
  eth_getTransactionReceipt: 'blockNumber',
  eth_getTransactionByHash: 'blockNumber',
};
const STATE_AT: Readonly<Record<string, number>> = { eth_getBalance: 1, eth_call: 1, eth_getCode: 1 };
const TAGS = ['latest', 'pending', 'safe', 'finalized', 'earliest'];

/** Answers as if the head, and what is final, were that many blocks back. */
export function lag(blocks: number, limited: Limited = {}): Misbehaviour {
  return { ...behind((head) => Math.max(0, head - blocks)), ...limited };
}

/** Answers none for logs of blocks that it does not have, where others say that they do not have them. */
export function emptyPastHead(): Misbehaviour {
  return {
    name: 'emptyPastHead',
    methods: ['eth_getLogs'],
    async answer(call, ask) {
      const answer = await ask(call);
      const isPast = 'error' in answer && /unknown block|block height is/i.test(answer.error.message);
      return isPast ? { result: [] } : answer;
    },
  };
}

export function prunedState(kept: number): Misbehaviour {
  return {
    name: 'prunedState',
    methods: Object.keys(STATE_AT),
    async answer(call, ask) {
      const head = Number(await resultOf<string>(ask, 'eth_blockNumber', []));
      const at = await numberOfState(call, ask, head);
      if (at === null || at > head - kept) return ask(call);
      return refusal(-32000, `missing trie node ${'ab'.repeat(32)} (path ) state is not available`);
    },
  };
}

function behind(headOf: (real: number) => number): Misbehaviour {
  return {
    name: 'lag',
    async answer(call, ask) {
      const real = Number(await resultOf<string>(ask, 'eth_blockNumber', []));
      const head = headOf(real);
      if (call.method === 'eth_blockNumber') return { result: hex(head) };
      if (call.method === 'eth_getBlockByNumber') return blockUpTo(call, ask, real, head);
      if (call.method === 'eth_getLogs') return logsUpTo(call, ask, head);
      if (call.method in STATE_AT) return stateUpTo(call, ask, head);
      if (call.method in BY_HASH || call.method === 'eth_getBlockReceipts') return factUpTo(call, ask, head);
      return ask(call);
    },
  };
}

async function blockUpTo(call: RpcCall, ask: Ask, real: number, head: number): Promise<RpcAnswer> {
  const [tag, ...rest] = call.params as [string, ...unknown[]];
  if (tag === 'finalized' || tag === 'safe') {
    const { number } = await resultOf<NumberedBlock>(ask, 'eth_getBlockByNumber', [tag, false]);
    return ask({ ...call, params: [hex(Math.max(0, Number(number) - (real - head))), ...rest] });
  }
  const number = numberOf(tag, head);
  if (number > head) return { result: null };
  return ask(TAGS.includes(tag) ? { ...call, params: [hex(number), ...rest] } : call);
}

async function logsUpTo(call: RpcCall, ask: Ask, head: number): Promise<RpcAnswer> {
  const filter = call.params[0] as LogFilter;
  if (filter.blockHash !== undefined) {
    const number = await numberOfHash(filter.blockHash, ask);
    return number !== null && number > head ? refusal(-32000, 'unknown block') : ask(call);
  }
  const from = numberOf(filter.fromBlock, head);
  if (from > head) return refusal(-32602, `block height is ${head} but requested was ${from}`);
  const to = hex(Math.min(head, numberOf(filter.toBlock, head)));
  return ask({ ...call, params: [{ ...filter, fromBlock: hex(from), toBlock: to }] });
}

async function stateUpTo(call: RpcCall, ask: Ask, head: number): Promise<RpcAnswer> {
  const at = await numberOfState(call, ask, head);
  if (at === null) return ask(call);
  if (at > head) return refusal(-32000, 'header not found');
  const params = [...call.params];
  params[STATE_AT[call.method]!] = hex(at);
  return ask({ ...call, params });
}

async function factUpTo(call: RpcCall, ask: Ask, head: number): Promise<RpcAnswer> {
  const answer = await ask(call);
  if ('error' in answer || answer.result === null) return answer;
  const facts = answer.result as Record<string, string> | readonly { blockNumber: string }[];
  const number = Array.isArray(facts)
    ? facts[0]?.blockNumber
    : (facts as Record<string, string>)[BY_HASH[call.method]!];
  return number !== undefined && Number(number) > head ? { result: null } : answer;
}

/** @param block a quantity or a tag; absent as `latest` */
function numberOf(block: string | undefined, head: number): number {
  if (block === 'earliest') return 0;
  return block === undefined || TAGS.includes(block) ? head : Number(block);
}

async function numberOfHash(hash: string, ask: Ask): Promise<number | null> {
  const block = await resultOf<NumberedBlock | null>(ask, 'eth_getBlockByHash', [hash, false]);
  return block === null ? null : Number(block.number);
}

/** @returns null where the node does not know the block */
async function numberOfState(call: RpcCall, ask: Ask, head: number): Promise<number | null> {
  const block = call.params[STATE_AT[call.method]!] as string | { blockHash?: string; blockNumber?: string };
  if (typeof block !== 'object') return numberOf(block, head);
  if (block.blockHash !== undefined) return numberOfHash(block.blockHash, ask);
  return numberOf(block.blockNumber, head);
}
