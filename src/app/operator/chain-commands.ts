import { readFileSync } from 'node:fs';
import { firstCreation } from '../../contexts/networks/domain/contract-address.js';
import type { NetworkConfiguration } from '../../contexts/networks/domain/network-configuration.js';
import {
  committedFactory,
  DETERMINISTIC_DEPLOYER,
} from '../../contexts/networks/infrastructure/chain/forwarder-artifacts.js';
import { parseNetworksConfiguration } from '../../contexts/networks/infrastructure/configuration/parse-networks-configuration.js';
import { isNative } from '../../shared/kernel/asset.js';
import { DomainError } from '../../shared/kernel/domain-error.js';
import { readOperatorEnvironment } from '../environment.js';
import { SettingReader } from '../setting-reader.js';
import type { Command } from './command.js';
import type { Given } from './given.js';
import { UsageError } from './usage-error.js';

/** The most that a reader of the chain is expected to bear. */
const MOST_BLOCKS = 128;
const SANDBOX_NETWORK = 'sandbox';
const LOOPBACK = /^(127(\.\d+){3}|localhost|\[::1\])$/;
/** What anvil says of a state that it has not kept. */
const NO_STATE = 'Required data unavailable';
const ANSWERS_WITHIN_MS = 30_000;

interface Block {
  /** Hexadecimal quantities, as on the wire; the timestamp in seconds since 1970. */
  readonly number: string;
  readonly hash: string;
  readonly timestamp: string;
  readonly transactions: readonly string[];
}

export interface Reorganisation {
  /** Heights at which another block stands now, in order. */
  readonly changed: readonly number[];
  /** Hashes of what stood in the replaced blocks and is in no block now. */
  readonly dropped: readonly string[];
}

/** What tries the service on the sandbox's chain; no other chain can be commanded so. */
export const chainCommands: Command[] = [
  {
    words: 'chain reorg',
    about: `Replace the newest blocks (1 to ${MOST_BLOCKS}) of the sandbox's own chain by others; in the sandbox only.`,
    arguments: ['blocks'],
    options: {
      drop: {
        about: 'leave their transactions out, as if they had never been sent; so unless told otherwise',
      },
      keep: { about: 'take their transactions into the new blocks of the same heights' },
    },
    async runAlone(given) {
      const depth = depthOf(given);
      const keep = given.flag('keep');
      if (keep && given.flag('drop')) throw new UsageError('Use one of --drop and --keep.');
      const { url, contracts } = await sandboxChain();
      const { changed, dropped } = await reorganise(url, depth, keep, contracts);
      const [from, to] = [changed[0], changed.at(-1)];
      return {
        data: { network: SANDBOX_NETWORK, from_height: from, to_height: to, changed, dropped },
        note: `At the heights ${from} to ${to} other blocks stand now. Transactions that are in none: ${dropped.length}.`,
      };
    },
  },
];

/**
 * Has an anvil replace its newest blocks, and keeps its clock from going back with them.
 * @param keep whether the new blocks hold the old ones' transactions, where these are still possible
 * @param contracts whose code is to outlive it: anvil forgets the code of a state that it has put away on disk
 * @throws DomainError with the reason as a sentence
 */
export async function reorganise(
  url: string,
  depth: number,
  keep: boolean,
  contracts: readonly string[] = [],
): Promise<Reorganisation> {
  const head = await blockAt(url, 'latest');
  const height = Number(head.number);
  if (depth > height)
    throw refused(`The chain has ${height} blocks after its first, so no ${depth} to replace.`);
  const first = height - depth + 1;
  const blocks = () => Promise.all(Array.from({ length: depth }, (_, i) => blockAt(url, first + i)));
  const before = await blocks();
  const codes = () =>
    Promise.all(contracts.map((address) => rpc<string>(url, 'eth_getCode', [address, 'latest'])));
  const code = await codes();
  const pairs = keep ? await placed(url, before) : [];
  await rpc(url, 'anvil_reorg', [depth, pairs]).catch((error: unknown) => {
    if (!(error instanceof DomainError) || !error.message.includes(NO_STATE)) throw error;
    throw refused(
      "Some of these blocks are older than the node's last start: it cannot go back there. Take fewer.",
    );
  });
  for (const [i, now] of (await codes()).entries()) {
    if (now !== code[i]) await rpc(url, 'anvil_setCode', [contracts[i], code[i]]);
  }
  const behind = Number(head.timestamp) - Number((await blockAt(url, 'latest')).timestamp);
  if (behind > 0) await rpc(url, 'evm_increaseTime', [behind]);

  const after = await blocks();
  const stands = new Set(after.flatMap(({ transactions }) => transactions));
  return {
    changed: before.flatMap(({ hash }, i) => (hash === after[i]!.hash ? [] : [first + i])),
    dropped: before.flatMap(({ transactions }) => transactions.filter((hash) => !stands.has(hash))),
  };
}

