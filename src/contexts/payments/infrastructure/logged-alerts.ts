import { Injectable, Logger } from '@nestjs/common';
import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import { Alerts } from '../application/alerts.js';
import type { Transfer } from '../domain/transfer.js';

@Injectable()
export class LoggedAlerts extends Alerts {
  private readonly log = new Logger('payments');

  chainReorganised(network: string, depth: number, ancestor: number): void {
    this.log.warn(`${network} was reorganised: ${depth} blocks above ${ancestor} were read again.`);
  }

  creditedTransferDisappeared(
    network: string,
    request: PaymentRequestId,
    transfers: readonly Transfer[],
  ): void {
    const hashes = transfers.map((transfer) => transfer.transactionHash).join(', ');
    this.log.error(`${network} lost transfers that payment request ${request} was credited with: ${hashes}.`);
  }
}
