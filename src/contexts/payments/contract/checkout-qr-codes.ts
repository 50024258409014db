export interface QrCodeOption {
  readonly uniqueAssetId: string;
  readonly symbol: string;
  readonly networkName: string;
  /** Decimal string in whole units. Absent if the option has no rate. */
  readonly amount?: string | undefined;
}

export interface CheckoutQrContent {
  /** Time of the database, from which a client computes the remaining time. */
  readonly now: Date;
  /** A wallet that requests this URL receives the payment details. */
  readonly pageUrl: string;
  readonly token: string;
  readonly selected: (QrCodeOption & SelectedTransfer) | undefined;
  readonly options: readonly QrCodeOption[];
  readonly receiptUrl: string | undefined;
}

interface SelectedTransfer {
  /** Payment URI for the selected asset. If the network has no payment URIs, the address. */
  readonly code: string;
  readonly address: string;
  /** Decimal string in whole units. */
  readonly missingAmount: string;
}

export abstract class CheckoutQrCodes {
  abstract read(sessionId: string): Promise<CheckoutQrContent>;
}
