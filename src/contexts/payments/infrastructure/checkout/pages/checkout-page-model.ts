import type { Order, OrderMerchant } from '#contexts/payments/domain/requests/order.js';
import { CHECKOUT_WAYS, type CheckoutWay } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { PageBranding } from '#shared/web/document/inline-asset.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';

/** Ways to pay, as `pay` in the page's address names them. Only the browser script can open that of the browser's wallet. */
export const OPENED_WAYS = [...CHECKOUT_WAYS, 'browser'] as const;
export type OpenedWay = (typeof OPENED_WAYS)[number];

/** Every payer's page shows merchant, order, price and options. Amounts are decimal strings in whole units. */
export interface PaymentPageModel {
  readonly merchant: OrderMerchant;
  /** The look that the merchant has chosen. */
  readonly branding?: PageBranding | undefined;
  readonly order?: Order;
  /** The price, in `coinCode`. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  /** The payer can choose from these. */
  readonly options: readonly PageOption[];
  /** A development network, whose payers hold test assets. */
  readonly sandbox: boolean;
}

/** Everything the hosted page of a checkout session shows; in the sandbox it can pay by itself. */
export interface CheckoutPageModel extends PaymentPageModel {
  readonly sessionId: string;
  /** The payment request's id, by which the merchant finds it. */
  readonly reference: string;
  /** The way to pay that is open; the others are a press away. */
  readonly way: CheckoutWay;
  readonly status: PaymentRequestStatus;
  /** The merchant has what it asked for, or accepts what it got. */
  readonly fulfilled: boolean;
  readonly selected?: PageSelection;
  /** Received in assets that were not selected, so they do not pay it. */
  readonly otherAssets?: readonly PageOtherAsset[];
  /** The payment token, as the QR code and wallets' links carry it. */
  readonly token: string;
  /** Wallets with a link that opens them with the token. */
  readonly wallets: readonly { readonly name: string; readonly url: string }[];
  /** The server's clock when this was rendered. */
  readonly now: Date;
  readonly expiresAt: Date;
  /** The merchant's page, with the outcome as query parameters. */
  readonly returnUrl?: string;
  /** `ETag` of the poll's answer that shows the same state. */
  readonly etag: string;
  /** Sites that may show the page in a frame, and to which it posts where the payment stands. */
  readonly frameOrigins: readonly string[];
  /** Refunds that were paid or are on their way; absent before the end. */
  readonly refunds?: readonly PageRefund[];
  /** The receipt can still be asked for by mail, or not; absent before a payment was seen. */
  readonly receiptMail?: ReceiptMailState;
  /** The code of the page of the receipt; absent before there is one. */
  readonly receiptCode?: string | undefined;
  /** The code of the payment link that opened it, by which the payer can pay again. */
  readonly linkCode?: string;
}

/** `offered`; `invalid`: what was typed is no address; `asked`: an address is stored, which the payer may correct; `over`: it goes out. */
export type ReceiptMailState = 'offered' | 'invalid' | 'asked' | 'over';

export interface PageOtherAsset {
  readonly amount: string;
  readonly symbol: string;
  readonly networkName: string;
}

export interface PageRefund {
  readonly amount: string;
  readonly symbol: string;
  /** It can no longer be lost. */
  readonly arrived: boolean;
  readonly transactionHash?: string;
}

export interface PageOption {
  readonly uniqueAssetId: string;
  readonly symbol: string;
  readonly assetName: string;
  readonly networkName: string;
  /** Absent while its rate is not known. */
  readonly amount?: string;
  /** Absent while it is not known. */
  readonly networkFee?: NetworkFeeHint;
}

/** The network's charge to the payer for the transfer, roughly. */
export interface NetworkFeeHint {
  readonly amount: string;
  /** ISO 4217 currency, or the symbol of the network's coin. */
  readonly coinCode: string;
  /** The fee is below `amount`. */
  readonly isLess: boolean;
}

/** The facts by which the script has a wallet of the browser pay. */
export interface PageWallets {
  /** EIP-155 */
  readonly chainId: number;
  /** The contract; empty for the native coin. */
  readonly token: string;
  readonly decimals: number;
  readonly nativeSymbol?: string;
  /** A public endpoint by which a wallet adds the network. */
  readonly rpcUrl?: string;
  readonly explorerUrl?: string;
}

export interface PageSelection extends PageOption {
  readonly amount: string;
  /** The spelling for people (EIP-55). */
  readonly address: string;
  /** Opens a wallet for what is missing; absent where wallets of the network know no such URI. */
  readonly transferUri?: string;
  /** The content of the QR code beside the address: the address alone, or the transfer where wallets of the network read that. */
  readonly code: string;
  readonly receivedAmount: string;
  readonly missingAmount: string;
  /** The missing amount in smallest units. */
  readonly missingUnits: bigint;
  /** Absent where no wallet of a browser pays on the network. */
  readonly wallets?: PageWallets;
  /** Confirmations of the newest counted transfer; 0 before one is seen. */
  readonly confirmations: number;
  readonly requiredConfirmations: number;
  /** About how long a network takes for all of them, in seconds. */
  readonly confirmationSeconds: number;
  /** The newest counted transfer's. */
  readonly transactionHash?: string;
  /** Where that transaction can be looked at. */
  readonly transactionUrl?: string;
  /** The time by which the newest counted transfer is in time. */
  readonly paidAt?: Date;
  /** The newest counted transfer was seen and is in no block yet. */
  readonly isPending: boolean;
  /** A payment that was seen in time may be in a block so many seconds after that; absent where only blocks count. */
  readonly pendingGraceSeconds?: number;
  /** The locked rate: the price of one unit in `coinCode`. Absent where both are the same coin. */
  readonly rate?: string;
  /** No payment was seen yet, so another option may be chosen. */
  readonly mayChange: boolean;
}
