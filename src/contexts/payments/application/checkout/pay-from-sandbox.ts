import { Injectable } from '@nestjs/common';
import { DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { CheckoutEndedError } from '../../domain/requests/asset-change-rule.js';
import { isEnded } from '../../domain/requests/status.js';
import { CheckoutQueries } from './checkout-session.js';
import type { CheckoutView, SelectedAssetView } from '../requests/payment-request-view.js';
import { paymentCutoffTime } from '../../domain/requests/outcome/deadline-and-grace-rule.js';

export abstract class SandboxWallet {
  abstract readonly isConfigured: boolean;

  /**
   * Payments are sent in the order of the calls.
   * @param amount in smallest units
   * @param notBefore earliest block timestamp of the transfer
   * @throws unavailable, state_conflict if the wallet cannot pay
   */
  abstract pay(
    asset: { readonly uniqueAssetId: string; readonly address: string },
    amount: bigint,
    notBefore?: Date,
  ): Promise<void>;
}

/** `late`: mined in a block that is too late to count. */
export const SANDBOX_PAYMENT_KINDS = ['exact', 'less', 'more', 'late'] as const;
export type SandboxPaymentKind = (typeof SANDBOX_PAYMENT_KINDS)[number];

const SECOND_MS = 1_000;
const OVERPAYMENT_DIVISOR = 5n;

@Injectable()
export class PayFromSandbox {
  constructor(
    private readonly queries: CheckoutQueries,
    private readonly catalogue: NetworkCatalogue,
    private readonly wallet: SandboxWallet,
  ) {}

  /** @throws not_found, also if no sandbox wallet is configured; state_conflict; unavailable */
  async pay(sessionId: string, how: SandboxPaymentKind): Promise<void> {
    if (!this.wallet.isConfigured)
      throw new DomainError(
        'not_found',
        'not_found',
        'This service has no sandbox wallet. Pay with your own wallet.',
      );
    const session = await this.queries.get(sessionId);
    if (isEnded(session.status)) throw new CheckoutEndedError();
    const { selected } = session;
    if (selected === undefined) throw stateConflict('No asset is selected yet. Select one, then pay.');
    const missing = selected.amount - selected.receivedAmount;
    if (missing <= 0n) throw stateConflict('The full amount is already paid. Wait until it is final.');

    const notBefore = how === 'late' ? this.firstTimeTooLate(session, selected) : undefined;
    await this.wallet.pay(selected, computeSandboxAmount(missing, how), notBefore);
  }

  /** Rounds up, because block timestamps are whole seconds. */
  private firstTimeTooLate({ expiresAt }: CheckoutView, { network }: SelectedAssetView): Date {
    const read = this.catalogue.network(network);
    if (read === undefined) throw stateConflict(`The service no longer reads the network ${network}.`);
    return new Date(paymentCutoffTime(read, expiresAt).getTime() + SECOND_MS);
  }
}

function computeSandboxAmount(missing: bigint, how: SandboxPaymentKind): bigint {
  if (how === 'less') return missing / 2n || 1n;
  if (how === 'more') return missing + (missing + OVERPAYMENT_DIVISOR - 1n) / OVERPAYMENT_DIVISOR;
  return missing;
}
