import { Injectable } from '@nestjs/common';
import { type Asset, isNative } from '#shared/kernel/asset.js';
import { AuthorizedTransfers, type TokenDomain } from '#contexts/networks/contract/authorized-transfers.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { isEnded } from '../../domain/requests/status.js';
import type { CheckoutView } from './payment-request-view.js';

/** A node that did not answer is asked again after this. */
const ASK_AGAIN_MS = 5_000;
/** A session is shown after this, with or without. */
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
 * Says of a session whether it can be paid by a signature, from memory: the domain of each token is read once, by whoever
 * looks first. Without it the session is shown as one that cannot.
 */
@Injectable()
export class SignaturePayments {
  /** Null for a token that takes no authorizations. */
  private readonly domains = new Map<string, TokenDomain | null>();
  private readonly asked = new Map<string, { readonly at: number; readonly answered: Promise<void> }>();

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly transfers: AuthorizedTransfers,
  ) {}

  /** The number of tokens whose domain is known: what was shown while it was lower may lack one. */
  get known(): number {
    return this.domains.size;
  }

  /** Has the domain read that this session needs, and waits for it a little. Never throws. */
  async learn(view: Pick<CheckoutView, 'status' | 'selected'>): Promise<void> {
    const asset = this.assetOf(view);
    if (asset === undefined || this.domains.has(asset.uniqueAssetId)) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
    await Promise.race([this.ask(asset), patience]);
    clearTimeout(timer);
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
    const asset = this.catalogue.asset(selected.uniqueAssetId);
    const isSponsored = asset && this.catalogue.network(asset.network)?.sponsoring !== undefined;
    return isSponsored && !isNative(asset) ? asset : undefined;
  }

  private ask({ uniqueAssetId, network, token }: Asset): Promise<void> {
    const now = performance.now();
    const last = this.asked.get(uniqueAssetId);
    if (last !== undefined && now - last.at < ASK_AGAIN_MS) return last.answered;
    const answered = this.transfers.domainOf(network, token).then(
      (domain) => void this.domains.set(uniqueAssetId, domain),
      // That the network is away is logged where it is read.
      () => undefined,
    );
    this.asked.set(uniqueAssetId, { at: now, answered });
    return answered;
  }
}
