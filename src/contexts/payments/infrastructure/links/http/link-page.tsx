import type { VNode } from 'preact';
import { NOT_TRANSLATED } from '#shared/web/parts/detail-item.js';
import type { PaymentPageModel } from '../../checkout/pages/checkout-page-model.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { PayerPage } from '#shared/web/document/payer-page.js';
import { PAYER_PAGE_MESSAGES, type PayerPageMessages } from '../../checkout/pages/checkout-page-props.js';
import { PAYER_PAGE_ASSETS } from '../../checkout/pages/page-assets.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { OptionChoice } from '../../checkout/pages/parts/option-choice.js';
import { OrderPart } from '../../checkout/pages/parts/order-part.js';
import { isolateTextDirection, stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import { formatCoinAmount } from '#shared/web/formatting/shown-amounts.js';

export interface LinkPageModel extends PaymentPageModel {
  readonly code: string;
}

function LinkPage({ model, language }: { model: LinkPageModel; language: PageLanguage }): VNode {
  const text = PAYER_PAGE_MESSAGES[language];
  const price = formatCoinAmount(model.amount, model.coinCode, language);
  return (
    <PayerPage
      language={language}
      title={text.title(text.toPay(price), model.merchant.name)}
      assets={{ style: PAYER_PAGE_ASSETS.style, script: undefined }}
      merchant={model.merchant.name}
      branding={model.branding}
      sandbox={model.sandbox}
    >
      <main>
        <section id="summary" aria-labelledby="title">
          <h1 id="title">
            <span class="label">{text.amountToPay}</span>{' '}
            <span class="price" {...NOT_TRANSLATED}>
              {price}
            </span>
          </h1>
        </section>
        <section id="pay" class="work" aria-labelledby="pay-title">
          {model.options.length > 0 ? (
            <Offer model={model} price={price} text={text} language={language} />
          ) : (
            <>
              <h2 id="pay-title">{text.noOptions}</h2>
              <p>{text.noOptionsNote(isolateTextDirection(model.merchant.name))}</p>
            </>
          )}
        </section>
        <OrderPart model={model} language={language} text={text} />
      </main>
      <footer>{model.sandbox && <p>{text.sandboxNote}</p>}</footer>
    </PayerPage>
  );
}

interface OfferProps {
  readonly model: LinkPageModel;
  readonly price: string;
  readonly text: PayerPageMessages;
  readonly language: PageLanguage;
}

function Offer({ model, price, text, language }: OfferProps): VNode {
  const action = `/link/${encodeURIComponent(model.code)}`;
  return (
    <>
      <h2 id="pay-title">{text.choose}</h2>
      <OptionChoice model={model} action={action} text={text} language={language} />
      {/* The checkout page keeps checking for an exchange rate. */}
      {model.options.every(({ amount }) => amount === undefined) && (
        <form method="post" action={action}>
          <button class="button primary">{text.toPay(price)}</button>
        </form>
      )}
      <p class="note">{text.payNote}</p>
    </>
  );
}

export function renderLinkPage(model: LinkPageModel, language: PageLanguage): string {
  return htmlDocument(<LinkPage model={stripDirectionControls(model)} language={language} />);
}
