import { Injectable, Logger } from '@nestjs/common';
import type { PaymentRequestId } from '../../../../../shared/kernel/ids.js';
import { Alerts } from '../../../application/watching/alerts.js';
import type { Transfer } from '../../../domain/requests/transfer.js';

/** What stays the same is said again after as long; so is what comes back after an end that nobody told of. */
const SAY_AGAIN_AFTER_MS = 3_600_000;
/** What stops finality is said again after as long while it lasts, with the blocks that it is about by then. */
const REMIND_AFTER_MS = 600_000;
/** What lasts is told with every turn: of what was not told for as long, nobody said that it was over, but it was. */
const OVER_AFTER_MS = 120_000;
/** Beyond it, what was said longest ago is forgotten, and may be said again early. */
const MOST_SAID = 1_000;

interface Said {
  readonly what: string;
  readonly at: number;
  toldAt: number;
}

@Injectable()
export class LoggedAlerts extends Alerts {
  private readonly log = new Logger('payments');
  /** The one said longest ago first. */
  private readonly said = new Map<string, Said>();

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
        'the ledger, and what is at its addresses is held back from settlement (operator hold list).',
    );
  }

  endpointsDisagree(network: string, disagreement: string): void {
    this.sayWhileItLasts(`${network} disagreement`, () =>
      this.log.error(`${network}: endpoints disagree, so nothing more becomes final: ${disagreement}`),
    );
  }

  finalityDelayed(network: string, block: number, reason: string): void {
    this.sayWhileItLasts(`${network} finality`, () =>
      this.log.warn(`${network}: finality waits for a second reading of block ${block}: ${reason}`),
    );
  }

  readingsDiffered(network: string, missed: number, invented: number): void {
    this.log.warn(
      `${network}: read a second time, final blocks had ${missed} transfers more and ${invented} fewer than an ` +
        'endpoint told at first. The second reading counts.',
    );
  }

  balancesUnknown(network: string, block: number, reason: string): void {
    this.sayOnce(`${network} balances`, 'unknown', () =>
      this.log.error(
        `${network}: native value inside contract calls cannot be looked for at block ${block}: ${reason} It is found, ` +
          'and dated, by the first block whose balances an endpoint still knows.',
      ),
    );
  }

  balanceBelowExpected(network: string, address: string, missing: bigint): void {
    this.sayOnce(`${network} ${address}`, String(missing), () =>
      this.log.error(`${network}: ${address} holds ${missing} of its native coin less than the books say.`),
    );
  }

  /** Milliseconds that never go back. */
  protected elapsed(): number {
    return performance.now();
  }

  /** What lasts is not repeated with every turn, but said when it has become something else. */
  private sayOnce(about: string, what: string, say: () => void): void {
    const at = this.elapsed();
    const before = this.said.get(about);
    if (before?.what === what && at - before.at < SAY_AGAIN_AFTER_MS) return;
    this.remember(about, what, at);
    say();
  }

  /** Whatever the sentence is: with every block it is about another one. */
  private sayWhileItLasts(about: string, say: () => void): void {
    const at = this.elapsed();
    const before = this.said.get(about);
    if (before !== undefined && at - before.toldAt < OVER_AFTER_MS && at - before.at < REMIND_AFTER_MS) {
      before.toldAt = at;
      return;
    }
    this.remember(about, '', at);
    say();
  }

  private remember(about: string, what: string, at: number): void {
    this.said.delete(about);
    this.said.set(about, { what, at, toldAt: at });
    if (this.said.size > MOST_SAID) this.said.delete(this.said.keys().next().value!);
  }
}
