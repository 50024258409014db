import type { INestApplicationContext } from '@nestjs/common';
import { DeployFactory, type FactoryOutcome } from '#contexts/networks/application/sending/deploy-factory.js';
import { SenderKeys } from '#contexts/networks/application/sending/sender-keys.js';
import { ChainFamilies, type ChainFamily } from '#contexts/networks/application/chain-families.js';
import { ShowNetworks } from '#contexts/networks/application/show-networks.js';
import { type Finding, isWrong } from '#contexts/networks/domain/finding.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { GAS_KEY } from '#contexts/networks/contract/sender.js';
import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import { AuditResults, ReadingProgress } from '#contexts/payments/contract/reading-progress.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { Clock } from '#shared/kernel/clock.js';
import { privateKeyInFile } from '../../settings/private-key.js';
import type { Command, Foretold } from '../command.js';
import { presentNetworks } from './present-networks.js';
import { UsageError, type CommandArguments } from '../command-arguments.js';

/** Name of the key that a command reads from a file. */
const KEY_OF_FILE = 'file';

export const networkCommands: Command[] = [
  {
    words: 'network check',
    about:
      'Check endpoints, factory and tokens of a network before it is used; exit status 1 if anything is wrong.',
    example: 'base',
    failsIf: 'a check is wrong',
    arguments: { network: 'its name in NETWORKS_FILE' },
    async run(context, args) {
      const network = networkOf(context, args);
      const { examination } = familyOf(context, network);
      const findings = await examination.execute(network);
      const wrong = findings.filter(isWrong).length;
      const warnings = findings.filter(({ verdict }) => verdict === 'warning').length;
      return {
        data: findings.map(presentFinding),
        note: `${findings.length} checks: ${wrong} wrong, ${warnings} to be looked at.`,
        exitCode: wrong === 0 ? 0 : 1,
      };
    },
  },
  {
    words: 'network deploy',
    about: 'Bring the forwarder factory to a network; shows what it takes, and sends only with --send.',
    changes: {
      what: 'the forwarder factory of a network, with --send',
      irreversible: 'The transaction spends gas, and the factory stays on the chain.',
      audited: 'around it',
      onlyReads: (args) => !args.flag('send'),
      foretell: foretellDeployment,
    },
    example: 'base --send --key-file /run/secrets/deployer',
    failsIf: 'the deterministic deployer is missing',
    arguments: { network: 'its name in NETWORKS_FILE' },
    options: {
      send: { about: 'send the transaction' },
      'key-file': {
        value: 'path',
        about:
          'file with the private key of the account that pays the gas, which gets no rights; else the gas key pays',
      },
    },
    async run(context, args) {
      const key = payingKey(context, args);
      if (args.flag('send') && key === null)
        throw new UsageError('--send wants --key-file, or a gas key in the settings.');
      const network = networkOf(context, args);
      const outcome = await deploy(context, network, key, args.flag('send'));
      return {
        data: presentOutcome(outcome),
        note: noteOn(outcome),
        exitCode: outcome.outcome === 'deployer_missing' ? 1 : 0,
      };
    },
  },
  {
    words: 'network status',
    about: 'Show how each network answers now, how far it was read, and whether it takes new requests.',
    example: '--json',
    async run(context) {
      const { networks } = context.get(ChainFamilies, { strict: false });
      const progress = context.get(ReadingProgress, { strict: false });
      const views = await context.get(ShowNetworks, { strict: false }).execute(networks);
      const [readings, dues, audits] = await Promise.all([
        progress.readings(),
        progress.dues(),
        context.get(AuditResults, { strict: false }).latest(),
      ]);
      const now = await context.get(Clock, { strict: false }).now();
      return { data: presentNetworks({ networks, views, readings, dues, audits, now }) };
    },
  },
];

/** @param send false: only shown */
async function deploy(
  context: INestApplicationContext,
  network: NetworkConfiguration,
  key: string | null,
  send: boolean,
): Promise<FactoryOutcome> {
  const { deployment, name } = familyOf(context, network);
  if (deployment === null) {
    const message = `Network ${network.network} is of the family ${name}, which needs no factory.`;
    throw new DomainError('conflict', 'state_conflict', message);
  }
  return context.get(DeployFactory, { strict: false }).execute({ network, deployment, key, send });
}

async function foretellDeployment(
  context: INestApplicationContext,
  args: CommandArguments,
): Promise<Foretold | null> {
  const key = payingKey(context, args);
  if (key === null) return null;
  const network = networkOf(context, args);
  const { outcome, factory, limits, sender, nativeDecimals } = await deploy(context, network, key, false);
  if (outcome !== 'planned') return null;
  const cost = limits === undefined ? '' : ` for at most ${formatAmount(limits.cost, nativeDecimals)}`;
  const payer = sender === undefined ? '' : ` ${addressForPeople(sender.address)} pays${cost}.`;
  return {
    says: `The factory ${factory} will be deployed on ${network.name} (${network.network}).${payer}`,
    type: network.network,
  };
}

function noteOn({ outcome, deployer }: FactoryOutcome): string {
  switch (outcome) {
    case 'already_there':
      return 'The factory is there already, and right. Nothing was sent.';
    case 'planned':
      return (
        'Nothing was sent. The fee for data that some networks charge besides is not in the highest cost. ' +
        'Add --send to send it, and --key-file PATH where the settings have no gas key.'
      );
    case 'deployer_missing':
      return (
        `The deterministic deployer (${deployer}) is not on this chain. Without it the factory ` +
        'cannot come to its address: bring it there first. Nothing was sent.'
      );
    case 'deployed':
      return 'The factory is there, and right.';
  }
}

function networkOf(context: INestApplicationContext, args: CommandArguments): NetworkConfiguration {
  const { networks } = context.get(ChainFamilies, { strict: false });
  const found = networks.find(({ network }) => network === args.text('network'));
  if (found !== undefined) return found;
  const known = networks.map(({ network }) => network).join(', ');
  throw new UsageError(`There is no network "${args.text('network')}". NETWORKS_FILE has: ${known}.`);
}

function familyOf(context: INestApplicationContext, { network }: NetworkConfiguration): ChainFamily {
  return context.get(ChainFamilies, { strict: false }).family(network);
}

/** @returns the name under which the process holds it */
function payingKey(context: INestApplicationContext, args: CommandArguments): string | null {
  const keys = context.get(SenderKeys, { strict: false });
  const file = args.optional('key-file');
  if (file === undefined) return keys.has(GAS_KEY) ? GAS_KEY : null;
  keys.hold(KEY_OF_FILE, keyIn(file));
  return KEY_OF_FILE;
}

function keyIn(file: string): string {
  try {
    return privateKeyInFile(file);
  } catch (error) {
    throw new UsageError(`The key file ${(error as Error).message}`);
  }
}

function presentFinding({ about, check, verdict, says, todo }: Finding) {
  return { verdict, about, check, finding: says, what_to_do: todo ?? null };
}

function presentOutcome({
  factory,
  implementation,
  outcome,
  nativeDecimals,
  limits,
  sender,
  transactionHash,
}: FactoryOutcome) {
  const coin = (amount: bigint) => formatAmount(amount, nativeDecimals);
  return {
    outcome,
    factory,
    implementation,
    ...(limits && {
      highest_gas: Number(limits.gas),
      highest_gas_price_gwei: formatAmount(limits.gasPrice, 9),
      highest_cost: coin(limits.cost),
    }),
    ...(sender && { from: addressForPeople(sender.address), balance: coin(sender.balance) }),
    ...(transactionHash !== null && { transaction_hash: transactionHash }),
  };
}
