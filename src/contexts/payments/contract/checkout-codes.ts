export interface CodesOption {
  readonly uniqueAssetId: string;
  readonly symbol: string;
  readonly networkName: string;
  /** Amount as a decimal string in whole units. Absent if the option has no rate. */
  readonly amount?: string | undefined;
}

/** QR code contents with which a payer pays a checkout session. */
export interface SessionCodes {
  /** Current time of the database, from which a client computes the remaining time. */
  readonly now: Date;
  /** URL of the hosted page. A wallet that requests this URL receives the payment details. */
  readonly pageUrl: string;
  readonly token: string;
  readonly selected: (CodesOption & SelectedTransfer) | undefined;
  readonly options: readonly CodesOption[];
  readonly receiptUrl: string | undefined;
}

interface SelectedTransfer {
  /** Payment URI for the selected asset. If the network has no payment URIs, the address. */
  readonly code: string;
  readonly address: string;
  /** Missing amount as a decimal string in whole units. */
  readonly missingAmount: string;
}

/** Reads the QR codes of a checkout session for screens other than the hosted page. */
export abstract class CheckoutCodes {
  /** @throws not_found */
  abstract read(sessionId: string): Promise<SessionCodes>;
}
