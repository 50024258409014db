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

const TRANSFERS_SAMPLED_PER_AUDIT = 200;

/** Runs in steps. If a worker stops, another worker continues after the last stored step. */
@Injectable()
export class AuditChainDaily {
  constructor(
    private readonly audits: ChainAudits,
    private readonly auditChain: AuditChain,
    private readonly payments: AuditedPayments,
    private readonly alerts: Alerts,
  ) {}

  /**
   * Alerts about findings before storing them, so that a crash repeats an alert instead of losing it.
   * @param epoch epoch of the lease
   * @returns true if the next step must run immediately
   * @throws LeaseLost, ChainUnavailable
   */
  async audit(network: string, epoch: bigint): Promise<boolean> {
    const unfinished = await this.audits.findUnfinished(network);
    if (unfinished === null) {
      const begun = (await this.audits.isDue(network)) ? await this.beginAudit(network) : null;
      if (begun !== null) await this.audits.begin(begun, epoch);
      return begun !== null;
    }
    const next = await this.runStepOrRestart(unfinished, epoch);
    if (next === null) return false;
    for (const finding of next.findings.slice(unfinished.findings.length))
      this.alerts.chainAuditFound(finding);
    await this.audits.save(next, epoch);
    return next.stage !== 'ended' && next.custodyTries === unfinished.custodyTries;
  }

  /** Null if the audit must restart, because nodes no longer have the state of its block. */
  private async runStepOrRestart(audit: BegunAudit, epoch: bigint): Promise<BegunAudit | null> {
    try {
      const next = await this.auditChain.step(audit);
      return { ...next, block: audit.block };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      const isLost =
        error instanceof StateUnavailable || !(await this.payments.isStillCanonical(audit.block));
      if (!isLost) throw error;
      await this.restartAudit(audit.block, error.message, epoch);
      return null;
    }
  }

  /** If the newest final block is still the same block, the next iteration tries again. */
  private async restartAudit(lost: AuditedBlock, reason: string, epoch: bigint): Promise<void> {
    const begun = await this.beginAudit(lost.network);
    this.alerts.chainAuditRestarted(lost.network, lost.number, reason);
    if (begun !== null && begun.block.hash !== lost.hash) await this.audits.save(begun, epoch);
  }

  private async beginAudit(network: string): Promise<BegunAudit | null> {
    const audit: ChainAudit = await this.auditChain.begin(network, {
      transfers: TRANSFERS_SAMPLED_PER_AUDIT,
      seed: newId(),
    });
    return audit.block === null ? null : { ...audit, block: audit.block };
  }
}
