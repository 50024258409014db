import { Injectable } from '@nestjs/common';
import { type DomainError, stateConflict, unavailable } from '#shared/kernel/domain-error.js';
import { SandboxWallet } from '../../application/checkout/pay-from-sandbox.js';
import { CheckoutSettings } from '../requests/checkout-settings.js';

const ANSWERS_WITHIN_MS = 2_000;

/** The sandbox's wallet at `CHECKOUT_SANDBOX_WALLET_URL`. */
@Injectable()
export class HttpSandboxWallet extends SandboxWallet {
  private readonly url: string | undefined;

  constructor({ sandboxWalletUrl }: CheckoutSettings) {
    super();
    this.url = sandboxWalletUrl;
  }

  get isConfigured(): boolean {
    return this.url !== undefined;
  }

  async pay(
    { uniqueAssetId, address }: { readonly uniqueAssetId: string; readonly address: string },
    amount: bigint,
    notBefore?: Date,
  ): Promise<void> {
    const response = await fetch(`${this.url}/payments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        unique_asset_id: uniqueAssetId,
        address,
        amount: amount.toString(),
        ...(notBefore && { not_before: notBefore.toISOString() }),
      }),
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    }).catch(() => undefined);
    if (response === undefined || response.status >= 500) throw away();
    const answer = (await response.json().catch(() => ({}))) as { message?: string };
    if (response.status !== 202) throw refused(answer.message);
  }
}

function away(): DomainError {
  return unavailable('The sandbox wallet does not answer. Try again shortly.');
}

function refused(message = 'It gave no reason.'): DomainError {
  return stateConflict(`The sandbox wallet refuses to pay this. ${message}`);
}
