import { Injectable } from '@nestjs/common';
import { type Asset, isNative } from '#shared/kernel/asset.js';
import type { TokenDomain } from '#contexts/networks/contract/authorized-transfers.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { isEnded } from '../../domain/requests/status.js';
import type { CheckoutView } from './payment-request-view.js';

const ASK_AGAIN_MS = 5_000;
/** Maximum delay of process start. */
const PATIENCE_MS = 1_000;

/** Message to sign in order to pay the missing amount. */
export interface SignaturePayment {
  /** In the catalogue's format, like `to`. */
  readonly token: string;
  readonly domain: TokenDomain;
  readonly to: string;
  /** Smallest units. */
  readonly value: bigint;
}

/**
 * Determines from memory whether a session can be paid by signature, so that no request waits for a node. Token domains are
 * read in the background until known. Until then, sessions do not offer signatures.
 */
@Injectable()
export class SignaturePayments {
  private readonly domains = new Map<string, TokenDomain>();
  /** Time of the last request, by asset id. */
  private readonly askedAt = new Map<string, number>();

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly chains: Chains,
  ) {}

  /** Number of tokens with a known domain. A page rendered when this number was lower may lack an option. */
  get known(): number {
    return this.domains.size;
  }

  /** Requests the domains of all tokens and waits briefly, because the process does not serve requests yet. Never throws. */
  async begin(): Promise<void> {
    const all = this.catalogue.assets().map(({ uniqueAssetId }) => uniqueAssetId);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
    await Promise.race([Promise.all(this.askUnknown(all)), patience]);
    clearTimeout(timer);
  }

  /** Requests in the background the domains that this session needs. */
  learn(view: Pick<CheckoutView, 'paymentOptions'> | undefined): void {
    this.askUnknown(view?.paymentOptions ?? []);
  }

  /** Returns true if an option, selected or not, is known to support payments by signature. */
  isOffered({ paymentOptions }: Pick<CheckoutView, 'paymentOptions'>): boolean {
    return this.sponsoredOf(paymentOptions).some(({ uniqueAssetId }) => this.domains.has(uniqueAssetId));
  }

  /** @returns undefined if the session cannot be paid by signature, or the domain is unknown */
  of(view: Pick<CheckoutView, 'status' | 'selected'>): SignaturePayment | undefined {
    const asset = this.assetOf(view);
    const domain = asset && this.domains.get(asset.uniqueAssetId);
    if (asset === undefined || !domain) return undefined;
    const { amount, receivedAmount, address } = view.selected!;
    return { token: asset.token, domain, to: address, value: amount - receivedAmount };
  }

  /** Returns undefined unless the session is open, an amount is missing, and the network sponsors gas. */
  private assetOf({ status, selected }: Pick<CheckoutView, 'status' | 'selected'>): Asset | undefined {
    if (selected === undefined || isEnded(status) || selected.amount <= selected.receivedAmount)
      return undefined;
    return this.sponsoredOf([selected.uniqueAssetId])[0];
  }

  private sponsoredOf(uniqueAssetIds: readonly string[]): Asset[] {
    return uniqueAssetIds.flatMap((id) => {
      const asset = this.catalogue.asset(id);
      const isSponsored = asset && this.catalogue.network(asset.network)?.sponsoring !== undefined;
      return isSponsored && !isNative(asset) ? asset : [];
    });
  }

  /** Also requests tokens without signature support again; `domainOf` caches that result for ten minutes. */
  private askUnknown(uniqueAssetIds: readonly string[]): Promise<void>[] {
    const now = performance.now();
    return this.sponsoredOf(uniqueAssetIds).flatMap((asset) => {
      const { uniqueAssetId } = asset;
      const isRecent = now - (this.askedAt.get(uniqueAssetId) ?? -Infinity) < ASK_AGAIN_MS;
      if (this.domains.has(uniqueAssetId) || isRecent) return [];
      this.askedAt.set(uniqueAssetId, now);
      return this.ask(asset);
    });
  }

  private async ask({ uniqueAssetId, network, token }: Asset): Promise<void> {
    // The watcher logs that the network is unavailable.
    const transfers = this.chains.of(network).authorizedTransfers;
    const domain = (await transfers?.domainOf(token).catch(() => null)) ?? null;
    if (domain !== null) this.domains.set(uniqueAssetId, domain);
  }
}
