import type { Mail } from '#contexts/identity/contract/outgoing-mails.js';
import { collapseToOneLine } from '#shared/kernel/text.js';
import { stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import { formatUngroupedAmount, formatCoinAmount } from '#shared/web/formatting/shown-amounts.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { RECEIPT_MAIL_TEXTS } from './receipt-mail-texts.js';
import type { Receipt } from './receipt.js';

/** Merchants choose their names, so a name is reduced to one short line. */
const MAX_MERCHANT_NAME_LENGTH = 80;

export interface ReceiptMail {
  readonly language: PageLanguage;
  readonly merchant: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  readonly notes: readonly string[];
  readonly unsubscribe: { readonly label: string; readonly url: string };
}

export function buildReceiptMail(
  receipt: Receipt,
  language: PageLanguage,
  unsubscribeUrl: string,
): ReceiptMail {
  const text = RECEIPT_MAIL_TEXTS[language];
  const merchant = toShortLine(receipt.merchant.name);
  const { amount, symbol, network_name: network } = receipt.received;
  const price = formatCoinAmount(receipt.price.amount, receipt.price.coin_code, language);
  return {
    language,
    merchant,
    subject: text.subject(merchant),
    paragraphs: [
      text.received({ merchant, price, paid: formatUngroupedAmount(amount, symbol, language), network }),
    ],
    link: { label: text.receipt, url: receipt.url },
    notes: [text.later, text.why(merchant)],
    unsubscribe: { label: text.unsubscribe(merchant), url: unsubscribeUrl },
  };
}

export function toPlainTextMail({
  subject,
  paragraphs,
  link,
  notes,
  unsubscribe,
}: ReceiptMail): Pick<Mail, 'subject' | 'body'> {
  const links = [link, unsubscribe].map(({ label, url }) => `${label}:\n${url}`) as [string, string];
  return { subject, body: [...paragraphs, links[0], ...notes, links[1]].join('\n\n') };
}

function toShortLine(text: string): string {
  const line = collapseToOneLine(stripDirectionControls(text));
  const characters = Array.from(line);
  return characters.length <= MAX_MERCHANT_NAME_LENGTH
    ? line
    : `${characters.slice(0, MAX_MERCHANT_NAME_LENGTH - 1).join('')}…`;
}
