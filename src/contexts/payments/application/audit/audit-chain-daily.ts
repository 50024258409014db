import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { ChainUnavailable, StateUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { AuditedPayments, type AuditedBlock } from '../../domain/audit/audited-payments.js';
import { ChainAudits, type BegunAudit, type ChainAudit } from '../../domain/audit/chain-audits.js';
import { Alerts } from '#contexts/chain-watching/contract/alerts.js';
import { AuditChain } from './audit-chain.js';

/** Transfers that are drawn each day, and compared with receipts. */
const TRANSFERS = 200;

/** Audits a network once a day, one step at a time: whoever comes next goes on where the last one stored its step. */
@Injectable()
export class AuditChainDaily {
  constructor(
    private readonly audits: ChainAudits,
    private readonly auditChain: AuditChain,
    private readonly payments: AuditedPayments,
    private readonly alerts: Alerts,
  ) {}

  /**
   * One step, where an audit is due or has not ended. What it finds is told before it is stored: a process that dies in
   * between has it told twice, not never.
   * @param epoch of the lease @returns true when there is more to do at once
   * @throws LeaseLost, and ChainUnavailable where the step is to be tried again
   */
  async audit(network: string, epoch: bigint): Promise<boolean> {
    const unfinished = await this.audits.unfinished(network);
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

  /** @returns null where the block cannot be asked about any more */
  private async stepOrAnew(audit: BegunAudit, epoch: bigint): Promise<BegunAudit | null> {
    try {
      const next = await this.auditChain.step(audit);
      return { ...next, block: audit.block };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      const isLost = error instanceof StateUnavailable || !(await this.payments.stands(audit.block));
      if (!isLost) throw error;
      await this.beginAnew(audit.block, error.message, epoch);
      return null;
    }
  }

  /** Waits for a newer block where there is none yet. */
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
