import { type CommandArguments, type StandaloneCommand, UsageError } from '../command.js';
import { reorganizeChain } from './reorganize-chain.js';
import {
  SANDBOX_BITCOIN_NETWORK,
  SANDBOX_TRON_NETWORK,
  isMadeBySandbox,
  reorganizeMadeChain,
} from './sandbox-blocks.js';
import { SANDBOX_NETWORK, findSandboxChain } from './sandbox-chain.js';

/** Deepest reorganization that the service must handle. */
const MAX_REORGANIZED_BLOCKS = 128;

const REFUSAL_MESSAGES = {
  elsewhere: 'only the chain of a sandbox (npm start) can be reorganized.',
  otherNetworks: 'real chains cannot be reorganized.',
};

export const chainCommands: StandaloneCommand[] = [
  {
    words: 'chain reorg',
    about: `Replace the newest blocks (1 to ${MAX_REORGANIZED_BLOCKS}) of a sandbox chain. Sandbox only.`,
    changes: {
      what: 'the blocks of a sandbox chain',
      irreversible:
        'The replaced blocks are lost. With --drop, so are their transactions, except on Bitcoin.',
      audited: 'around it',
      async preview(args, environment) {
        const depth = parseDepth(args);
        const network = parseNetwork(args);
        const { url } = await findSandboxChain(environment, REFUSAL_MESSAGES, network);
        const transactions = args.flag('keep') ? 'with' : 'without';
        return {
          effect: `The newest ${depth} blocks of the chain "${network}" at ${url} will be replaced, ${transactions} their transactions.`,
          confirmedBy: network,
        };
      },
    },
    example: '3 --keep',
    arguments: { blocks: 'number of blocks to replace' },
    options: {
      network: {
        value: 'name',
        about: `${SANDBOX_NETWORK}, ${SANDBOX_BITCOIN_NETWORK} or ${SANDBOX_TRON_NETWORK} (default: ${SANDBOX_NETWORK})`,
      },
      drop: {
        about:
          'remove their transactions (default). On Bitcoin they return to the mempool and a later block ' +
          'includes them',
      },
      keep: { about: 'keep their transactions in new blocks at the same heights' },
    },
    async runAlone(args, environment) {
      const depth = parseDepth(args);
      const keep = args.flag('keep');
      if (keep && args.flag('drop')) throw new UsageError('Use either --drop or --keep, not both.');
      const network = parseNetwork(args);
      const { url, contracts } = await findSandboxChain(environment, REFUSAL_MESSAGES, network);
      const { changed, dropped } = isMadeBySandbox(network)
        ? await reorganizeMadeChain(environment, network, depth, keep)
        : await reorganizeChain(url, depth, keep, contracts);
      const [from, to] = [changed[0], changed.at(-1)];
      return {
        data: { network, from_height: from, to_height: to, changed, dropped },
        note: `The blocks at heights ${from} to ${to} were replaced. Transactions no longer in a block: ${dropped.length}${network === SANDBOX_BITCOIN_NETWORK && dropped.length > 0 ? ' (in the mempool)' : ''}.`,
      };
    },
  },
];

function parseDepth(args: CommandArguments): number {
  const depth = args.integer('blocks') ?? 0;
  if (depth >= 1 && depth <= MAX_REORGANIZED_BLOCKS) return depth;
  throw new UsageError(`blocks must be a whole number from 1 to ${MAX_REORGANIZED_BLOCKS}.`);
}

function parseNetwork(args: CommandArguments): string {
  const network = args.optional('network') ?? SANDBOX_NETWORK;
  if (network === SANDBOX_NETWORK || isMadeBySandbox(network)) return network;
  throw new UsageError(
    `network must be ${SANDBOX_NETWORK}, ${SANDBOX_BITCOIN_NETWORK} or ${SANDBOX_TRON_NETWORK}.`,
  );
}
