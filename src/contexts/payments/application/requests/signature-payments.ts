import { Injectable } from '@nestjs/common';
import { type Asset, isNative } from '#shared/kernel/asset.js';
import type { TokenDomain } from '#contexts/networks/contract/authorized-transfers.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { isEnded } from '../../domain/requests/status.js';
import type { CheckoutView } from './payment-request-view.js';

const DOMAIN_RETRY_MS = 5_000;
const MAX_START_DELAY_MS = 1_000;

export interface SignaturePayment {
  readonly token: string;
  readonly domain: TokenDomain;
  readonly to: string;
  readonly value: bigint;
}

/** Reads only memory, so that no request waits for a node. EIP-712 domains of tokens are read in the background. */
@Injectable()
export class SignaturePayments {
  private readonly domains = new Map<string, TokenDomain>();
  private readonly askedAt = new Map<string, number>();

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly chains: Chains,
  ) {}

  /** If it has grown since a page was rendered, the page may lack an option. */
  get knownDomainCount(): number {
    return this.domains.size;
  }

  /** Waits briefly. Never throws. */
  async requestAllTokenDomains(): Promise<void> {
    const all = this.catalogue.assets().map(({ uniqueAssetId }) => uniqueAssetId);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_START_DELAY_MS)));
    await Promise.race([Promise.all(this.requestUnknownDomains(all)), patience]);
    clearTimeout(timer);
  }

  requestTokenDomains(view: Pick<CheckoutView, 'paymentOptions'> | undefined): void {
    this.requestUnknownDomains(view?.paymentOptions ?? []);
  }

  isOffered({ paymentOptions }: Pick<CheckoutView, 'paymentOptions'>): boolean {
    return this.findSponsoredTokens(paymentOptions).some(({ uniqueAssetId }) =>
      this.domains.has(uniqueAssetId),
    );
  }

  /** Undefined also if the domain of the token is not known yet. */
  findSignaturePayment(view: Pick<CheckoutView, 'status' | 'selected'>): SignaturePayment | undefined {
    const asset = this.findPayableAsset(view);
    const domain = asset && this.domains.get(asset.uniqueAssetId);
    if (asset === undefined || !domain) return undefined;
    const { amount, receivedAmount, address } = view.selected!;
    return { token: asset.token, domain, to: address, value: amount - receivedAmount };
  }

  private findPayableAsset({
    status,
    selected,
  }: Pick<CheckoutView, 'status' | 'selected'>): Asset | undefined {
    if (selected === undefined || isEnded(status) || selected.amount <= selected.receivedAmount)
      return undefined;
    return this.findSponsoredTokens([selected.uniqueAssetId])[0];
  }

  private findSponsoredTokens(uniqueAssetIds: readonly string[]): Asset[] {
    return uniqueAssetIds.flatMap((id) => {
      const asset = this.catalogue.asset(id);
      const isSponsored = asset && this.catalogue.network(asset.network)?.sponsoring !== undefined;
      return isSponsored && !isNative(asset) ? asset : [];
    });
  }

  /** Repeats negative results, which `domainOf` answers from a cache for ten minutes. */
  private requestUnknownDomains(uniqueAssetIds: readonly string[]): Promise<void>[] {
    const now = performance.now();
    return this.findSponsoredTokens(uniqueAssetIds).flatMap((asset) => {
      const { uniqueAssetId } = asset;
      const isRecent = now - (this.askedAt.get(uniqueAssetId) ?? -Infinity) < DOMAIN_RETRY_MS;
      if (this.domains.has(uniqueAssetId) || isRecent) return [];
      this.askedAt.set(uniqueAssetId, now);
      return this.requestDomain(asset);
    });
  }

  private async requestDomain({ uniqueAssetId, network, token }: Asset): Promise<void> {
    // The watcher logs that the network is unavailable.
    const transfers = this.chains.of(network).authorizedTransfers;
    const domain = (await transfers?.eip712Domain(token).catch(() => null)) ?? null;
    if (domain !== null) this.domains.set(uniqueAssetId, domain);
  }
}
