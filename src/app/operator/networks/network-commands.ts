import type { INestApplicationContext } from '@nestjs/common';
import {
  DeployFactory,
  type DeployFactoryResult,
} from '#contexts/networks/application/outbound/deploy-factory.js';
import { SenderKeys } from '#contexts/networks/application/outbound/sender-keys.js';
import { ChainTypes, type ChainType } from '#contexts/networks/application/chain-types.js';
import { type NetworkCheckFinding, isWrongFinding } from '#contexts/networks/domain/finding.js';
import type { NetworkConfiguration } from '#contexts/networks/domain/network-configuration.js';
import { GAS_KEY_NAME } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { readPrivateKeyFile } from '../../settings/read-sending-keys.js';
import { type CommandArguments, type ServiceCommand, UsageError } from '../command.js';
import { networkStatusCommand } from './network-status.js';

const FILE_KEY_NAME = 'file';

export const networkCommands: ServiceCommand[] = [
  {
    words: 'network check',
    about: 'Check the endpoints, factory and tokens of a network. Run it before you use the network.',
    example: 'base',
    failsIf: 'a finding is wrong',
    arguments: { network: 'name of the network in NETWORKS_FILE' },
    async run(context, args) {
      const network = findNetwork(context, args);
      const { examination } = chainTypeOf(context, network);
      const findings = await examination.check(network);
      const wrong = findings.filter(isWrongFinding).length;
      const warnings = findings.filter(({ verdict }) => verdict === 'warning').length;
      return {
        data: findings.map(presentFinding),
        note: `${findings.length} checks: ${wrong} wrong, ${warnings} warnings.`,
        exitCode: wrong === 0 ? 0 : 1,
      };
    },
  },
  {
    words: 'network deploy',
    about: 'Deploy the forwarder factory to a network. Without --send, only show the cost.',
    changes: {
      what: 'the forwarder factory of a network (with --send)',
      irreversible: 'The transaction costs gas, and a deployed factory cannot be removed.',
      audited: 'around it',
      onlyReads: (args) => !args.flag('send'),
      async preview(context, args) {
        const key = findPayingKey(context, args);
        if (key === null) return null;
        const { network, name } = findNetwork(context, args);
        const planned = await deployContracts(context, args, key, false);
        if (planned.outcome !== 'planned') return null;
        const { factory, limits, sender, nativeDecimals } = planned;
        const cost = limits === undefined ? '' : ` for at most ${formatAmount(limits.cost, nativeDecimals)}`;
        const payer = sender === undefined ? '' : ` ${toDisplayAddress(sender.address)} pays${cost}.`;
        return {
          effect: `The factory ${factory} will be deployed on ${name} (${network}).${payer}`,
          confirmedBy: network,
        };
      },
    },
    example: 'base --send --key-file /run/secrets/deployer',
    failsIf: 'the deterministic deployer is missing',
    arguments: { network: 'name of the network in NETWORKS_FILE' },
    options: {
      send: { about: 'send the transaction' },
      'key-file': {
        value: 'path',
        about: 'file with the private key that pays the gas and gets no rights (default: the gas key)',
      },
    },
    async run(context, args) {
      const key = findPayingKey(context, args);
      if (args.flag('send') && key === null)
        throw new UsageError('--send requires --key-file or a gas key in the settings.');
      const outcome = await deployContracts(context, args, key, args.flag('send'));
      return {
        data: presentOutcome(outcome),
        note: noteOnFactory(outcome),
        exitCode: outcome.outcome === 'deployer_missing' ? 1 : 0,
      };
    },
  },
  networkStatusCommand,
];

async function deployContracts(
  context: INestApplicationContext,
  args: CommandArguments,
  key: string | null,
  send: boolean,
): Promise<DeployFactoryResult> {
  const network = findNetwork(context, args);
  const { deployment, name } = chainTypeOf(context, network);
  if (deployment === null) {
    const message = `Network ${network.network} has the chain type ${name}, which needs no factory.`;
    throw new DomainError('conflict', 'state_conflict', message);
  }
  return context.get(DeployFactory).deploy({ network, deployment, key, send });
}

function noteOnFactory({ outcome, deployer }: DeployFactoryResult): string {
  switch (outcome) {
    case 'already_there':
      return 'The factory is already deployed and correct. Nothing was sent.';
    case 'planned':
      return (
        'Nothing was sent. highest_cost excludes the data fee of some networks. ' +
        'Add --send to deploy, and --key-file PATH if the settings have no gas key.'
      );
    case 'deployer_missing':
      return (
        `The deterministic deployer (${deployer}) is not on this chain. The factory needs it ` +
        'to get its address. Deploy it first. Nothing was sent.'
      );
    case 'deployed':
      return deployer === null
        ? 'The factory is deployed and correct. Set factory in NETWORKS_FILE to its address, and restart all processes.'
        : 'The factory is deployed and correct.';
  }
}

function findNetwork(context: INestApplicationContext, args: CommandArguments): NetworkConfiguration {
  const { networks } = context.get(ChainTypes);
  const found = networks.find(({ network }) => network === args.text('network'));
  if (found !== undefined) return found;
  const known = networks.map(({ network }) => network).join(', ');
  throw new UsageError(`There is no network "${args.text('network')}". Networks in NETWORKS_FILE: ${known}.`);
}

function chainTypeOf(context: INestApplicationContext, { network }: NetworkConfiguration): ChainType {
  return context.get(ChainTypes).family(network);
}

/** Null if the process has no such key. */
function findPayingKey(context: INestApplicationContext, args: CommandArguments): string | null {
  const keys = context.get(SenderKeys);
  const file = args.optional('key-file');
  if (file === undefined) return keys.has(GAS_KEY_NAME) ? GAS_KEY_NAME : null;
  keys.add(FILE_KEY_NAME, readKeyFile(file));
  return FILE_KEY_NAME;
}

function readKeyFile(file: string): string {
  try {
    return readPrivateKeyFile(file);
  } catch (error) {
    throw new UsageError(`The key file ${(error as Error).message}`);
  }
}

function presentFinding({ about, check, verdict, says, todo }: NetworkCheckFinding) {
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
}: DeployFactoryResult) {
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
    ...(sender && { from: toDisplayAddress(sender.address), balance: coin(sender.balance) }),
    ...(transactionHash !== null && { transaction_hash: transactionHash }),
  };
}
