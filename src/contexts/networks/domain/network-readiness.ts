import { ChainUnavailable } from '../contract/chain-reader.js';

export type ChainReadiness =
  /** `reason` is empty before the first attempt. */
  | { readonly kind: 'unchecked'; readonly reason: string }
  | { readonly kind: 'foreign'; readonly reason: string }
  /** The chain is right, but not the factory or tokens, so the network accepts no requests. */
  | { readonly kind: 'mismatched'; readonly problems: readonly string[] }
  | { readonly kind: 'ready' };

const UNCHECKED: ChainReadiness = { kind: 'unchecked', reason: '' };

/** Each process verifies a network's chain before it trusts any answer. */
export class NetworkReadiness {
  private readonly readiness = new Map<string, ChainReadiness>();

  get(network: string): ChainReadiness {
    return this.readiness.get(network) ?? UNCHECKED;
  }

  set(network: string, readiness: ChainReadiness): void {
    this.readiness.set(network, readiness);
  }

  acceptsPaymentRequests(network: string): boolean {
    return this.get(network).kind === 'ready';
  }

  /** Reading blocks of another chain would look like a deep reorganization. */
  isIdentified(network: string): boolean {
    const { kind } = this.get(network);
    return kind === 'ready' || kind === 'mismatched';
  }

  requireIdentified(network: string): void {
    if (this.isIdentified(network)) return;
    const readiness = this.get(network);
    const reason = 'reason' in readiness && readiness.reason !== '' ? ` ${readiness.reason}` : '';
    throw new ChainUnavailable(
      network,
      `its endpoints have not been verified to serve the right chain.${reason}`,
    );
  }
}
