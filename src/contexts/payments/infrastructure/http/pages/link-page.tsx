import type { VNode } from 'preact';
import type { Order } from '../../../application/order.js';
import type { PageOption } from './checkout-page-model.js';
import { DocumentShell } from './document-shell.js';
import { MerchantBar } from './merchant-bar.js';
import { MESSAGES, type PageLanguage } from './messages.js';
import { OptionFacts } from './option-choice.js';
import { OrderPart } from './order-part.js';
import { shownPrice } from './shown-amounts.js';

/** A payment link that this payer has not opened a session for yet. */
export interface LinkPageModel {
  readonly code: string;
  readonly merchant: { readonly name: string; readonly description?: string };
  readonly order?: Order;
  /** The price, in `coinCode`, as a decimal string in whole units. */
  readonly amount: string;
  /** ISO 4217 currency or asset symbol. */
  readonly coinCode: string;
  readonly options: readonly PageOption[];
  /** A development network: its payers hold play money. */
  readonly sandbox: boolean;
}

export function LinkPage({ model, language }: { model: LinkPageModel; language: PageLanguage }): VNode {
  const text = MESSAGES[language];
  const price = shownPrice(model.amount, model.coinCode, language);
  return (
    <DocumentShell language={language} title={text.title(text.toPay(price), model.merchant.name)}>
      <MerchantBar name={model.merchant.name} sandbox={model.sandbox} text={text} />
      <main>
        <section id="summary" aria-labelledby="title">
          <h1 id="title">
            <span class="label">{text.amountToPay}</span> <span class="price">{price}</span>
          </h1>
        </section>
        <section id="pay" class="work" aria-labelledby="pay-title">
          <h2 id="pay-title">{text.payWith}</h2>
          <ul class="options">
            {model.options.map((option) => (
              <li class={option.amount === undefined ? 'option off' : 'option'}>
                <OptionFacts option={option} text={text} />
              </li>
            ))}
          </ul>
          <form method="post" action={`/link/${encodeURIComponent(model.code)}`}>
            <button class="button primary">{text.toPay(price)}</button>
          </form>
          <p class="note">{text.payNote}</p>
        </section>
        <OrderPart
          order={model.order}
          description={model.merchant.description}
          language={language}
          text={text}
        />
      </main>
      <footer>{model.sandbox && <p>{text.sandboxNote}</p>}</footer>
    </DocumentShell>
  );
}
