/**
 * What the native coin of a chain is called, by EIP-155 chain id: prices know an asset by its symbol alone, and another
 * chain's coin is worth something else. Chains that are not here name theirs as they like.
 */
export const NATIVE_SYMBOLS: Readonly<Record<number, string>> = {
  1: 'ETH',
  10: 'ETH',
  56: 'BNB',
  137: 'POL',
  8_453: 'ETH',
  42_161: 'ETH',
  43_114: 'AVAX',
};
