/** How far a network has been read, and how much of that can no longer disappear. */
export interface ChainProgress {
  /** The progress watermark: every arrival up to this time is known. Earlier than the newest block while balances are not. */
  readonly headTime: Date;
  /** Null until the first block is final. */
  readonly final: { readonly number: number; readonly time: Date } | null;
}
