import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { ZERO_ADDRESS } from '../../forwarders/evm-address.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { ERC20_ABI, queryContract } from '../../ethereum-rpc/contract-calls.js';
import { toHexQuantity } from '../../ethereum-rpc/hex-fields.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { TRANSFER_TOPIC } from '../../ethereum-rpc/log-answers.js';
import { MalformedAnswer } from '../../rpc/rpc-failures.js';

const SEARCH_RANGES_BLOCKS = [10, 100, 1_000, 10_000];
const MAX_CANDIDATES = 12;
const MAX_HOLDERS = 3;

/** All queries use the same block, so that transfers cannot change the result between them. */
export interface TokenAtBlock {
  readonly endpoint: Endpoint;
  readonly token: string;
  readonly head: number;
}

export async function recentHolders(rpc: JsonRpc, at: TokenAtBlock): Promise<string[]> {
  const { endpoint, token, head } = at;
  const recipients = await recentRecipients(rpc, at);
  const holders: { address: string; balance: bigint }[] = [];
  for (const address of recipients.slice(0, MAX_CANDIDATES)) {
    const question = { abi: ERC20_ABI, to: token, functionName: 'balanceOf', args: [address] };
    const balance = await queryContract(rpc, endpoint, question, { block: toHexQuantity(head) });
    if (typeof balance === 'bigint' && balance > 0n) holders.push({ address, balance });
  }
  holders.sort((a, b) => (a.balance < b.balance ? 1 : -1));
  return holders.slice(0, MAX_HOLDERS).map(({ address }) => address);
}

async function recentRecipients(rpc: JsonRpc, { endpoint, token, head }: TokenAtBlock): Promise<string[]> {
  for (const back of SEARCH_RANGES_BLOCKS) {
    const fromBlock = toHexQuantity(Math.max(0, head - back + 1));
    const filter = { address: token, topics: [TRANSFER_TOPIC], fromBlock, toBlock: toHexQuantity(head) };
    try {
      const call = {
        method: 'eth_getLogs',
        isLong: true,
        params: [filter],
        read: (logs: unknown) => recipientsIn(logs, token),
      };
      const recipients = await rpc.callOnce(endpoint, call);
      if (recipients.length > 0 || head < back) return recipients;
    } catch (error) {
      // Many endpoints reject wide ranges, but every endpoint must answer for the narrowest one.
      if (!(error instanceof ChainUnavailable) || back === SEARCH_RANGES_BLOCKS[0]) throw error;
      return [];
    }
  }
  return [];
}

function recipientsIn(logs: unknown, token: string): string[] {
  if (!Array.isArray(logs)) throw new MalformedAnswer('the logs are not a list');
  const found = logs.flatMap((log: { topics?: unknown }) => {
    const topic = Array.isArray(log?.topics) ? (log.topics[2] as unknown) : undefined;
    return typeof topic === 'string' && /^0x0{24}[0-9a-fA-F]{40}$/.test(topic)
      ? [`0x${topic.slice(26).toLowerCase()}`]
      : [];
  });
  return [...new Set(found.reverse())].filter((address) => address !== ZERO_ADDRESS && address !== token);
}
