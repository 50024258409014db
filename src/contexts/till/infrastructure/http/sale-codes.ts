import type { QrImage } from '#shared/web/parts/qr-code.js';

/** QR codes of a checkout session, for the screen of a till. The hosted page displays the same codes. */
export interface SaleCodes {
  /** Database time. The till computes the remaining time from it, because the phone's clock may be wrong. */
  readonly now: string;
  /** Link to the hosted page, for any phone's camera and for wallets that read payments from a URL. */
  readonly page: QrImage | undefined;
  /** Payment token, for wallets that support payment codes. */
  readonly token: QrImage | undefined;
  /** Payment in the selected asset, for any wallet. */
  readonly transfer: TransferCode | undefined;
  readonly options: readonly CodeOption[];
  /** Link to the receipt; absent until the payment has a receipt. */
  readonly receipt: QrImage | undefined;
}

export interface CodeOption {
  readonly unique_asset_id: string;
  readonly symbol: string;
  readonly network_name: string;
  /** Absent if no exchange rate is available. */
  readonly amount: string | undefined;
}

export interface TransferCode extends CodeOption {
  readonly code: QrImage | undefined;
  readonly address: string;
  readonly missing_amount: string;
}
