import type { Order, OrderMerchant } from '#contexts/payments/domain/requests/order.js';
import { CHECKOUT_METHODS, type CheckoutMethod } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { PageBranding } from '#shared/web/document/inline-asset.js';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';

/** Values of the query parameter `pay`. `browser` opens nothing: a found browser wallet is always displayed. */
export const INITIAL_PAYMENT_METHODS = [...CHECKOUT_METHODS, 'browser'] as const;
export type InitialPaymentMethod = (typeof INITIAL_PAYMENT_METHODS)[number];

/** Amounts are decimal strings in whole units. */
export interface PaymentPageModel {
  readonly merchant: OrderMerchant;
  readonly branding?: PageBranding | undefined;
  readonly order?: Order;
  readonly amount: string;
  readonly coinCode: string;
  readonly options: readonly PagePaymentOption[];
  readonly sandbox: boolean;
}

export interface CheckoutPageModel
  extends
    PaymentPageModel,
    Pick<CheckoutView, 'sessionId' | 'status' | 'fulfilled' | 'expiresAt' | 'frameOrigins' | 'linkCode'> {
  readonly reference: string;
  readonly way: CheckoutMethod;
  readonly selected?: PageSelectedAsset;
  /** Received, but not counted: other assets, and transfers after the end. */
  readonly uncounted?: readonly PageUncountedSum[];
  readonly token: string;
  readonly wallets: readonly { readonly name: string; readonly url: string }[];
  readonly now: Date;
  /** Has the payment's outcome as query parameters. */
  readonly returnUrl?: string;
  /** `ETag` of the poll response with the same state. */
  readonly etag: string;
  readonly refunds?: readonly PageRefund[];
  /** Absent before a payment is seen. */
  readonly receiptMail?: ReceiptMailState;
  readonly receiptCode?: string | undefined;
}

/** `asked`: an address is stored and the payer may correct it; `over`: it cannot be changed. */
export type ReceiptMailState = 'offered' | 'invalid' | 'asked' | 'over';

export interface PageUncountedSum {
  readonly amount: string;
  readonly symbol: string;
  readonly networkName: string;
}

export interface PageRefund {
  readonly amount: string;
  readonly symbol: string;
  /** The refund's transaction is final. */
  readonly arrived: boolean;
  readonly transactionHash?: string;
}

export interface PagePaymentOption {
  readonly uniqueAssetId: string;
  readonly symbol: string;
  readonly assetName: string;
  readonly networkName: string;
  /** Absent if the exchange rate is unknown. */
  readonly amount?: string;
  readonly networkFee?: NetworkFeeHint;
  /** This browser last selected an asset on the same network. */
  readonly isLastNetwork?: boolean;
}

export interface NetworkFeeHint {
  readonly amount: string;
  readonly coinCode: string;
  readonly isLess: boolean;
  /** Coin of the fee, which the payer's wallet must also hold. Absent if the payment is made in that coin. */
  readonly feeCoin?: string;
}

export interface BrowserWalletParameters {
  readonly chainId: number;
  /** Contract address; empty for the native coin. */
  readonly token: string;
  readonly decimals: number;
  readonly nativeSymbol?: string;
  readonly rpcUrl?: string;
  readonly explorerUrl?: string;
}

export interface PageSelectedAsset extends PagePaymentOption {
  readonly amount: string;
  readonly address: string;
  /** Absent if the network's wallets support no such URI. */
  readonly transferUri?: string;
  /** The transfer URI if the network's wallets support it, otherwise the address. */
  readonly code: string;
  readonly receivedAmount: string;
  readonly missingAmount: string;
  readonly missingUnits: bigint;
  /** Absent if no browser wallet supports the network. */
  readonly wallets?: BrowserWalletParameters;
  /** Confirmations of the newest counted transfer; 0 before a transfer is seen. */
  readonly confirmations: number;
  readonly requiredConfirmations: number;
  readonly confirmationSeconds: number;
  readonly transactionHash?: string;
  readonly transactionUrl?: string;
  /** Decides whether the newest counted transfer was received before the deadline. */
  readonly paidAt?: Date;
  /** The newest counted transfer is in no block yet. */
  readonly isPending: boolean;
  /** A payment seen before the deadline must be in a block within this time. Absent if only blocks count. */
  readonly pendingGraceSeconds?: number;
  /** Price of one unit of the asset, in `coinCode`. Absent if the asset is the price's own coin. */
  readonly rate?: string;
  readonly mayChange: boolean;
}
