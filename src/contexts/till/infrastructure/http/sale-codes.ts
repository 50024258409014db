import type { QrImage } from '#shared/web/parts/qr-code.js';

/** QR codes of a checkout session for a till's screen. They equal those of the hosted page. */
export interface SaleCodes {
  /** Database time. The till computes the remaining time from it, because the phone's clock may be wrong. */
  readonly now: string;
  /** Link to the hosted page, for any phone's camera and for wallets that read payments from a URL. */
  readonly page: QrImage | undefined;
  /** Payment token, for wallets that support payment codes. */
  readonly token: QrImage | undefined;
  /** Payment of the selected asset, for any wallet. */
  readonly transfer: TransferCode | undefined;
  readonly options: readonly CodeOption[];
  /** Absent until there is a receipt. */
  readonly receipt: QrImage | undefined;
}

export interface CodeOption {
  readonly unique_asset_id: string;
  readonly symbol: string;
  readonly network_name: string;
  /** Absent if there is no rate. */
  readonly amount: string | undefined;
}

export interface TransferCode extends CodeOption {
  readonly code: QrImage | undefined;
  readonly address: string;
  readonly missing_amount: string;
}
