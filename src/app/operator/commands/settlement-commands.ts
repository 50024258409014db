import type { INestApplicationContext } from '@nestjs/common';
import { CheckNetwork } from '#contexts/networks/application/check-network.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { GAS_KEY, Sender } from '#contexts/networks/contract/sender.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { PlanRun } from '#contexts/settlement/application/settling/plan-run.js';
import { RunSettlement } from '#contexts/settlement/application/settling/run-settlement.js';
import { ShowSettling } from '#contexts/settlement/application/settling/show-settling.js';
import { SetAside } from '#contexts/settlement/domain/settling/set-aside.js';
import type { Command, Foretold } from '../command.js';
import type { CommandArguments } from '../command-arguments.js';
import { presentPlan, presentRun, presentSettling } from './present-settling.js';

const part = <T>(context: INestApplicationContext, type: abstract new (...args: never[]) => T): T =>
  context.get<T>(type as never, { strict: false });

/** Nothing is read of a chain before it is proven to be the right one, which the worker does from its start on. */
async function checkChain(context: INestApplicationContext, network: string): Promise<void> {
  const { networks } = part(context, NetworksSettings);
  const configuration = networks.find((each) => each.network === network);
  if (configuration !== undefined) await part(context, CheckNetwork).execute(configuration, false);
}

export const settlementCommands: Command[] = [
  {
    words: 'settlement run',
    about: 'Have what is due on a network delivered now, one batch at a time.',
    changes: {
      what: 'what is delivered, without --dry-run',
      irreversible: 'A delivery on a chain does not come back, and spends gas.',
      audited: 'around it',
      onlyReads: (args) => args.flag('dry-run'),
      foretell: foretellRun,
    },
    example: 'base --dry-run',
    arguments: { network: 'its name in NETWORKS_FILE' },
    options: { 'dry-run': { about: 'show what would be sent, what is left out and why; nothing is stored' } },
    async run(context, args) {
      const network = args.text('network');
      await checkChain(context, network);
      if (args.flag('dry-run')) {
        const sender = part(context, Sender).addressOf(network, GAS_KEY);
        const plan = await part(context, PlanRun).execute(network, sender);
        const [view] = await part(context, ShowSettling).execute(network);
        const note = plan.batches.length === 0 ? 'Nothing would be sent.' : 'Nothing was sent.';
        return { data: { from: addressForPeople(sender), ...presentPlan(plan, view!.waiting) }, note };
      }
      const run = await part(context, RunSettlement).execute(network);
      const note =
        run.sent === null ? 'Nothing was sent: nothing is due, or a batch is in flight.' : undefined;
      return { data: presentRun(run), ...(note === undefined ? {} : { note }) };
    },
  },
  {
    words: 'settlement status',
    about:
      'Show what waits at deposit addresses, what is due, in flight and set aside, and the last batches.',
    example: '--network base',
    options: { network: { value: 'name', about: 'of this network alone' } },
    async run(context, args) {
      const views = await part(context, ShowSettling).execute(args.optional('network'));
      return { data: views.map(presentSettling) };
    },
  },
  {
    words: 'settlement retry',
    about: 'Plan what was set aside on a network again, without waiting.',
    changes: {
      what: 'when what was set aside is planned again',
      undo: 'what differs or fails again is left out again.',
      audited: 'with it',
    },
    example: 'base',
    arguments: { network: 'its name in NETWORKS_FILE' },
    async run(context, args) {
      const network = args.text('network');
      const retried = await part(context, SetAside).retryAll(network);
      return { data: { network, retried } };
    },
  },
];

async function foretellRun(
  context: INestApplicationContext,
  args: CommandArguments,
): Promise<Foretold | null> {
  const network = args.text('network');
  await checkChain(context, network);
  const sender = part(context, Sender).addressOf(network, GAS_KEY);
  const { batches } = await part(context, PlanRun).execute(network, sender);
  const [oldest] = batches;
  if (oldest === undefined) return null;
  return {
    says: `One batch with ${oldest.payouts.length} payouts will be sent on ${network}, by ${addressForPeople(sender)}.`,
    type: network,
  };
}
