import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { ChainUnavailable, BlockStateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import {
  ChainAuditQueries,
  type AuditedBlock,
} from '../../infrastructure/audit/persistence/chain-audit-queries.js';
import {
  ChainAudits,
  type ChainAuditWithBlock,
  type ChainAudit,
} from '../../infrastructure/audit/persistence/chain-audits.js';
import { Alerts } from '#contexts/chain-watching/contract/alerts.js';
import { AuditRecordsAgainstChain } from './audit-records-against-chain.js';

const TRANSFERS_SAMPLED_PER_AUDIT = 200;

/** Runs in steps. If a worker stops, another worker continues after the last stored step. */
@Injectable()
export class RunDailyChainAudit {
  constructor(
    private readonly audits: ChainAudits,
    private readonly auditRecordsAgainstChain: AuditRecordsAgainstChain,
    private readonly payments: ChainAuditQueries,
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
  private async runStepOrRestart(
    audit: ChainAuditWithBlock,
    epoch: bigint,
  ): Promise<ChainAuditWithBlock | null> {
    try {
      const next = await this.auditRecordsAgainstChain.step(audit);
      return { ...next, block: audit.block };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      const isLost =
        error instanceof BlockStateUnavailable || !(await this.payments.isStillCanonical(audit.block));
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

  private async beginAudit(network: string): Promise<ChainAuditWithBlock | null> {
    const audit: ChainAudit = await this.auditRecordsAgainstChain.begin(network, {
      transfers: TRANSFERS_SAMPLED_PER_AUDIT,
      seed: newId(),
    });
    return audit.block === null ? null : { ...audit, block: audit.block };
  }
}
