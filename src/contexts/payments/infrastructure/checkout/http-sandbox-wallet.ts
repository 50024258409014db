import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import { Injectable } from '@nestjs/common';
import { DomainError, stateConflict, unavailable } from '#shared/kernel/domain-error.js';
import { SandboxWallet } from '../../application/checkout/pay-from-sandbox.js';
import { CheckoutSettings } from '../requests/checkout-settings.js';

const RESPONSE_TIMEOUT_MS = 2_000;

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
    const payment = {
      unique_asset_id: uniqueAssetId,
      address,
      amount: amount.toString(),
      ...(notBefore && { not_before: notBefore.toISOString() }),
    };
    const { status, answer } = await this.post('payments', JSON.stringify(payment));
    if (status !== 202) throw paymentRejected(answer.message);
  }

  /** @param request JSON of a page's EIP-1193 request @returns `{result}` or `{error: {code, message}}` */
  async sendProviderRequest(request: string): Promise<object> {
    if (!this.isConfigured)
      throw new DomainError(
        'not_found',
        'not_found',
        'This service has no sandbox wallet. Pay with your own wallet.',
      );
    const { status, answer } = await this.post('requests', request);
    if (status !== 200) throw paymentRejected(answer.message);
    return answer;
  }

  private async post(path: string, body: string): Promise<{ status: number; answer: { message?: string } }> {
    const response = await outgoingFetch(`${this.url}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
    }).catch(() => undefined);
    if (response === undefined || response.status >= 500) throw walletUnavailable();
    const answer = (await response.json().catch(() => ({}))) as { message?: string };
    return { status: response.status, answer };
  }
}

function walletUnavailable(): DomainError {
  return unavailable('The sandbox wallet does not respond. Try again shortly.');
}

function paymentRejected(message = 'No reason given.'): DomainError {
  return stateConflict(`The sandbox wallet rejected this payment. ${message}`);
}
