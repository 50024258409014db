import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Alerts, type ReportedChainAuditFinding } from '../contract/alerts.js';

export class RecordedAlerts extends Alerts {
  readonly noted: string[] = [];

  chainReorganized(_network: string, depth: number): void {
    this.noted.push(`reorganized ${depth}`);
  }

  creditedTransferDisappeared(_network: string, request: PaymentRequestId): void {
    this.noted.push(`credited transfer of ${request} disappeared`);
  }

  finalPayoutsDisappeared(_network: string, transactions: readonly string[]): void {
    this.noted.push(`final payouts of ${transactions.join(', ')} disappeared`);
  }

  requestParked(request: PaymentRequestId): void {
    this.noted.push(`parked ${request}`);
  }

  endpointsDisagree(_network: string, disagreement: string): void {
    this.noted.push(`disagreement: ${disagreement}`);
  }

  finalityDelayed(_network: string, block: number): void {
    this.noted.push(`finality waits for ${block}`);
  }

  confirmationReadDiffered(_network: string, missed: number, invented: number): void {
    this.noted.push(`missed ${missed}, invented ${invented}`);
  }

  balancesUnknown(): void {
    this.noted.push('balances unknown');
  }

  balanceBelowExpected(_network: string, _address: string, missing: bigint): void {
    this.noted.push(`balance below expected by ${missing}`);
  }

  chainAuditFound({ kind, about }: ReportedChainAuditFinding): void {
    this.noted.push(`${kind}: ${about}`);
  }

  chainAuditRestarted(_network: string, block: number): void {
    this.noted.push(`audit of block ${block} began anew`);
  }
}
