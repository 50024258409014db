/** An event of the factory about what a settlement would do. Addresses in the canonical spelling. */
export type SettlementEvent =
  | {
      readonly kind: 'settled';
      readonly depositAddress: string;
      /** The token as the catalogue spells it; null for the native coin. */
      readonly token: string | null;
      readonly toSettlement: bigint;
      readonly toFee: bigint;
    }
  | {
      readonly kind: 'failed';
      readonly depositAddress: string;
      readonly token: string | null;
      /** In hex, as the contract gave it. */
      readonly reason: string;
    }
  /** Gas ran low: this item of this group, and all after it, were not paid out. */
  | { readonly kind: 'stopped'; readonly group: number; readonly item: number }
  /** The whole call was reverted, for another reason than gas. */
  | { readonly kind: 'reverted'; readonly reason: string };

export interface SimulatedSettlement {
  readonly gasUsed: bigint;
  /** In their order; one alone where the call reverts. */
  readonly events: readonly SettlementEvent[];
}
