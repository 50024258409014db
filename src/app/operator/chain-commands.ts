import type { NetworkConfiguration } from '../../contexts/networks/domain/network-configuration.js';
import { isNative } from '../../shared/kernel/asset.js';
import type { Environment } from '../environment.js';
import { SettingReader } from '../../shared/platform/settings/setting-reader.js';
import { readNetworksFile } from '../settings.js';
import type { Command } from './command.js';
import { callAnvil, refused, reorganiseChain } from './reorganise-chain.js';
import { UsageError, type CommandArguments } from './command-arguments.js';

/** The deepest reorganisation that the service is expected to handle. */
const MOST_BLOCKS = 128;
const SANDBOX_NETWORK = 'sandbox';
const LOOPBACK = /^(127(\.\d+){3}|localhost|\[::1\])$/;

/** Commands that change the sandbox's own chain, to try the service; they refuse any other chain. */
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
    async runAlone(args, environment) {
      const depth = depthOf(args);
      const keep = args.flag('keep');
      if (keep && args.flag('drop')) throw new UsageError('Use one of --drop and --keep.');
      const { url, contracts } = await sandboxChain(environment);
      const { changed, dropped } = await reorganiseChain(url, depth, keep, contracts);
      const [from, to] = [changed[0], changed.at(-1)];
      return {
        data: { network: SANDBOX_NETWORK, from_height: from, to_height: to, changed, dropped },
        note: `At the heights ${from} to ${to} other blocks stand now. Transactions that are in none: ${dropped.length}.`,
      };
    },
  },
];

function depthOf(args: CommandArguments): number {
  const depth = args.integer('blocks') ?? 0;
  if (depth >= 1 && depth <= MOST_BLOCKS) return depth;
  throw new UsageError(`blocks must be a whole number from 1 to ${MOST_BLOCKS}.`);
}

/** The endpoint of the sandbox's own chain. @throws DomainError wherever it could be another's */
async function sandboxChain(environment: Environment): Promise<{ url: string; contracts: string[] }> {
  const reader = new SettingReader(environment);
  const serviceEnvironment = reader.text('SERVICE_ENV', 'not set');
  if (serviceEnvironment !== 'development') {
    throw refused(
      `SERVICE_ENV is ${serviceEnvironment}: only the chain of a sandbox (npm start) can be reorganised.`,
    );
  }
  const networks = reader.parsed('NETWORKS_FILE', readNetworksFile);
  reader.finish();
  const sandbox = networks!.find(({ network }) => network === SANDBOX_NETWORK);
  const url = sandbox?.rpcUrls[0];
  if (url === undefined || !LOOPBACK.test(new URL(url).hostname)) {
    throw refused(
      'The networks are not the sandbox’s (NETWORKS_FILE): their chains are not yours to reorganise.',
    );
  }
  const client = await callAnvil<string>(url, 'web3_clientVersion').catch(() => {
    throw refused(`No sandbox is running: nothing answers at ${url}. Start one with npm start.`);
  });
  const chainId = Number(await callAnvil<string>(url, 'eth_chainId'));
  if (client.startsWith('anvil/') && chainId === sandbox!.chainId)
    return { url, contracts: contractsOf(sandbox!) };
  throw refused(`At ${url} there is not the sandbox's chain, but ${client} with chain id ${chainId}.`);
}

function contractsOf({ assets, contracts }: NetworkConfiguration): string[] {
  return [...contracts, ...assets.filter((asset) => !isNative(asset)).map(({ token }) => token)];
}
