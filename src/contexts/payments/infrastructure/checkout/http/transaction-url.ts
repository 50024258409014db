import type { Network } from '#contexts/networks/contract/network-catalogue.js';

/** Where a transaction can be looked at. Paths of explorers: EIP-3091. */
export function transactionUrl(
  network: Network | undefined,
  hash: string | null | undefined,
): string | undefined {
  return network?.explorerUrl === undefined || !hash ? undefined : `${network.explorerUrl}/tx/${hash}`;
}
