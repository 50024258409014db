import type { QrImage } from '#shared/web/parts/qr-code.js';

export interface SaleCodes {
  /** Database time, because the phone's clock may be wrong. */
  readonly now: string;
  /** For any camera, and for wallets that read payments from a URL. */
  readonly page: QrImage | undefined;
  readonly token: QrImage | undefined;
  readonly transfer: TransferCode | undefined;
  readonly options: readonly CodeOption[];
  readonly receipt: QrImage | undefined;
}

export interface CodeOption {
  readonly unique_asset_id: string;
  readonly symbol: string;
  readonly network_name: string;
  readonly amount: string | undefined;
}

export interface TransferCode extends CodeOption {
  readonly code: QrImage | undefined;
  readonly address: string;
  readonly missing_amount: string;
}
