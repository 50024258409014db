import { Injectable, Logger } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Alerts } from '#contexts/payments/application/watching/alerts.js';
import type { ChainFinding } from '#contexts/payments/domain/watching/chain-audits.js';
import type { Transfer } from '#contexts/payments/domain/requests/transfer.js';

/** An unchanged condition is logged again after this time; also one that ended meanwhile and came back. */
const REPEAT_AFTER_MS = 3_600_000;
/** A condition that stops finality is logged again after this time while it lasts, with the blocks then concerned. */
const REMIND_AFTER_MS = 600_000;
/** A lasting condition is reported with every turn: without a report for this time it has ended. */
const OVER_AFTER_MS = 120_000;
/** Conditions remembered; the one logged longest ago is dropped first, and may be logged again early. */
const MAX_CONDITIONS = 1_000;

interface Condition {
  readonly state: string;
  readonly loggedAt: number;
  reportedAt: number;
}

@Injectable()
export class LoggedAlerts extends Alerts {
  private readonly log = new Logger('payments');
  /** Conditions by network or address; the one logged longest ago first. */
  private readonly conditions = new Map<string, Condition>();

  chainReorganised(network: string, depth: number, ancestor: number): void {
    this.log.warn(`${network} was reorganised: ${depth} blocks above ${ancestor} were read again.`);
  }

  creditedTransferDisappeared(
    network: string,
    request: PaymentRequestId,
    transfers: readonly Transfer[],
  ): void {
    const which = transfers
      .map(({ transactionHash, blockHash }) => transactionHash ?? `inside block ${blockHash}`)
      .join(', ');
    this.log.error(
      `${network} lost transfers that payment request ${request} was credited with: ${which}. They are reversed in ` +
        'the ledger, and what waits at its addresses for settlement is held (operator hold list).',
    );
  }

  finalPayoutsDisappeared(network: string, transactions: readonly string[]): void {
    this.log.error(
      `${network} lost payouts of deposit addresses that were final: ${transactions.join(', ')}. Their settlements have ` +
        'failed, and what they paid out is at the addresses again.',
    );
  }

  requestParked(request: PaymentRequestId, reason: string): void {
    this.log.error(
      `payment request ${request} cannot be judged and is parked: ${reason} (operator requests list-parked)`,
    );
  }

  endpointsDisagree(network: string, disagreement: string): void {
    this.logWhileItLasts(`${network} disagreement`, () =>
      this.log.error(`${network}: endpoints disagree, so nothing more becomes final: ${disagreement}`),
    );
  }

  finalityDelayed(network: string, block: number, reason: string): void {
    this.logWhileItLasts(`${network} finality`, () =>
      this.log.warn(`${network}: finality waits for a second reading of block ${block}: ${reason}`),
    );
  }

  readingsDiffered(network: string, missed: number, invented: number): void {
    this.log.warn(
      `${network}: read a second time, final blocks had ${missed} transfers and payouts more and ${invented} fewer than an ` +
        'endpoint told at first. The second reading counts.',
    );
  }

  balancesUnknown(network: string, block: number, reason: string): void {
    this.logOnce(`${network} balances`, 'unknown', () =>
      this.log.error(
        `${network}: native value inside contract calls cannot be looked for at block ${block}: ${reason} It is found, ` +
          'and dated, by the first block whose balances an endpoint still knows.',
      ),
    );
  }

  balanceBelowExpected(network: string, address: string, missing: bigint): void {
    this.logOnce(`${network} ${address}`, String(missing), () =>
      this.log.error(`${network}: ${address} holds ${missing} of its native coin less than the books say.`),
    );
  }

  chainAuditFound({ kind, network, about, says }: ChainFinding): void {
    this.logOnce(`${network} ${kind} ${about}`, says, () =>
      this.log.error({
        msg: `${network}: the books are not as the chain is: ${kind}: ${about}: ${says}`,
        network,
        finding: kind,
        about,
      }),
    );
  }

  chainAuditBeganAnew(network: string, block: number, reason: string): void {
    this.logWhileItLasts(`${network} audit`, () =>
      this.log.warn(`${network}: the audit at block ${block} begins anew at a newer final block: ${reason}`),
    );
  }

  /** Milliseconds that never go back. */
  protected elapsed(): number {
    return performance.now();
  }

  /** Logs a condition when it begins or changes, not with every turn. */
  private logOnce(about: string, state: string, log: () => void): void {
    const at = this.elapsed();
    const before = this.conditions.get(about);
    if (before?.state === state && at - before.loggedAt < REPEAT_AFTER_MS) return;
    this.remember(about, state, at);
    log();
  }

  /** Logs a condition whose sentence changes with every block, when it begins and again while it lasts. */
  private logWhileItLasts(about: string, log: () => void): void {
    const at = this.elapsed();
    const before = this.conditions.get(about);
    if (
      before !== undefined &&
      at - before.reportedAt < OVER_AFTER_MS &&
      at - before.loggedAt < REMIND_AFTER_MS
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
    if (this.conditions.size > MAX_CONDITIONS) this.conditions.delete(this.conditions.keys().next().value!);
  }
}