function depthOf(given: Given): number {
  const depth = given.integer('blocks') ?? 0;
  if (depth >= 1 && depth <= MOST_BLOCKS) return depth;
  throw new UsageError(`blocks must be a whole number from 1 to ${MOST_BLOCKS}.`);
}

/** The endpoint of the sandbox's own chain. @throws DomainError wherever it could be another's */
async function sandboxChain(): Promise<{ url: string; contracts: string[] }> {
  const reader = new SettingReader(readOperatorEnvironment());
  const environment = reader.text('SERVICE_ENV', 'not set');
  if (environment !== 'development') {
    throw refused(
      `SERVICE_ENV is ${environment}: only the chain of a sandbox (npm start) can be reorganised.`,
    );
  }
  const networks = reader.parsed('NETWORKS_FILE', readNetworks);
  reader.finish();
  const sandbox = networks!.find(({ network }) => network === SANDBOX_NETWORK);
  const url = sandbox?.rpcUrls[0];
  if (url === undefined || !LOOPBACK.test(new URL(url).hostname)) {
    throw refused(
      'The networks are not the sandbox’s (NETWORKS_FILE): their chains are not yours to reorganise.',
    );
  }
  const client = await rpc<string>(url, 'web3_clientVersion').catch(() => {
    throw refused(`No sandbox is running: nothing answers at ${url}. Start one with npm start.`);
  });
  const chainId = Number(await rpc<string>(url, 'eth_chainId'));
  if (client.startsWith('anvil/') && chainId === sandbox!.chainId)
    return { url, contracts: contractsOf(sandbox!) };
  throw refused(`At ${url} there is not the sandbox's chain, but ${client} with chain id ${chainId}.`);
}

function contractsOf({ assets, factory = committedFactory() }: NetworkConfiguration): string[] {
  const tokens = assets.filter((asset) => !isNative(asset)).map(({ token }) => token);
  return [DETERMINISTIC_DEPLOYER, factory, firstCreation(factory), ...tokens];
}

function readNetworks(file: string): NetworkConfiguration[] {
  return parseNetworksConfiguration(JSON.parse(readFileSync(file, 'utf8')));
}

/** Each transaction as it was signed, and in which of the new blocks it is to stand. */
async function placed(url: string, blocks: readonly Block[]): Promise<[raw: string, block: number][]> {
  const pairs: [string, number][] = [];
  for (const [index, { transactions }] of blocks.entries()) {
    for (const hash of transactions) {
      pairs.push([await rpc<string>(url, 'eth_getRawTransactionByHash', [hash]), index]);
    }
  }
  return pairs;
}

async function blockAt(url: string, at: number | 'latest'): Promise<Block> {
  const number = at === 'latest' ? at : `0x${at.toString(16)}`;
  const block = await rpc<Block | null>(url, 'eth_getBlockByNumber', [number, false]);
  if (block === null) throw refused(`The chain has no block ${at}: it was changed meanwhile. Try again.`);
  return block;
}

async function rpc<Result>(url: string, method: string, params: unknown[] = []): Promise<Result> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  });
  const answer = (await response.json()) as { result: Result; error?: { message: string } };
  if (answer.error) throw refused(`The chain refuses ${method}: ${answer.error.message}`);
  return answer.result;
}

function refused(message: string): DomainError {
  return new DomainError('conflict', 'state_conflict', message);
}
