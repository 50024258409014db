import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { stateConflict, unavailable } from '#shared/kernel/domain-error.js';
import type { TokenDomain } from '#contexts/networks/contract/authorized-transfers.js';
import { ChainUnavailable } from '#contexts/networks/contract/chain-reader.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  findExceededSponsoringLimit,
  NotSponsoredError,
} from '../../domain/authorizations/sponsoring-rule.js';
import type { PayerAuthorization } from '../../domain/authorizations/authorization.js';
import { TransferAuthorizations } from '../../infrastructure/authorizations/persistence/authorizations.js';
import {
  toCaip2ChainName,
  buildPaymentRequired,
  type X402PaymentRequired,
  type X402Terms,
} from '../../domain/authorizations/x402-payment.js';
import { CheckoutEndedError } from '../../domain/requests/asset-change-rule.js';
import { isEnded } from '../../domain/requests/status.js';
import { CheckoutQueries, sessionNotFoundError } from '../checkout/checkout-session.js';
import { SelectAsset } from '../checkout/select-asset.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

export interface X402OfferInput {
  readonly sessionId: string;
  readonly option: string | undefined;
  /** Without `option`, the first asset that supports payments by signature is selected. */
  readonly maySelect: boolean;
}

export interface X402Offer {
  readonly session: CheckoutView;
  readonly asset: Asset;
  readonly required: X402PaymentRequired;
}

/** Lowest possible gas cost. Checks whether a sponsoring limit is already exhausted. */
const MIN_GAS_COST = 1n;

@Injectable()
export class OfferByX402 {
  constructor(
    private readonly queries: CheckoutQueries,
    private readonly selectAsset: SelectAsset,
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly urls: CheckoutUrls,
    private readonly authorizations: TransferAuthorizations,
  ) {}

  /**
   * Returns terms also for paid and ended sessions.
   * @throws not_found; state_conflict if nothing can be selected; not_sponsored; unavailable; the errors of
   * `SelectAsset`
   */
  async offer(choice: X402OfferInput, now: Date): Promise<X402Offer> {
    const session = await this.selectAssetIfNeeded(choice);
    const selected = session.selected!;
    const asset = this.catalogue.asset(selected.uniqueAssetId);
    const domain = asset && (await this.findTokenDomain(asset));
    if (asset === undefined || domain == null) throw new NotSponsoredError('asset');
    const required = buildPaymentRequired({
      url: this.urls.forX402(session.sessionId),
      description: session.order?.description ?? `${session.amount} ${session.coinCode}`,
      missing: selected.amount - selected.receivedAmount,
      address: selected.address,
      domain,
      secondsLeft: Math.floor((session.expiresAt.getTime() - now.getTime()) / 1_000),
    });
    return { session, asset, required };
  }

  isSponsored({ network }: Asset): boolean {
    return this.catalogue.network(network)?.sponsoring !== undefined;
  }

  /** The alias of a session is not found: it expires when the payment is seen, which is before the response. */
  async getSession(sessionId: string): Promise<CheckoutView> {
    const session = await this.queries.get(sessionId);
    if (session.isAlias === true) throw sessionNotFoundError();
    return session;
  }

  /** Calls no node. Undefined if the network is no longer configured. */
  rebuildAcceptedTerms(
    { sessionId }: CheckoutView,
    { network, token, authorization }: PayerAuthorization,
  ): X402Terms | undefined {
    const chainId = this.catalogue.network(network)?.browserWallets?.chainId;
    if (chainId === undefined) return undefined;
    const asked = {
      scheme: 'exact',
      network: toCaip2ChainName(chainId),
      asset: token,
      payTo: authorization.to,
    } as const;
    return { resource: { url: this.urls.forX402(sessionId) }, accepts: [asked] };
  }

  private async selectAssetIfNeeded({ sessionId, option, maySelect }: X402OfferInput): Promise<CheckoutView> {
    const session = await this.getSession(sessionId);
    const present = session.selected?.uniqueAssetId;
    const asked = option === undefined ? undefined : (this.catalogue.asset(option)?.uniqueAssetId ?? option);
    if (present !== undefined && (asked === undefined || asked === present)) return session;
    if (isEnded(session.status)) throw new CheckoutEndedError();
    if (!maySelect)
      throw stateConflict('No asset is selected yet. Select an asset with GET and payment_option.');
    const chosen = asked ?? (await this.firstSponsoredOption(session));
    await this.requireSponsored(session, chosen);
    return this.selectAsset.select(sessionId, chosen, 'payment_option');
  }

  /** Checked before the asset is selected, so that a refusal selects nothing. */
  private async requireSponsored(session: CheckoutView, uniqueAssetId: string): Promise<void> {
    const asset = this.catalogue.asset(uniqueAssetId);
    if (asset === undefined || !session.paymentOptions.includes(asset.uniqueAssetId)) return;
    const reason = await this.findNotSponsoredReason(session, asset);
    if (reason === null) return;
    await this.selectAsset.requireRequestAcceptsSelection(session.id);
    throw new NotSponsoredError(reason);
  }

  /** Null if the payment may be sponsored, as far as known without a simulation. */
  private async findNotSponsoredReason(
    { id, organizationId }: CheckoutView,
    asset: Asset,
  ): Promise<NotSponsoredError['reason'] | null> {
    if ((await this.findTokenDomain(asset)) === null) return 'asset';
    const limits = this.catalogue.network(asset.network)?.sponsoring;
    if (limits === undefined) return 'network';
    const sponsored = await this.authorizations.sumSponsoredCosts(asset.network, id, organizationId);
    return findExceededSponsoringLimit(limits, sponsored, MIN_GAS_COST);
  }

  private async firstSponsoredOption({ paymentOptions }: CheckoutView): Promise<string> {
    for (const uniqueAssetId of paymentOptions) {
      const asset = this.catalogue.asset(uniqueAssetId);
      if (asset !== undefined && this.isSponsored(asset) && (await this.findTokenDomain(asset)) !== null)
        return uniqueAssetId;
    }
    throw new NotSponsoredError('asset');
  }

  private async findTokenDomain({ network, token }: Asset): Promise<TokenDomain | null> {
    try {
      return (await this.chains.of(network).authorizedTransfers?.eip712Domain(token)) ?? null;
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      throw unavailable('The network does not respond. Try again shortly.');
    }
  }
}
