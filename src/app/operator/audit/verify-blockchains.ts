import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { CheckNetworkReadiness } from '#contexts/networks/application/check-network-readiness.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { AuditRecordsAgainstChain } from '#contexts/payments/application/audit/audit-records-against-chain.js';
import type {
  AuditExtent,
  ChainAudit,
  ChainAuditFinding,
} from '#contexts/payments/infrastructure/audit/persistence/chain-audits.js';
import type { InvariantResult } from '../../verify-invariants.js';

const PAUSE_BETWEEN_TRIES_MS = 1_000;

const PROMISE_BY_FINDING: Readonly<Record<ChainAuditFinding['kind'], string>> = {
  'address-holds-less': 'Every deposit address holds at least the amount in the books.',
  'address-holds-more': 'No deposit address received more than the amount in the books.',
  'balance-is-unreadable': 'Every token returned the requested balances.',
  'address-is-not-derived': 'Every deposit address is derived from its terms and its payment request.',
  'token-is-not-signed': 'Every payment token is signed and matches its payment request.',
  'transfer-is-not-on-chain': 'Every compared transfer is in the receipt of its transaction.',
  'not-audited': 'Every comparison was possible.',
  'custody-is-not-on-chain': 'The deposit addresses hold the custody balance of the ledger.',
};

/** Stores nothing. */
export async function verifyRecordsAgainstBlockchains(
  context: INestApplicationContext,
  extent: AuditExtent,
): Promise<{ verdicts: InvariantResult[]; audited: object[]; seed: string }> {
  const found: ChainAuditFinding[] = [];
  const audited: object[] = [];
  for (const configuration of context.get(NetworksSettings).networks) {
    await context.get(CheckNetworkReadiness).check(configuration, false);
    const audit = await auditNetworkCompletely(
      context.get(AuditRecordsAgainstChain),
      configuration.network,
      extent,
    );
    const { network, block, addresses, transfers, tokens } = audit;
    audited.push({ network, block: block?.number ?? null, addresses, transfers, tokens });
    found.push(...audit.findings);
  }
  const verdicts = Object.entries(PROMISE_BY_FINDING).map(([name, promise]) => ({
    name,
    promise,
    breaches: found.filter(({ kind }) => kind === name).map(({ kind: _, ...breach }) => breach),
  }));
  return { verdicts, audited, seed: extent.seed };
}

/** Without responding RPC endpoints, checks only the payment tokens and no custody totals. */
export async function auditNetworkCompletely(
  auditRecordsAgainstChain: AuditRecordsAgainstChain,
  network: string,
  extent: AuditExtent,
  betweenTriesMs = PAUSE_BETWEEN_TRIES_MS,
): Promise<ChainAudit> {
  let audit = await auditRecordsAgainstChain.begin(network, extent);
  let hasAnswered = true;
  while (audit.stage !== 'ended' && (hasAnswered || audit.stage !== 'custody')) {
    const before = audit;
    try {
      audit = await auditRecordsAgainstChain.step(before);
      if (audit.custodyTries > before.custodyTries && audit.stage !== 'ended') await pause(betweenTriesMs);
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      hasAnswered = false;
      const about = `block ${before.block?.number}`;
      const finding: ChainAuditFinding = { kind: 'not-audited', network, about, says: error.message };
      audit = { ...before, stage: 'tokens', position: '', findings: [...before.findings, finding] };
    }
  }
  return audit;
}
