import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import { DomainError, stateConflict } from '#shared/kernel/domain-error.js';

/** anvil no longer stores the state. */
const STATE_LOST_MESSAGE = 'Required data unavailable';
const RPC_TIMEOUT_MS = 30_000;

interface AnvilBlock {
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
  readonly transactions: readonly string[];
}

export interface Reorganization {
  readonly changed: readonly number[];
  readonly dropped: readonly string[];
}

/**
 * The clock does not go back. @param keep include transactions that are still valid @param contracts restored
 * afterwards, because anvil loses code that it moved to disk
 */
export async function reorganizeChain(
  url: string,
  depth: number,
  keep: boolean,
  contracts: readonly string[] = [],
): Promise<Reorganization> {
  const head = await readBlock(url, 'latest');
  const height = Number(head.number);
  if (depth > height)
    throw stateConflict(`The chain has only ${height} blocks that can be replaced, not ${depth}.`);
  const first = height - depth + 1;
  const blocks = () => Promise.all(Array.from({ length: depth }, (_, i) => readBlock(url, first + i)));
  const before = await blocks();
  const codes = () =>
    Promise.all(contracts.map((address) => callAnvil<string>(url, 'eth_getCode', [address, 'latest'])));
  const code = await codes();
  const pairs = keep ? await assignToBlocks(url, before) : [];
  await callAnvil(url, 'anvil_reorg', [depth, pairs]).catch((error: unknown) => {
    if (!(error instanceof DomainError) || !error.message.includes(STATE_LOST_MESSAGE)) throw error;
    throw stateConflict(
      "Some of these blocks are older than the node's last start, so it cannot replace them. Replace fewer blocks.",
    );
  });
  for (const [i, now] of (await codes()).entries()) {
    if (now !== code[i]) await callAnvil(url, 'anvil_setCode', [contracts[i], code[i]]);
  }
  const behind = Number(head.timestamp) - Number((await readBlock(url, 'latest')).timestamp);
  if (behind > 0) await callAnvil(url, 'evm_increaseTime', [behind]);

  const after = await blocks();
  const stands = new Set(after.flatMap(({ transactions }) => transactions));
  return {
    changed: before.flatMap(({ hash }, i) => (hash === after[i]!.hash ? [] : [first + i])),
    dropped: before.flatMap(({ transactions }) => transactions.filter((hash) => !stands.has(hash))),
  };
}

/** Index of the new block by signed transaction. */
async function assignToBlocks(
  url: string,
  blocks: readonly AnvilBlock[],
): Promise<[raw: string, block: number][]> {
  const pairs: [string, number][] = [];
  for (const [index, { transactions }] of blocks.entries()) {
    for (const hash of transactions) {
      pairs.push([await callAnvil<string>(url, 'eth_getRawTransactionByHash', [hash]), index]);
    }
  }
  return pairs;
}

async function readBlock(url: string, at: number | 'latest'): Promise<AnvilBlock> {
  const number = at === 'latest' ? at : `0x${at.toString(16)}`;
  const block = await callAnvil<AnvilBlock | null>(url, 'eth_getBlockByNumber', [number, false]);
  if (block === null)
    throw stateConflict(
      `Block ${at} no longer exists, because another program changed the chain. Try again.`,
    );
  return block;
}

export async function callAnvil<Result>(
  url: string,
  method: string,
  params: unknown[] = [],
): Promise<Result> {
  const response = await outgoingFetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(RPC_TIMEOUT_MS),
  });
  const answer = (await response.json()) as { result: Result; error?: { message: string } };
  if (answer.error) throw stateConflict(`The chain rejected ${method}: ${answer.error.message}`);
  return answer.result;
}
