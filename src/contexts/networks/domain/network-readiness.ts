import { ChainUnavailable } from '../contract/chain-reader.js';

/** The state of a network's chain as this process knows it. */
export type ChainReadiness =
  /** `reason` says why no endpoint could be asked; empty before the first try. */
  | { readonly kind: 'unchecked'; readonly reason: string }
  /** Every endpoint serves another chain than configured, or than the database was filled from. */
  | { readonly kind: 'foreign'; readonly reason: string }
  /** The right chain, but factory or tokens differ from what addresses and amounts are computed with. */
  | { readonly kind: 'mismatched'; readonly problems: readonly string[] }
  | { readonly kind: 'ready' };

const UNCHECKED: ChainReadiness = { kind: 'unchecked', reason: '' };

/**
 * Which networks may be read and which take new requests. In memory and per process: each process asks the
 * chain itself, and nothing is trusted before it has answered. Which of a network's endpoints may be read from is
 * kept apart, by each.
 */
export class NetworkReadiness {
  private readonly readiness = new Map<string, ChainReadiness>();

  get(network: string): ChainReadiness {
    return this.readiness.get(network) ?? UNCHECKED;
  }

  set(network: string, readiness: ChainReadiness): void {
    this.readiness.set(network, readiness);
  }

  takesRequests(network: string): boolean {
    return this.get(network).kind === 'ready';
  }

  /** False until the chain's identity is proven: reading a foreign chain would look like a vast reorganisation. */
  isIdentified(network: string): boolean {
    const { kind } = this.get(network);
    return kind === 'ready' || kind === 'mismatched';
  }

  /** @throws ChainUnavailable until the chain's identity is proven */
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
