import { Injectable } from '@nestjs/common';
import { type Asset, isNative } from '#shared/kernel/asset.js';
import { AuthorizedTransfers, type TokenDomain } from '#contexts/networks/contract/authorized-transfers.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { isEnded } from '../../domain/requests/status.js';
import type { CheckoutView } from './payment-request-view.js';

/** A domain that is not known is asked for again after this. */
const ASK_AGAIN_MS = 5_000;
/** A process starts after this, with what is known then. */
const PATIENCE_MS = 1_000;

/** The message by which a payer may pay what is missing. */
export interface SignaturePayment {
  /** In the catalogue's spelling, as `to`. */
  readonly token: string;
  readonly domain: TokenDomain;
  readonly to: string;
  /** Smallest units. */
  readonly value: bigint;
}

/**
 * Says of a session whether it can be paid by a signature, from memory: the domain of each token is read in the background, when
 * the process starts, and again while it is not known. Until then the session is shown as one that cannot, and waits for no node.
 */
@Injectable()
export class SignaturePayments {
  private readonly domains = new Map<string, TokenDomain>();
  /** When each was asked for last. */
  private readonly askedAt = new Map<string, number>();

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly transfers: AuthorizedTransfers,
  ) {}

  /** The number of tokens whose domain is known: what was shown while it was lower may lack one. */
  get known(): number {
    return this.domains.size;
  }

  /** Has the domains of all tokens read, and waits for them a little, since nothing is asked of the process yet. Never throws. */
  async begin(): Promise<void> {
    const all = this.catalogue.assets().map(({ uniqueAssetId }) => uniqueAssetId);
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
    await Promise.race([Promise.all(this.askUnknown(all)), patience]);
    clearTimeout(timer);
  }

  /** Has the domains read that this session needs; they show later. */
  learn(view: Pick<CheckoutView, 'paymentOptions'> | undefined): void {
    this.askUnknown(view?.paymentOptions ?? []);
  }

  /** True where one of the options is known to take payments by signature, whether or not it is selected. */
  isOffered({ paymentOptions }: Pick<CheckoutView, 'paymentOptions'>): boolean {
    return this.sponsoredOf(paymentOptions).some(({ uniqueAssetId }) => this.domains.has(uniqueAssetId));
  }

  /** @returns undefined where it cannot, or the domain is not known */
  of(view: Pick<CheckoutView, 'status' | 'selected'>): SignaturePayment | undefined {
    const asset = this.assetOf(view);
    const domain = asset && this.domains.get(asset.uniqueAssetId);
    if (asset === undefined || !domain) return undefined;
    const { amount, receivedAmount, address } = view.selected!;
    return { token: asset.token, domain, to: address, value: amount - receivedAmount };
  }

  /** The token to sign for, where the session is open, something is missing and its network sponsors. */
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

  /** A token that takes none is asked for again too: `domainOf` remembers that for ten minutes. */
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
    // That the network is away is logged where it is read.
    const domain = await this.transfers.domainOf(network, token).catch(() => null);
    if (domain !== null) this.domains.set(uniqueAssetId, domain);
  }
}
