import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Alerts, type ReportedChainAuditFinding } from '../../contract/alerts.js';
import type { Transfer } from '../../contract/incoming-transfer.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { CHAIN_WATCHING_LOG_EVENTS } from '../log-events.js';

/** An unchanged condition is logged again only after this time, even if it ended in between and returned. */
const REPEAT_AFTER_MS = 3_600_000;
/** While a condition that stops finality lasts, it is logged again at this interval. */
const REMINDER_INTERVAL_MS = 600_000;
/** A lasting condition is reported in every iteration, so a condition not reported for this time has ended. */
const CONDITION_ENDED_AFTER_MS = 120_000;
const MAX_REMEMBERED_CONDITIONS = 1_000;

interface Condition {
  readonly state: string;
  readonly loggedAt: number;
  reportedAt: number;
}

@Injectable()
export class LoggedAlerts extends Alerts {
  private readonly log = new OperatorLogWriter('payments', CHAIN_WATCHING_LOG_EVENTS);
  /** Remembered conditions by network or address, the condition logged longest ago first. */
  private readonly conditions = new Map<string, Condition>();

  chainReorganized(network: string, depth: number, ancestor: number): void {
    this.log.write('chain.reorganized', { network, depth, ancestor });
  }

  creditedTransferDisappeared(
    network: string,
    request: PaymentRequestId,
    transfers: readonly Transfer[],
  ): void {
    const lost = transfers.map(
      ({ transactionHash, blockHash }) => transactionHash ?? `internal, block ${blockHash}`,
    );
    this.log.write('payment.reversed', { network, payment_request_id: request, transfers: lost });
  }

  finalPayoutsDisappeared(network: string, transactions: readonly string[]): void {
    this.log.write('chain.payouts_disappeared', { network, transactions });
  }

  requestParked(request: PaymentRequestId, reason: string): void {
    this.log.write('payment_request.parked', { payment_request_id: request, reason });
  }

  endpointsDisagree(network: string, disagreement: string): void {
    this.logWhileItLasts(`${network} disagreement`, () =>
      this.log.write('chain.endpoints_disagree', { network, reason: disagreement }),
    );
  }

  finalityDelayed(network: string, block: number, reason: string): void {
    this.logWhileItLasts(`${network} finality`, () =>
      this.log.write('chain.finality_delayed', { network, block, reason }),
    );
  }

  confirmationReadDiffered(network: string, missed: number, invented: number): void {
    this.log.write('chain.confirmation_read_differed', { network, missed, invented });
  }

  balancesUnknown(network: string, block: number, reason: string): void {
    this.logOnce(`${network} balances`, 'unknown', () =>
      this.log.write('chain.balances_unknown', { network, block, reason }),
    );
  }

  balanceBelowExpected(network: string, address: string, missing: bigint): void {
    this.logOnce(`${network} ${address}`, String(missing), () =>
      this.log.write('chain.balance_too_low', { network, address, missing: missing.toString() }),
    );
  }

  chainAuditFound({ kind, network, about, says }: ReportedChainAuditFinding): void {
    this.logOnce(`${network} ${kind} ${about}`, says, () =>
      this.log.write('chain_audit.finding', { network, finding: kind, about, reason: says }),
    );
  }

  chainAuditRestarted(network: string, block: number, reason: string): void {
    this.logWhileItLasts(`${network} audit`, () =>
      this.log.write('chain_audit.restarted', { network, block, reason }),
    );
  }

  /** Monotonic time in milliseconds. */
  protected elapsedMs(): number {
    return performance.now();
  }

  private logOnce(about: string, state: string, log: () => void): void {
    const at = this.elapsedMs();
    const before = this.conditions.get(about);
    if (before?.state === state && at - before.loggedAt < REPEAT_AFTER_MS) return;
    this.remember(about, state, at);
    log();
  }

  private logWhileItLasts(about: string, log: () => void): void {
    const at = this.elapsedMs();
    const before = this.conditions.get(about);
    if (
      before !== undefined &&
      at - before.reportedAt < CONDITION_ENDED_AFTER_MS &&
      at - before.loggedAt < REMINDER_INTERVAL_MS
    ) {
      before.reportedAt = at;
      return;
    }
    this.remember(about, '', at);
    log();
  }

  private remember(about: string, state: string, at: number): void {
    this.conditions.delete(about);
    this.conditions.set(about, { state, loggedAt: at, reportedAt: at });
    if (this.conditions.size > MAX_REMEMBERED_CONDITIONS)
      this.conditions.delete(this.conditions.keys().next().value!);
  }
}
