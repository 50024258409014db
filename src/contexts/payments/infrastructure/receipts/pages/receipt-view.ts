import type { PageLanguage } from '#shared/web/messages/languages.js';
import type { Receipt } from '#contexts/payments/application/receipts/receipt.js';
import type { Messages } from '../../checkout/pages/messages/messages.js';
import type { ReceiptTexts } from './receipt-messages.js';

/** The parts of the page are made from this. */
export interface ReceiptView {
  readonly receipt: Receipt;
  readonly language: PageLanguage;
  readonly text: Messages & ReceiptTexts;
}
