export interface CodesOption {
  readonly uniqueAssetId: string;
  readonly symbol: string;
  readonly networkName: string;
  /** Decimal string in whole units. Absent while there is no price. */
  readonly amount?: string | undefined;
}

/** The texts that a payer scans to pay one checkout session, as its hosted page has them. */
export interface SessionCodes {
  /** Time of the database, from which a client counts the remaining time. */
  readonly now: Date;
  /** URL of the hosted page. A wallet that requests it receives the payment details. */
  readonly pageUrl: string;
  /** The payment token. */
  readonly token: string;
  readonly selected: (CodesOption & SelectedTransfer) | undefined;
  readonly options: readonly CodesOption[];
  /** Absent before there is a receipt. */
  readonly receiptUrl: string | undefined;
}

interface SelectedTransfer {
  /** Payment URI of the selected asset, or the address if the network has no such URI. */
  readonly code: string;
  readonly address: string;
  /** Decimal string in whole units. */
  readonly missingAmount: string;
}

/** Reads what a screen other than the hosted page shows to a payer. */
export abstract class CheckoutCodes {
  /** @throws not_found */
  abstract read(sessionId: string): Promise<SessionCodes>;
}
