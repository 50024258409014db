import type { QrImage } from '#shared/web/parts/qr-code.js';

export interface SaleQrCodes {
  /** Database time, because the phone's clock may be wrong. */
  readonly now: string;
  /** For any camera, and for wallets that read payments from a URL. */
  readonly page: QrImage | undefined;
  readonly token: QrImage | undefined;
  readonly transfer: TransferQrCode | undefined;
  readonly options: readonly SaleQrCodeOption[];
  readonly receipt: QrImage | undefined;
}

export interface SaleQrCodeOption {
  readonly unique_asset_id: string;
  readonly symbol: string;
  readonly network_name: string;
  readonly amount: string | undefined;
}

export interface TransferQrCode extends SaleQrCodeOption {
  readonly code: QrImage | undefined;
  readonly address: string;
  readonly missing_amount: string;
}
