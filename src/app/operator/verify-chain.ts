import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { CheckNetwork } from '../../contexts/networks/application/check-network.js';
import { NetworksSettings } from '../../contexts/networks/infrastructure/networks-settings.js';
import {
  AuditChain,
  type AuditExtent,
  type ChainAudit,
} from '../../contexts/payments/application/watching/audit-chain.js';
import { Database } from '../../shared/platform/database/database.js';
import type { Verdict } from '../verify-invariants.js';
import { custodyDifferences } from './custody-on-chain.js';

/** What was posted a moment ago may not be in the ledger yet. */
const TRIES = 5;
const BETWEEN_TRIES_MS = 1_000;

const PROMISES = {
  'address-holds-less': 'Every deposit address holds what the books say came to it.',
  'address-holds-more': 'Nothing came to a deposit address that the books do not say.',
  'address-is-not-derived': 'Every deposit address is derived from its terms and its payment request.',
  'token-is-not-signed': 'Every payment token is signed, and asks for what its payment request asks for.',
  'transfer-is-not-on-chain': 'Every transfer that is looked at is shown by the receipt of its transaction.',
  'not-audited': 'Everything could be compared.',
  'custody-is-not-on-chain': 'The deposit addresses hold what the ledger has in custody.',
} as const;

/** The books against every configured network, one after the other. Stores nothing. */
export async function verifyChain(
  context: INestApplicationContext,
  extent: AuditExtent,
): Promise<{ verdicts: Verdict[]; audited: object[]; seed: string }> {
  const found: { kind: keyof typeof PROMISES; breach: object }[] = [];
  const audited: object[] = [];
  for (const configuration of context.get(NetworksSettings, { strict: false }).networks) {
    await context.get(CheckNetwork, { strict: false }).execute(configuration, false);
    const audit = await context.get(AuditChain, { strict: false }).execute(configuration.network, extent);
    const { block, addresses, transfers, tokens } = audit;
    audited.push({
      network: configuration.network,
      block: block?.number ?? null,
      addresses,
      transfers,
      tokens,
    });
    found.push(...audit.findings.map(({ kind, ...breach }) => ({ kind, breach })));
    // Where something could not be asked, sums say nothing.
    if (audit.findings.some(({ kind }) => kind === 'not-audited')) continue;
    for (const breach of await lastingDifferences(context.get(Database, { strict: false }), audit))
      found.push({ kind: 'custody-is-not-on-chain', breach: { network: configuration.network, ...breach } });
  }
  const verdicts = Object.entries(PROMISES).map(([name, promise]) => ({
    ...{ name, promise },
    breaches: found.filter(({ kind }) => kind === name).map(({ breach }) => breach),
  }));
  return { verdicts, audited, seed: extent.seed };
}

async function lastingDifferences(database: Database, audit: ChainAudit) {
  for (let tried = 1; ; tried += 1) {
    const differences = await custodyDifferences(database, audit);
    if (differences.length === 0 || tried === TRIES) return differences;
    await pause(BETWEEN_TRIES_MS);
  }
}
