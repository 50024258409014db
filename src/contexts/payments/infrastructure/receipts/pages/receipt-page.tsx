import type { VNode } from 'preact';
import { EXACT } from '#shared/web/parts/exact.js';
import { DocumentShell, htmlDocument } from '#shared/web/document/document-shell.js';
import {
  COPY_SCRIPT,
  CARD_STYLES,
  inlineAsset,
  type PageAssets,
  type PageBranding,
} from '#shared/web/document/inline-asset.js';
import { withBranding } from '#shared/web/branding/page-branding.js';
import { plain } from '#shared/web/formatting/plain-text.js';
import { shownCoin } from '#shared/web/formatting/shown-amounts.js';
import { shownMoment } from '#shared/web/formatting/shown-time.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { NameBar } from '#shared/web/parts/name-bar.js';
import type { Receipt } from '#contexts/payments/application/receipts/receipt.js';
import { MESSAGES } from '../../checkout/pages/page-view.js';
import { OrderPart } from '../../checkout/pages/parts/order-part.js';
import { ReceiptFacts } from './receipt-facts.js';
import { MoneyMovements } from './money-movements.js';
import { RECEIPT_MESSAGES, type ReceiptView } from './receipt-messages.js';

export const RECEIPT_ASSETS = {
  style: inlineAsset(
    ...CARD_STYLES,
    new URL('../../checkout/pages/checkout.browser.css', import.meta.url),
    new URL('./receipt.browser.css', import.meta.url),
  ),
  script: inlineAsset(new URL('./receipt.browser.js', import.meta.url), COPY_SCRIPT),
} satisfies PageAssets;

export interface ReceiptPageModel {
  readonly receipt: Receipt;
  readonly branding?: PageBranding | undefined;
  /** True on a development network, which uses test assets. */
  readonly sandbox: boolean;
}

/** Renders a self-contained document that is suitable for printing. */
export function renderReceiptPage(model: ReceiptPageModel, language: PageLanguage): string {
  const text = { ...MESSAGES[language], ...RECEIPT_MESSAGES[language] };
  return htmlDocument(
    <ReceiptPage {...model} receipt={plain(model.receipt)} language={language} text={text} />,
  );
}

function ReceiptPage({ receipt, branding, sandbox, language, text }: ReceiptPageModel & ReceiptView): VNode {
  const { merchant, price, status, order } = receipt;
  const view = { receipt, language, text };
  const shownOrder = order && { merchant: { name: merchant.name }, order };
  return (
    <DocumentShell
      language={language}
      title={text.receiptOf(merchant.name)}
      {...withBranding(RECEIPT_ASSETS, branding)}
    >
      <NameBar name={merchant.name} branding={branding} badge={sandbox ? text.sandbox : undefined} />
      <main>
        <section aria-labelledby="title">
          <h1 id="title">
            <span class="label">{text.receipt}</span>{' '}
            <span class="price" {...EXACT}>
              {shownCoin(price.amount, price.coin_code, language)}
            </span>
          </h1>
          <p class={`standing ${status}`}>
            <strong>{text.status[status]}</strong> {text.statusNote[status]}
          </p>
        </section>
        <section class="work" aria-labelledby="facts-title">
          <h2 id="facts-title" class="unseen">
            {text.receipt}
          </h2>
          <ReceiptFacts {...view} />
          <MoneyMovements {...view} />
        </section>
        {shownOrder && (
          <OrderPart
            model={{ ...shownOrder, amount: price.amount, coinCode: price.coin_code, options: [], sandbox }}
            language={language}
            text={text}
          />
        )}
        <section class="ways" aria-label={text.signed}>
          <button type="button" class="button" hidden data-print>
            {text.print}
          </button>
          <a class="button" href={`${new URL(receipt.url).pathname}/document`} download>
            {text.signed}
          </a>
          <p class="note">{text.signedNote}</p>
        </section>
      </main>
      <footer>
        <p>{text.statedAt(shownMoment(new Date(receipt.stated_at), language))}</p>
        <p class="on-paper">{receipt.url}</p>
        {sandbox && <p>{text.sandboxNote}</p>}
      </footer>
    </DocumentShell>
  );
}
