import type { VNode } from 'preact';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { PayerPage } from '#shared/web/document/payer-page.js';
import {
  COPY_SCRIPT,
  inlineAsset,
  type PageAssets,
  SHARED_STYLES,
} from '#shared/web/document/inline-asset.js';
import { isolateTextDirection, stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import type { CheckoutPageModel, PaymentPageModel } from '../../checkout/pages/checkout-page-model.js';
import { PAYER_PAGE_MESSAGES, toCheckoutPageProps } from '../../checkout/pages/checkout-page-props.js';
import { OrderPart, SummaryPart } from '../../checkout/pages/parts/order-part.js';
import { PaymentMethods } from '../../checkout/pages/parts/payment-methods.js';
import { TILL_CODE_MESSAGES, type TillCodeText } from './till-code-messages.js';
import { NOT_CORRECTED } from '#shared/web/parts/detail-item.js';

export const TILL_CODE_PAGE_ASSETS = {
  style: inlineAsset(
    ...SHARED_STYLES,
    ...['payment', 'ways', 'checkout'].map((name) => pageFile(`../../checkout/pages/${name}.browser.css`)),
    pageFile('./till-code.browser.css'),
  ),
  script: inlineAsset(pageFile('./till-code.browser.js'), pageFile('./amount-pad.browser.js'), COPY_SCRIPT),
} satisfies PageAssets;

function pageFile(name: string): URL {
  return new URL(name, import.meta.url);
}

/** The typed amount was rejected: it is invalid, or the cashier's request is open. */
export interface RejectedAmountEntry {
  readonly amount: string;
  readonly status: number;
  readonly rule?: string | undefined;
}

interface TillCodePageModel extends Pick<PaymentPageModel, 'merchant' | 'branding' | 'sandbox'> {
  readonly code: string;
  /** Empty if the cashier types the amount. */
  readonly coins: readonly string[];
  readonly typed?: RejectedAmountEntry | undefined;
  /** The payer's own open session, with the amount typed earlier. */
  readonly own?:
    { readonly sessionId: string; readonly amount: string; readonly coinCode: string } | undefined;
  readonly direct?: CheckoutPageModel | undefined;
}

/** The page waits for the cashier's request, takes an amount, or displays a request without a hosted page. */
export function renderTillCodePage(source: TillCodePageModel, language: PageLanguage): string {
  const model = stripDirectionControls(source);
  const text = { ...PAYER_PAGE_MESSAGES[language], ...TILL_CODE_MESSAGES[language] };
  return htmlDocument(<TillCodePage model={model} text={text} language={language} />);
}

interface TillCodePageProps {
  readonly model: TillCodePageModel;
  readonly text: TillCodeText;
  readonly language: PageLanguage;
}

function TillCodePage({ model, text, language }: TillCodePageProps): VNode {
  const { code, merchant, branding, direct, sandbox } = model;
  return (
    <PayerPage
      language={language}
      title={text.payHere(merchant.name)}
      refresh={model.coins.length > 0 && direct === undefined ? undefined : 5}
      assets={TILL_CODE_PAGE_ASSETS}
      merchant={merchant.name}
      branding={branding}
      sandbox={sandbox}
    >
      <main
        class="till-code"
        data-wait={`/public/pos/${encodeURIComponent(code)}`}
        data-shown={direct?.reference ?? ''}
        data-code={code}
      >
        {direct === undefined ? (
          <NoRequestPart model={model} text={text} language={language} />
        ) : (
          renderDirectRequest(direct, text, language)
        )}
      </main>
      <footer>
        {sandbox && <p>{text.sandboxNote}</p>}
        <p id="offline" hidden>
          {text.reconnecting}
        </p>
        <p id="news" class="unseen" role="status" />
      </footer>
    </PayerPage>
  );
}

function NoRequestPart(props: TillCodePageProps): VNode {
  const { model, text } = props;
  if (model.coins.length > 0) return <AmountPad {...props} />;
  return (
    <section class="work waiting state" aria-labelledby="title">
      <div class="line">
        <span class="mark" aria-hidden="true" />
        <h1 id="title">{text.nothingYet}</h1>
      </div>
      <p>{text.nothingYetNote}</p>
      <noscript>
        <p>
          <a class="button" href="?">
            {text.refresh}
          </a>
        </p>
      </noscript>
    </section>
  );
}

/** Has no payment status: a paid request only disappears from the point of sale. */
function renderDirectRequest(direct: CheckoutPageModel, text: TillCodeText, language: PageLanguage): VNode {
  const view = toCheckoutPageProps(direct, language);
  return (
    <>
      <SummaryPart {...view} />
      <div class="work">
        <section id="pay" aria-labelledby="pay-title">
          <h2 id="pay-title" class="unseen">
            {text.howToPay}
          </h2>
          <PaymentMethods {...view} />
        </section>
        <section id="gone" class="state" hidden>
          <h2>{text.gone}</h2>
          <p>{text.goneNote}</p>
        </section>
      </div>
      <OrderPart {...view} />
    </>
  );
}

const AMOUNT_PAD_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', '⌫'];

/** The keys require the script; without it, the device's keyboard is used. */
function AmountPad({ model, text }: Pick<TillCodePageProps, 'model' | 'text'>): VNode {
  const { code, coins, typed, merchant, own } = model;
  const [first, ...others] = coins;
  const refusal = typed && rejectionText(typed, text);
  return (
    <section class="work" aria-labelledby="title">
      <form method="post" action={`/pos/${encodeURIComponent(code)}`} class="pad" data-pad>
        <h1 id="title">{text.typeAmount}</h1>
        <p class="note">{text.payHere(isolateTextDirection(merchant.name))}</p>
        <label class="label" for="amount">
          {others.length === 0 ? text.amountIn(isolateTextDirection(first!)) : text.amount}
        </label>
        <div class="typed">
          <input
            class="option"
            id="amount"
            name="amount"
            inputmode="decimal"
            autocomplete="off"
            {...NOT_CORRECTED}
            required
            maxLength={40}
            placeholder="0"
            value={typed?.amount ?? ''}
            aria-invalid={refusal !== undefined}
            aria-describedby="amount-note"
          />
          {others.length === 0 ? (
            <input type="hidden" name="coin_code" value={first} />
          ) : (
            <select class="option" name="coin_code" aria-label={text.coin}>
              {coins.map((coin) => (
                <option value={coin}>{coin}</option>
              ))}
            </select>
          )}
        </div>
        <p class={refusal === undefined ? 'note' : 'warning'} id="amount-note">
          {refusal ?? text.goOnNote}
        </p>
        <div class="keys" role="group" aria-label={text.padLabel} hidden>
          {AMOUNT_PAD_KEYS.map((key) => (
            <button
              type="button"
              class="button"
              data-key={key}
              aria-label={key === '⌫' ? text.deleteDigit : undefined}
            >
              {key}
            </button>
          ))}
        </div>
        <button class="button primary">{text.goOn}</button>
      </form>
      {own && (
        <p>
          <a class="button" href={`/checkout/${encodeURIComponent(own.sessionId)}`}>
            {text.ownPayment(isolateTextDirection(`${own.amount} ${own.coinCode}`))}
          </a>
        </p>
      )}
    </section>
  );
}

function rejectionText({ rule = '' }: RejectedAmountEntry, text: TillCodeText): string {
  return text.refused[rule] ?? text.refusedOtherwise;
}
