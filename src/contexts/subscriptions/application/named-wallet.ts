import type { WalletId } from '#shared/kernel/ids.js';

/** Exactly one of both: the wallet provider's own id, or the id that this service gave at the first acceptance. */
export type NamedWallet = { readonly externalId: string } | { readonly id: WalletId };
