import type { Order, OrderMerchant } from '#contexts/payments/domain/requests/order.js';
import { CHECKOUT_METHODS, type CheckoutMethod } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { PageBranding } from '#shared/web/document/inline-asset.js';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';

/** Values of the query parameter `pay`. `browser` opens nothing: a found browser wallet is always displayed. */
export const OPENED_WAYS = [...CHECKOUT_METHODS, 'browser'] as const;
export type OpenedWay = (typeof OPENED_WAYS)[number];

/** Merchant, order, price and options of every payer page. Amounts are decimal strings in whole units. */
export interface PaymentPageModel {
  readonly merchant: OrderMerchant;
  readonly branding?: PageBranding | undefined;
  readonly order?: Order;
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  readonly options: readonly PageOption[];
  /** True on a development network, which uses test assets. */
  readonly sandbox: boolean;
}

export interface CheckoutPageModel
  extends
    PaymentPageModel,
    Pick<CheckoutView, 'sessionId' | 'status' | 'fulfilled' | 'expiresAt' | 'frameOrigins' | 'linkCode'> {
  /** Id of the payment request. */
  readonly reference: string;
  readonly way: CheckoutMethod;
  readonly selected?: PageSelection;
  /** Funds received in other assets than the selected one; they do not pay the request. */
  readonly otherAssets?: readonly PageOtherAsset[];
  /** Payment token for the QR code and the wallet links. */
  readonly token: string;
  readonly wallets: readonly { readonly name: string; readonly url: string }[];
  /** Server time of the rendering. */
  readonly now: Date;
  /** URL of the merchant's page, with the payment's outcome as query parameters. */
  readonly returnUrl?: string;
  /** `ETag` of the poll response with the same state. */
  readonly etag: string;
  /** Refunds that were paid or are being paid; absent before the request ends. */
  readonly refunds?: readonly PageRefund[];
  /** State of the receipt's email. Absent before a payment is seen. */
  readonly receiptMail?: ReceiptMailState;
  /** Code in the URL of the receipt's page. Absent before the payment has a receipt. */
  readonly receiptCode?: string | undefined;
}

/**
 * `offered`: no email address yet; `invalid`: the typed address is invalid; `asked`: an address is stored and the payer
 * may correct it; `over`: the address cannot be changed.
 */
export type ReceiptMailState = 'offered' | 'invalid' | 'asked' | 'over';

export interface PageOtherAsset {
  readonly amount: string;
  readonly symbol: string;
  readonly networkName: string;
}

export interface PageRefund {
  readonly amount: string;
  readonly symbol: string;
  /** True if the refund's transaction is final. */
  readonly arrived: boolean;
  readonly transactionHash?: string;
}

export interface PageOption {
  readonly uniqueAssetId: string;
  readonly symbol: string;
  readonly assetName: string;
  readonly networkName: string;
  /** Amount to pay with this option. Absent if the exchange rate is unknown. */
  readonly amount?: string;
  readonly networkFee?: NetworkFeeHint;
}

/** Estimated network fee that the payer pays for the transfer. */
export interface NetworkFeeHint {
  readonly amount: string;
  /** ISO 4217 currency, or the symbol of the network's coin. */
  readonly coinCode: string;
  /** True if the estimated fee is below `amount`. */
  readonly isLess: boolean;
}

export interface PageWallets {
  readonly chainId: number;
  /** Contract address; empty for the native coin. */
  readonly token: string;
  readonly decimals: number;
  readonly nativeSymbol?: string;
  /** Public RPC endpoint with which a wallet can add the network. */
  readonly rpcUrl?: string;
  readonly explorerUrl?: string;
}

export interface PageSelection extends PageOption {
  readonly amount: string;
  /** Deposit address. EVM addresses have the EIP-55 checksum. */
  readonly address: string;
  /** Opens a wallet with the missing amount. Absent if the network's wallets support no such URI. */
  readonly transferUri?: string;
  /** Content of the QR code: the transfer URI if the network's wallets support it, otherwise the address. */
  readonly code: string;
  readonly receivedAmount: string;
  readonly missingAmount: string;
  /** Missing amount in smallest units. */
  readonly missingUnits: bigint;
  /** Data for browser wallets. Absent if no browser wallet supports the network. */
  readonly wallets?: PageWallets;
  /** Confirmations of the newest counted transfer; 0 before a transfer is seen. */
  readonly confirmations: number;
  readonly requiredConfirmations: number;
  /** Approximate time to reach the required confirmations, in seconds. */
  readonly confirmationSeconds: number;
  /** Transaction hash of the newest counted transfer. */
  readonly transactionHash?: string;
  readonly transactionUrl?: string;
  /** Time that decides whether the newest counted transfer was received before the deadline. */
  readonly paidAt?: Date;
  /** True if the newest counted transfer is in no block yet. */
  readonly isPending: boolean;
  /** Seconds within which a payment seen before the deadline must be in a block. Absent if only blocks count. */
  readonly pendingGraceSeconds?: number;
  /** Locked price of one unit of the asset, in `coinCode`. Absent if the asset is the price's own coin. */
  readonly rate?: string;
  /** True until a payment is seen: the payer can choose another option. */
  readonly mayChange: boolean;
}
