import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { ChainUnavailable, StateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import {
  AuditedPayments,
  type AuditedBlock,
} from '../../infrastructure/audit/persistence/audited-payments.js';
import {
  ChainAudits,
  type BegunAudit,
  type ChainAudit,
} from '../../infrastructure/audit/persistence/chain-audits.js';
import { Alerts } from '#contexts/chain-watching/contract/alerts.js';
import { AuditChain } from './audit-chain.js';

/** Transfers sampled per day for the comparison with receipts. */
const TRANSFERS = 200;

/** Audits a network once a day, step by step. Any worker continues after the last stored step. */
@Injectable()
export class AuditChainDaily {
  constructor(
    private readonly audits: ChainAudits,
    private readonly auditChain: AuditChain,
    private readonly payments: AuditedPayments,
    private readonly alerts: Alerts,
  ) {}

  /**
   * Runs one step if an audit is due or unfinished. Alerts before storing, so that a crash repeats an alert instead of losing it.
   * @param epoch of the lease @returns true if there is more to do immediately
   * @throws LeaseLost, and ChainUnavailable if the step must be retried
   */
  async audit(network: string, epoch: bigint): Promise<boolean> {
    const unfinished = await this.audits.findUnfinished(network);
    if (unfinished === null) {
      const begun = (await this.audits.isDue(network)) ? await this.begin(network) : null;
      if (begun !== null) await this.audits.begin(begun, epoch);
      return begun !== null;
    }
    const next = await this.stepOrAnew(unfinished, epoch);
    if (next === null) return false;
    for (const finding of next.findings.slice(unfinished.findings.length))
      this.alerts.chainAuditFound(finding);
    await this.audits.save(next, epoch);
    return next.stage !== 'ended' && next.custodyTries === unfinished.custodyTries;
  }

  /** @returns null if nodes no longer have the state of the block, or the block was reorganized out */
  private async stepOrAnew(audit: BegunAudit, epoch: bigint): Promise<BegunAudit | null> {
    try {
      const next = await this.auditChain.step(audit);
      return { ...next, block: audit.block };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      const isLost =
        error instanceof StateUnavailable || !(await this.payments.isStillCanonical(audit.block));
      if (!isLost) throw error;
      await this.beginAnew(audit.block, error.message, epoch);
      return null;
    }
  }

  /** If there is no newer block yet, waits for the next iteration. */
  private async beginAnew(lost: AuditedBlock, reason: string, epoch: bigint): Promise<void> {
    const begun = await this.begin(lost.network);
    this.alerts.chainAuditBeganAnew(lost.network, lost.number, reason);
    if (begun !== null && begun.block.hash !== lost.hash) await this.audits.save(begun, epoch);
  }

  private async begin(network: string): Promise<BegunAudit | null> {
    const audit: ChainAudit = await this.auditChain.begin(network, { transfers: TRANSFERS, seed: newId() });
    return audit.block === null ? null : { ...audit, block: audit.block };
  }
}
