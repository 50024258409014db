import { ModulesContainer } from '@nestjs/core';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { chainAuditInvariants } from '#contexts/payments/infrastructure/audit/audit-invariants.js';
import { assetDecimalsInvariant } from '#contexts/payments/infrastructure/requests/persistence/invariants/transfer-events-invariants.js';
import { Database } from '#shared/platform/database/database.js';
import { registeredInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { EventHashChain } from '#shared/platform/seals/event-hash-chain.js';
import type { AuditExtent } from '#contexts/payments/infrastructure/audit/persistence/chain-audits.js';
import { OutboundChain } from '#contexts/networks/application/outbound/outbound-chain.js';
import { OutboundTransactionSender } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { newId } from '#shared/kernel/ids.js';
import { verifyRecordsAgainstBlockchains } from './verify-blockchains.js';
import { verifyOutboundTransactions } from './verify-outbound.js';
import { listPartitions, type RunSql } from '../../event-partitions/partition.js';
import { compareArchive } from '../../event-partitions/read-archive.js';
import { needsCompleteEventLog, verifyInvariants, type InvariantResult } from '../../verify-invariants.js';
import type { CommandArguments, ServiceCommand } from '../command.js';

export const verifyInvariantsCommand: ServiceCommand = {
  words: 'verify',
  about: 'Check every invariant on the current data.',
  example: '--chain --transfers 500',
  failsIf: 'an invariant is violated',
  options: {
    seal: { value: 'hex', about: 'check that a digest saved elsewhere is in the hash chain' },
    archive: {
      value: 'files',
      about: 'check archives of event log partitions against the hash chain (comma-separated)',
    },
    chain: {
      about: 'compare the books with the chains: balances, receipts, addresses, payment tokens',
    },
    transfers: {
      value: 'n',
      about: 'with --chain: number of transfers to compare with receipts (default: 200)',
    },
    all: { about: 'with --chain: compare every transfer' },
    seed: { value: 'text', about: 'with --chain: the same seed selects the same transfers' },
  },
  async run(context, args) {
    const database = context.get(Database);
    const catalogue = context.get(NetworkCatalogue);
    const invariants = [
      ...registeredInvariants(context.get(ModulesContainer)),
      assetDecimalsInvariant(catalogue.assets()),
      ...chainAuditInvariants(catalogue.networks().map(({ network }) => network)),
    ];
    const sql = (text: string, values?: unknown[]) => database.rows(text, values) as Promise<never[]>;
    const isWhole = (await listPartitions(sql)).every(({ isDetached }) => !isDetached);
    const unchecked = isWhole ? [] : invariants.filter(needsCompleteEventLog).map(({ name }) => name);
    const verdicts = await verifyInvariants(
      invariants.filter(({ name }) => !unchecked.includes(name)),
      sql,
    );
    // Webhook messages and transactions are compared with the events that caused them, so all partitions must be
    // attached.
    if (isWhole)
      verdicts.push(
        ...(await verifyOutboundTransactions({
          database,
          catalogue,
          chain: context.get(OutboundChain),
          chains: context.get(Chains),
          sender: context.get(OutboundTransactionSender),
        })),
      );
    for (const file of args.list('archive') ?? []) verdicts.push(await checkArchive(sql, file));
    const kept = args.optional('seal');
    if (kept !== undefined) verdicts.push(await checkSavedDigest(context.get(EventHashChain), kept));
    const chain = args.flag('chain')
      ? await verifyRecordsAgainstBlockchains(context, auditExtentOf(args))
      : undefined;
    verdicts.push(...(chain?.verdicts ?? []));
    const broken = verdicts.filter(({ breaches }) => breaches.length > 0);
    return {
      data: {
        invariants: verdicts.length,
        ...(chain && { seed: chain.seed, audited: chain.audited }),
        ...(!isWhole && { unchecked: [...unchecked, 'what-was-sent'] }),
        broken,
      },
      note:
        (broken.length === 0
          ? `All ${verdicts.length} invariants hold.`
          : `${broken.length} of ${verdicts.length} invariants are violated.`) +
        (isWhole
          ? ''
          : ` ${unchecked.length + 1} invariants were not checked because partitions of the event log are detached. Attach them first.`),
      exitCode: broken.length === 0 ? 0 : 1,
    };
  },
};

function auditExtentOf(args: CommandArguments): AuditExtent {
  return {
    transfers: args.flag('all') ? null : (args.integer('transfers') ?? 200),
    seed: args.optional('seed') ?? newId(),
  };
}

/** @throws PartitionRefused */
async function checkArchive(sql: RunSql, file: string): Promise<InvariantResult> {
  return {
    name: 'archive-is-as-sealed',
    promise: `The archive ${file} contains exactly the events of its partition that the hash chain proves.`,
    breaches: (await compareArchive(sql, file)).breaches,
  };
}

/** A rewritten log with a recomputed chain does not contain the digest. */
async function checkSavedDigest(seals: EventHashChain, digest: string): Promise<InvariantResult> {
  return {
    name: 'kept-seal-is-in-the-chain',
    promise: 'The saved digest is in the hash chain, so the events up to it are unchanged.',
    breaches: (await seals.findLinkByDigest(digest)) === null ? [{ digest }] : [],
  };
}
