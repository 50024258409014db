export interface CodesOption {
  readonly uniqueAssetId: string;
  readonly symbol: string;
  readonly networkName: string;
  /** Decimal string in whole units. Absent if there is no price. */
  readonly amount?: string | undefined;
}

/** Codes to scan in order to pay a checkout session. */
export interface SessionCodes {
  /** Database time, from which a client computes the remaining time. */
  readonly now: Date;
  /** URL of the hosted page. A wallet that requests it receives the payment details. */
  readonly pageUrl: string;
  readonly token: string;
  readonly selected: (CodesOption & SelectedTransfer) | undefined;
  readonly options: readonly CodesOption[];
  readonly receiptUrl: string | undefined;
}

interface SelectedTransfer {
  /** Payment URI of the selected asset, or the address if the network has no such URI. */
  readonly code: string;
  readonly address: string;
  /** Decimal string in whole units. */
  readonly missingAmount: string;
}

/** Reads the codes for a screen other than the hosted page. */
export abstract class CheckoutCodes {
  /** @throws not_found */
  abstract read(sessionId: string): Promise<SessionCodes>;
}
