import { type CommandArguments, type StandaloneCommand, UsageError } from '../command.js';
import { reorganiseChain } from './reorganise-chain.js';
import { BITCOIN_SANDBOX, replaceBlocks } from './sandbox-blocks.js';
import { SANDBOX_NETWORK, sandboxChain } from './sandbox-chain.js';

/** Number of blocks in the deepest reorganization that the service must handle. */
const MAX_BLOCKS = 128;

const REFUSALS = {
  elsewhere: 'only the chain of a sandbox (npm start) can be reorganized.',
  otherNetworks: 'real chains cannot be reorganized.',
};

/** Commands that change a sandbox's chain, for testing. They reject every other chain. */
export const chainCommands: StandaloneCommand[] = [
  {
    words: 'chain reorg',
    about: `Replace the newest blocks (1 to ${MAX_BLOCKS}) of a sandbox chain. Sandbox only.`,
    changes: {
      what: 'the blocks of a sandbox chain',
      irreversible:
        'The replaced blocks are lost. With --drop, so are their transactions, except on Bitcoin.',
      audited: 'around it',
      async preview(args, environment) {
        const depth = depthOf(args);
        const network = networkOf(args);
        const { url } = await sandboxChain(environment, REFUSALS, network);
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
        about: `${SANDBOX_NETWORK} or ${BITCOIN_SANDBOX} (default: ${SANDBOX_NETWORK})`,
      },
      drop: {
        about:
          'remove their transactions (default). On Bitcoin they return to the mempool and a later block ' +
          'includes them',
      },
      keep: { about: 'keep their transactions in new blocks at the same heights' },
    },
    async runAlone(args, environment) {
      const depth = depthOf(args);
      const keep = args.flag('keep');
      if (keep && args.flag('drop')) throw new UsageError('Use either --drop or --keep, not both.');
      const network = networkOf(args);
      const { url, contracts } = await sandboxChain(environment, REFUSALS, network);
      const { changed, dropped } =
        network === BITCOIN_SANDBOX
          ? await replaceBlocks(environment, depth, keep)
          : await reorganiseChain(url, depth, keep, contracts);
      const [from, to] = [changed[0], changed.at(-1)];
      return {
        data: { network, from_height: from, to_height: to, changed, dropped },
        note: `The blocks at heights ${from} to ${to} were replaced. Transactions no longer in a block: ${dropped.length}${network === BITCOIN_SANDBOX && dropped.length > 0 ? ' (in the mempool)' : ''}.`,
      };
    },
  },
];

function depthOf(args: CommandArguments): number {
  const depth = args.integer('blocks') ?? 0;
  if (depth >= 1 && depth <= MAX_BLOCKS) return depth;
  throw new UsageError(`blocks must be a whole number from 1 to ${MAX_BLOCKS}.`);
}

function networkOf(args: CommandArguments): string {
  const network = args.optional('network') ?? SANDBOX_NETWORK;
  if (network === SANDBOX_NETWORK || network === BITCOIN_SANDBOX) return network;
  throw new UsageError(`network must be ${SANDBOX_NETWORK} or ${BITCOIN_SANDBOX}.`);
}
